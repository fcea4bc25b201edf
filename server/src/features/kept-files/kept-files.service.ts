/**
 * Files of results kept for review: the uploaded file, and the Document read from it. They have the
 * same format as the files of a corpus. This module serves both kept extractions and kept
 * classifications.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { TemporaryFiles } from "../../files/temporary-files.ts";
import { attachment } from "../../lib/content-disposition.ts";
import type { Document } from "../../reading/document.ts";
import { type DocumentKey, DocumentWriter, documentKey, originalKey } from "../documents/documents.service.ts";
import type { PageSource } from "../pages/pages.service.ts";

export interface KeptFilesDeps {
  files: StoredFiles;
  temporaryFiles: TemporaryFiles;
}

/**
 * Stores the uploaded file and the Document. Both are on disk when the promise resolves. The
 * returned object owns the temporary file of the Document: dispose of the object once the row is
 * inserted. If the process crashes before that, the temporary file still exists at the next start,
 * which shows that the stored copy is a stray.
 */
export async function storeFiles(
  { files, temporaryFiles }: KeptFilesDeps,
  place: DocumentKey,
  { path, document }: { path: string; document: Document },
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const file = stack.use(await temporaryFiles.create());
  const writer = new DocumentWriter(file);
  const { pages, ...rest } = document;
  for (const page of pages) await writer.page(page);
  await writer.end(rest);
  await files.put(documentKey(place), file.path);
  await files.put(originalKey(place), path);
  return stack.move();
}

export async function removeFiles({ files }: Pick<KeptFilesDeps, "files">, place: DocumentKey): Promise<void> {
  await files.remove(documentKey(place));
  await files.remove(originalKey(place));
}

/** Returns size and SHA-256 of a file on a local disk. */
export async function digestOf(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { size, sha256: hash.digest("hex") };
}

/** The part of a row that describes its file. */
export interface KeptFile {
  filename: string;
  pages: number;
  sha256: string;
}

/** A file to send: its name, its size and its bytes. */
export interface Download {
  filename: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** Returns undefined if the file was deleted after its row was read. */
export async function openOriginal(
  files: StoredFiles,
  place: DocumentKey,
  { filename }: Pick<KeptFile, "filename">,
): Promise<Download | undefined> {
  const key = originalKey(place);
  const size = await files.size(key);
  return size === undefined ? undefined : { filename, size, bytes: files.open(key) };
}

/** Returns the keys of the stored file and the Document, which are needed to show single pages. */
export const pageSourceOf = (place: DocumentKey, { filename, pages, sha256 }: KeptFile): PageSource => ({
  documentKey: documentKey(place),
  fileKey: originalKey(place),
  extension: extensionOf(filename),
  pages,
  digest: sha256,
});

/**
 * Returns the headers of a response with a file that browsers must download instead of displaying
 * it.
 */
export const downloadHeaders = ({ filename, size }: Pick<Download, "filename" | "size">) => ({
  "content-disposition": attachment(filename),
  "content-length": String(size),
  // If a browser displays the file nevertheless, this prevents it from running scripts in the file.
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
});
