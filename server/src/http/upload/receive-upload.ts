/**
 * Receives a JSON body whose top-level member `file` contains a file as base64. The file is decoded
 * as it arrives and written to a sink. The other members are small and are parsed at the end. The
 * body is never in memory as a whole.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { AppError } from "../../lib/errors.ts";
import { readUntilAborted } from "./body-chunks.ts";
import { invalidRequest } from "./invalid-request.ts";
import { parseFields } from "./parse-fields.ts";
import { type ScannerLimits, UploadScanner } from "./scanner.ts";

export interface UploadLimits extends ScannerLimits {
  /** Maximum size of the decoded file in bytes, inclusive. */
  maxFileBytes: number;
}

/**
 * Limits for the members besides the file. The depth and the number of values are far above what
 * any endpoint of the contract needs.
 */
export const fieldLimits = { maxFieldsBytes: limits.maxJsonBodyBytes, maxDepth: 64, maxValues: 20_000 };

/** Returns the limits of an upload for a maximum file size in bytes. */
export function uploadLimits(maxFileBytes: number): UploadLimits {
  return { ...fieldLimits, withFile: true, maxFileBytes };
}

export interface UploadBody {
  /** The members of the body except `file`. Objects have no prototype at any level. */
  fields: Record<string, unknown>;
  /** Decoded bytes written to the sink; undefined if the body has no `file`. */
  file: { size: number } | undefined;
}

export interface UploadSink {
  /**
   * Accepts decoded bytes. The sink may use the chunk until the returned promise settles or, if
   * there is no promise, until the call returns. After that, the caller reuses the chunk.
   */
  write(chunk: Buffer): Promise<void> | undefined;
}

/**
 * Returns the maximum length of a body, in bytes. Reading stops beyond this length. The length is
 * the sum of the base64 length of the largest file, an eighth of that length, and the maximum size
 * of the other members. The eighth allows for line breaks (`\r\n` after 64 characters: 6.3 %) and
 * for encoders that escape "/" or "+" (`\u002B`: 7.8 % for compressed data).
 */
export function maxBodyBytes(limits: UploadLimits): number {
  const base64Bytes = Math.ceil(limits.maxFileBytes / 3) * 4;
  return base64Bytes + Math.ceil(base64Bytes / 8) + limits.maxFieldsBytes;
}

/**
 * Refuses a body whose Content-Length is too large, before any of it is read. The `detail.size` of
 * the error is then only an upper bound of the file size.
 * @throws AppError `file_too_large`
 */
export function checkContentLength(contentLength: number, limits: UploadLimits): void {
  if (contentLength <= maxBodyBytes(limits)) return;
  throw new AppError("file_too_large", { limit: limits.maxFileBytes, size: Math.floor((contentLength / 4) * 3) });
}

/**
 * Reads a body to its end and writes the file to the sink, one chunk at a time. If the body is
 * refused, the caller must discard what the sink has received. The body is not destroyed on
 * failure, because the response may use its socket: the caller drains it or closes the connection.
 * When the file begins, `onFile` is called with the members that precede the file.
 * @throws AppError `invalid_request`: not strict JSON (RFC 8259), a limit of the fields exceeded,
 * or a file that is not a base64 string
 * @throws AppError `file_too_large`: `detail.size` is exact, except for a body beyond
 * `maxBodyBytes`, for which it is the size received so far
 * @throws any error of the body, the sink or `onFile`, and the reason of the signal
 */
export async function receiveUpload(
  body: AsyncIterable<Uint8Array>,
  sink: UploadSink,
  limits: UploadLimits,
  options: { signal?: AbortSignal; onFile?: (fields: Record<string, unknown>) => Promise<void> } = {},
): Promise<UploadBody> {
  const scanner = new UploadScanner(limits);
  const maxBytes = maxBodyBytes(limits);
  let bytes = 0;
  let { onFile } = options;
  for await (const chunk of readUntilAborted(body, options.signal)) {
    bytes += chunk.length;
    await scanChunk(chunk, scanner, sink, limits);
    const { beforeFile } = scanner;
    if (onFile && beforeFile) {
      await onFile(parseFields(beforeFile));
      onFile = undefined;
    }
    if (bytes > maxBytes) throw bodyTooLong(scanner, limits);
  }
  const kept = scanner.finish();
  await writeOutput(scanner, sink, limits);
  return { fields: fieldsOf(kept, scanner), file: fileOf(scanner) };
}

async function scanChunk(chunk: Buffer, scanner: UploadScanner, sink: UploadSink, limits: UploadLimits): Promise<void> {
  let at = scanner.scan(chunk, 0);
  while (at < chunk.length || scanner.outputFull) {
    await writeOutput(scanner, sink, limits);
    at = scanner.scan(chunk, at);
  }
  if (scanner.fileEnded && isTooLarge(scanner, limits)) throw fileTooLarge(scanner, limits);
}

/**
 * Writes the decoded bytes to the sink. A file that is too large is decoded to its end to find its
 * size, but no longer written.
 */
async function writeOutput(scanner: UploadScanner, sink: UploadSink, limits: UploadLimits): Promise<void> {
  const output = scanner.takeOutput();
  if (output === undefined || output.length === 0 || isTooLarge(scanner, limits)) return;
  await sink.write(output);
}

function isTooLarge(scanner: UploadScanner, limits: UploadLimits): boolean {
  return (scanner.fileSize ?? 0) > limits.maxFileBytes;
}

function fileTooLarge(scanner: UploadScanner, limits: UploadLimits): Error {
  return new AppError("file_too_large", { limit: limits.maxFileBytes, size: scanner.fileSize ?? 0 });
}

function bodyTooLong(scanner: UploadScanner, limits: UploadLimits): Error {
  if (isTooLarge(scanner, limits)) return fileTooLarge(scanner, limits);
  return invalidRequest("/file", "contains too much white space or too many escapes");
}

/**
 * Reads a JSON object without a file, as strictly as `receiveUpload`. Objects have no prototype at
 * any level.
 * @throws AppError `invalid_request`; any error of the body; the reason of the signal
 */
export async function receiveJson(
  body: AsyncIterable<Uint8Array>,
  options: { signal?: AbortSignal; maxBytes?: number } = {},
): Promise<Record<string, unknown>> {
  const maxFieldsBytes = options.maxBytes ?? fieldLimits.maxFieldsBytes;
  const scanner = new UploadScanner({ ...fieldLimits, maxFieldsBytes, withFile: false });
  for await (const chunk of readUntilAborted(body, options.signal)) scanner.scan(chunk, 0);
  return parseFields(scanner.finish());
}

function fieldsOf(kept: Buffer, scanner: UploadScanner): Record<string, unknown> {
  const fields = parseFields(kept);
  if (scanner.fileSize === undefined && fields.file !== undefined) throw invalidRequest("/file", "must be a string");
  delete fields.file;
  return fields;
}

function fileOf(scanner: UploadScanner): UploadBody["file"] {
  return scanner.fileSize === undefined ? undefined : { size: scanner.fileSize };
}
