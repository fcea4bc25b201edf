/** File sources that a caller may pass, and the common interface to read them. */
import { openPath } from "#open-path";

/** A file on disk. Supported on Node and similar platforms only. */
export interface PathSource {
  path: string | URL;
}

/**
 * A file to send. A string is its content in base64, never a path. Bytes, base64 and streams need a
 * `filename`. A stream can only be read once: if the service refuses the token after that, the
 * request fails instead of being retried.
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
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface OpenedFile {
  name: string | undefined;
  /** Size in bytes; undefined for a stream. */
  size: number | undefined;
  /** True if the source can be read more than once. */
  isRepeatable: boolean;
  /** Present if the source is a Blob, which browsers can send as it is. */
  blob?: Blob;
  /** Yields chunks; each is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
}

const chunkBytes = 256 * 1024;

/** @throws TypeError if this kind of source is not supported; any error from opening a path */
export async function openFile(source: FileSource): Promise<OpenedFile> {
  if (source instanceof Blob) return blobFile(source);
  if (source instanceof Uint8Array) return bytesFile(source);
  if (source instanceof ArrayBuffer) return bytesFile(new Uint8Array(source));
  if (typeof source === "string") return base64File(source);
  if (typeof source === "object" && source !== null) {
    if ("getReader" in source) return streamFile(readerChunks(source));
    if (Symbol.asyncIterator in source) return streamFile(source);
    if ("path" in source) return openPath(source.path);
  }
  throw new TypeError("The file must be { path }, a Blob, bytes, base64 or a stream of bytes.");
}

function blobFile(blob: Blob): OpenedFile {
  const name = "name" in blob && typeof blob.name === "string" ? blob.name : undefined;
  // Reads slices, because Node streams a Blob as a single chunk.
  async function* chunks() {
    for (let at = 0; at < blob.size; at += chunkBytes)
      yield new Uint8Array(await blob.slice(at, at + chunkBytes).arrayBuffer());
  }
  return { name, size: blob.size, isRepeatable: true, blob, chunks };
}

function bytesFile(bytes: Uint8Array): OpenedFile {
  async function* chunks() {
    yield bytes;
  }
  return { name: undefined, size: bytes.length, isRepeatable: true, chunks };
}

/**
 * Decodes base64 piece by piece while it is sent (RFC 4648, section 4; ASCII white space is
 * allowed).
 */
function base64File(text: string): OpenedFile {
  const digits = /[\t\n\f\r ]/.test(text) ? text.replace(/[\t\n\f\r ]+/g, "") : text;
  const padding = digits.endsWith("==") ? 2 : digits.endsWith("=") ? 1 : 0;
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.slice(0, digits.length - padding)))
    throw new TypeError("The file is a string that is not base64. Pass a path as { path }.");
  async function* chunks() {
    for (let at = 0; at < digits.length; at += chunkBytes)
      yield Uint8Array.from(atob(digits.slice(at, at + chunkBytes)), (character) => character.charCodeAt(0));
  }
  return { name: undefined, size: (digits.length / 4) * 3 - padding, isRepeatable: true, chunks };
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
