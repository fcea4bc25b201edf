/** File sources that a caller may pass, and the common interface to read them. */
import { openPath } from "#open-path";

/** A file on disk. Supported on Node and similar platforms only. */
export interface PathSource {
  path: string | URL;
}

/**
 * A file to send. Bytes and streams need a `filename`. A stream can only be read once: if the
 * service refuses the token after that, the request fails instead of being retried.
 * @example
 * { path: "invoice.pdf" }
 * @example
 * input.files[0]
 */
export type FileSource =
  | PathSource
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface OpenedFile {
  name: string | undefined;
  /** Size in bytes; undefined for a stream. */
  size: number | undefined;
  /** True if the source can be read more than once. */
  isRepeatable: boolean;
  /** Yields chunks; each is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
}

const chunkBytes = 256 * 1024;

/** @throws TypeError if this kind of source is not supported; any error of opening a path */
export async function openFile(source: FileSource): Promise<OpenedFile> {
  if (source instanceof Blob) return blobFile(source);
  if (source instanceof Uint8Array) return bytesFile(source);
  if (source instanceof ArrayBuffer) return bytesFile(new Uint8Array(source));
  if (typeof source === "object" && source !== null) {
    if ("getReader" in source) return streamFile(readerChunks(source));
    if (Symbol.asyncIterator in source) return streamFile(source);
    if ("path" in source) return openPath(source.path);
  }
  throw new TypeError("The file must be { path }, a Blob, bytes or a stream of bytes.");
}

function blobFile(blob: Blob): OpenedFile {
  const name = "name" in blob && typeof blob.name === "string" ? blob.name : undefined;
  // Reads slices, because Node streams a Blob as a single chunk.
  async function* chunks() {
    for (let at = 0; at < blob.size; at += chunkBytes)
      yield new Uint8Array(await blob.slice(at, at + chunkBytes).arrayBuffer());
  }
  return { name, size: blob.size, isRepeatable: true, chunks };
}

function bytesFile(bytes: Uint8Array): OpenedFile {
  async function* chunks() {
    yield bytes;
  }
  return { name: undefined, size: bytes.length, isRepeatable: true, chunks };
}

function streamFile(chunks: AsyncIterable<Uint8Array>): OpenedFile {
  return { name: undefined, size: undefined, isRepeatable: false, chunks: () => chunks };
}

/** Uses a reader, because not every browser can iterate a stream. */
async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let done = false;
  try {
    while (!done) {
      const result = await reader.read();
      done = result.done;
      if (result.value !== undefined) yield result.value;
    }
  } finally {
    if (!done) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
