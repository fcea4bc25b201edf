/** Texts for states of files and documents: what happened, and what the user can do. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import { type Document, SheafError } from "@sheaf/client";
import { useErrorWords } from "../../app/error-words.tsx";
import { useFormats } from "../../ui/formats.ts";
import type { DocumentState } from "./document-state.ts";
import { maxDocumentBytes } from "./file-rules.ts";
import type { UploadItem } from "./upload-queue.ts";

const states: Record<DocumentState, MessageDescriptor> = {
  waiting: msg`Waiting`,
  reading: msg`Reading`,
  ready: msg`Ready`,
  error: msg`Failed`,
};

/** Returns a function that translates the state of a document. */
export function useStateWords(): (state: DocumentState) => string {
  const { _ } = useLingui();
  return (state) => _(states[state]);
}

const failures: Record<string, MessageDescriptor> = {
  encrypted: msg`The file is protected by a password. Save it without a password and upload it again.`,
  corrupt: msg`The file is damaged, or its content does not match its name. Open it on your computer, save it again and upload it again.`,
  empty: msg`There is nothing to read in the file. If it is a scan, scan it again with more contrast.`,
  too_complex: msg`The file has too many pages or is too complex. Split it into smaller files.`,
  timeout: msg`Reading the file took too long. Split it into smaller files, or upload it again later.`,
};

/** Returns a function that explains why a document could not be read. */
export function useReadingWords(): (document: Document) => string {
  const { _ } = useLingui();
  return ({ error }) =>
    _(failures[error?.code ?? ""] ?? msg`The file could not be read. Upload it again, or upload another copy.`);
}

/** Returns a function that explains why a file was not uploaded. */
export function useUploadWords(): (item: UploadItem) => string | undefined {
  const { _ } = useLingui();
  const { bytes } = useFormats();
  const wordsOf = useErrorWords();
  const tooLarge = (size: number, limit: number) =>
    _(msg`The file is too large: ${bytes(size)}. The limit is ${bytes(limit)}. Split it, or save it smaller.`);
  return ({ refusal, failure, size, maxBytes = maxDocumentBytes }) => {
    switch (refusal) {
      case "unsupported_file_type":
        return _(msg`Files of this type are not supported. Use PDF, DOCX, JPG, PNG or HEIC.`);
      case "empty_file":
        return _(msg`The file is empty.`);
      case "file_too_large":
        return tooLarge(size, maxBytes);
      case "name_too_long":
        return _(msg`The name or the folder path is too long. Shorten it and try again.`);
      case "invalid_name":
        return _(msg`The name contains characters that are not allowed. Rename the file and try again.`);
    }
    if (failure === undefined) return undefined;
    if (failure.code === "unreadable_file")
      return _(msg`Your computer could not read the file. It was moved, changed or is in use. Choose it again.`);
    if (failure.code === "file_too_large" && isLimited(failure.detail)) return tooLarge(size, failure.detail.limit);
    if (failure.code === "quota_exceeded")
      return _(msg`The plan of your organization does not allow more documents in this corpus.`);
    return wordsOf(new SheafError(failure.code, failure.message, { status: failure.status }));
  };
}

const isLimited = (detail: unknown): detail is { limit: number } =>
  typeof (detail as { limit?: unknown } | undefined)?.limit === "number";
