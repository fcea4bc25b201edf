/**
 * Receives a JSON body with several files. Each object in the top-level array `files` contains one
 * file as base64, in its member `file`. As in `receive-upload.ts`, each file is decoded as it
 * arrives and written to a sink.
 */
import { AppError } from "../../lib/errors.ts";
import { readUntilAborted } from "./body-chunks.ts";
import { invalidRequest } from "./invalid-request.ts";
import { parseFields } from "./parse-fields.ts";
import { fieldLimits, maxBodyBytes, type UploadLimits, type UploadSink } from "./receive-upload.ts";
import { UploadScanner } from "./scanner.ts";

export interface UploadsLimits extends UploadLimits {
  maxFiles: number;
  /** Maximum total size of the decoded files in bytes, inclusive. */
  maxTotalBytes: number;
}

/** Returns the limits of an upload of several files. Sizes are in bytes. */
export const uploadsLimits = (given: Pick<UploadsLimits, "maxFiles" | "maxFileBytes" | "maxTotalBytes">) => ({
  ...fieldLimits,
  withFile: true,
  ...given,
});

/**
 * Returns the limits of an upload whose single file is as large as all files together may be. These
 * limits are applied to the body as a whole.
 */
export const asOneFile = (limits: UploadsLimits): UploadLimits => ({ ...limits, maxFileBytes: limits.maxTotalBytes });

export interface UploadsBody {
  /** The members of the body, with an empty string in place of the base64 of each uploaded file. */
  fields: Record<string, unknown>;
  /** Size of each file in bytes, in the order of the files in the body. */
  sizes: number[];
}

/**
 * Reads a body to its end and writes each file to a sink, one chunk at a time. If the body is
 * refused, the caller must discard what the sinks have received.
 * @param openSink called when a file begins, with its index
 * @throws AppError `invalid_request`, `file_too_large`, as in `receiveUpload`; any error of the
 * body or a sink, and the reason of the signal
 */
export async function receiveUploads(
  body: AsyncIterable<Uint8Array>,
  openSink: (index: number) => Promise<UploadSink>,
  limits: UploadsLimits,
  options: { signal?: AbortSignal } = {},
): Promise<UploadsBody> {
  const scanner = new UploadScanner(limits);
  const files = new FileSinks(scanner, openSink, limits);
  const maxBytes = maxBodyBytes(asOneFile(limits));
  let bytes = 0;
  for await (const chunk of readUntilAborted(body, options.signal)) {
    bytes += chunk.length;
    let at = scanner.scan(chunk, 0);
    while (at < chunk.length || scanner.outputFull) {
      await files.writeOutput();
      at = scanner.scan(chunk, at);
    }
    if (bytes > maxBytes) throw invalidRequest("/files", "contains too much white space or too many escapes");
  }
  const kept = scanner.finish();
  await files.writeOutput();
  return { fields: parseFields(kept), sizes: files.sizes };
}

/** Writes the decoded bytes of each file to the sink of that file. */
class FileSinks {
  readonly sizes: number[] = [];
  readonly #scanner: UploadScanner;
  readonly #openSink: (index: number) => Promise<UploadSink>;
  readonly #limits: UploadsLimits;
  #sink: UploadSink | undefined;

  constructor(scanner: UploadScanner, openSink: (index: number) => Promise<UploadSink>, limits: UploadsLimits) {
    this.#scanner = scanner;
    this.#openSink = openSink;
    this.#limits = limits;
  }

  /**
   * Writes the decoded bytes of the current file. Call it before the next file begins. Throws as
   * soon as a file, or the total of all files, is too large.
   */
  async writeOutput(): Promise<void> {
    const { fileCount, fileSize = 0 } = this.#scanner;
    const output = this.#scanner.takeOutput();
    if (output === undefined) return;
    const isNew = this.sizes.length < fileCount;
    this.sizes[fileCount - 1] = fileSize;
    this.#checkSizes(fileSize);
    if (isNew) this.#sink = await this.#openSink(fileCount - 1);
    if (output.length > 0) await this.#sink?.write(output);
  }

  #checkSizes(size: number): void {
    const { maxFileBytes, maxTotalBytes } = this.#limits;
    if (size > maxFileBytes) throw new AppError("file_too_large", { limit: maxFileBytes, size });
    const total = this.sizes.reduce((sum, each) => sum + each, 0);
    if (total > maxTotalBytes) throw new AppError("file_too_large", { limit: maxTotalBytes, size: total });
  }
}
