/**
 * Code shared by extraction and classification: checks file types, and reads and processes a file
 * with a deadline.
 */
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { Engine, ExtractRequest } from "../../engine/engine.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { Document } from "../../reading/document.ts";
import {
  type ReadableExtension,
  type Reader,
  ReadingError,
  ReadingInterrupted,
  readableExtensions,
} from "../../reading/reader.ts";
import { engineError } from "../models/models.service.ts";

export interface UnderstandingDeps {
  reader: Reader;
  engine: Engine;
  /** Maximum time to read and process one file. */
  timeoutMs: number;
  /** True if no client is waiting for the result. The work then has a low priority. */
  background?: boolean;
}

export interface FileToRead {
  /** Path of the stored file. */
  path: string;
  filename: string;
  extension: ReadableExtension;
}

/** The result for a file, with its duration and page count. */
export interface Understood<Result> {
  result: Result;
  pages: number;
  durationMs: number;
}

/**
 * Returns the extension of a file name. It must be a readable extension and, if `accepted` is
 * given, one of the accepted extensions.
 * @throws AppError `unsupported_file_type`
 */
export function readableExtensionOf(
  filename: string,
  accepted: readonly string[] = readableExtensions,
): ReadableExtension {
  const extension = extensionOf(filename);
  const supported = readableExtensions.filter((each) => accepted.includes(each));
  const found = supported.find((each) => each === extension);
  if (found === undefined) {
    const message = `This file type is not accepted. Accepted types: ${supported.join(", ")}.`;
    throw new AppError("unsupported_file_type", { supported }, { message });
  }
  return found;
}

/**
 * Returns a renderer of page images, for models that accept images; undefined for formats without
 * page images.
 */
export function pageImageOf(
  { reader }: Pick<UnderstandingDeps, "reader">,
  { path, extension }: FileToRead,
): ExtractRequest["pageImage"] {
  if (extension === "docx" || extension === "xlsx") return undefined;
  return async (page, maxWidth, signal) => {
    try {
      return (await reader.renderPage(path, extension, { page, width: maxWidth, format: "png" }, { signal })).bytes;
    } catch (error) {
      // Continues without the image, because the model still gets the words of the page.
      if (error instanceof ReadingError || error instanceof ReadingInterrupted) return undefined;
      throw error;
    }
  };
}

/**
 * Reads a file and runs `work` on it, without recording anything.
 * @throws AppError with the code that `failure` contains, or `agent_timeout`, `agent_unavailable`,
 * `quota_exceeded`; the reason of `signal` if that aborts
 */
export async function understandFile<Result>(
  { reader, timeoutMs, background = false }: Omit<UnderstandingDeps, "engine">,
  file: FileToRead,
  failure: "extraction_failed" | "classification_failed",
  work: (document: Document, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Understood<Result>> {
  const startedAt = performance.now();
  const { result, pages } = await withinTime(timeoutMs, signal, async (within) => {
    try {
      const document = await reader.read(file.path, file.extension, { signal: within, background });
      return { result: await work(document, within), pages: document.pages.length };
    } catch (error) {
      const ofEngine = engineError(error, failure);
      if (ofEngine) throw ofEngine;
      if (error instanceof ReadingInterrupted && !background)
        throw new AppError("agent_unavailable", undefined, { cause: error });
      if (!(error instanceof ReadingError)) throw error;
      const message = `The document could not be read: ${error.message}`;
      throw new AppError(failure, { reason: error.reason }, { cause: error, message });
    }
  });
  return { result, pages, durationMs: Math.round(performance.now() - startedAt) };
}
