/**
 * Streams a `multipart/form-data` body with one or several files, so that no file is completely in
 * memory. The other members of the body come first, so that the service can check them before the
 * files.
 */
import { type OpenedFile, openFile } from "./file-source.ts";
import type { NamedFile, Progress, UploadBody } from "./request.ts";

/**
 * True on platforms whose `fetch` can send a stream, such as Node. Some browsers can, but only over
 * HTTP/2.
 */
const sendsStreams = typeof globalThis.process?.versions?.node === "string";

/** Options for `fetch`, and how to release the body. */
export interface SendableBody {
  init: { body: ReadableStream<Uint8Array> | Blob; headers: Record<string, string>; duplex?: "half" };
  /** Error from reading a file, if it made the request fail. */
  readonly failure: { error: unknown } | undefined;
  /** Must be called when a response has arrived. */
  answered(): void;
  /** Releases the files as soon as no read is in progress. */
  close(): void;
}

/** A part of the form: the bytes between two files, or a file. */
type Part = Uint8Array<ArrayBuffer> | OpenedFile;

export class Upload {
  readonly #contentType: string;
  readonly #parts: readonly Part[];
  readonly #onProgress: Progress | undefined;

  private constructor(boundary: string, parts: readonly Part[], onProgress: Progress | undefined) {
    this.#contentType = `multipart/form-data; boundary=${boundary}`;
    this.#parts = parts;
    this.#onProgress = onProgress;
  }

  /** @throws TypeError if a file has no name; any error from opening a path */
  static async open(body: UploadBody, onProgress: Progress | undefined): Promise<Upload> {
    const { filename, file, files, ...members } = body as Partial<NamedFile> & { files?: readonly NamedFile[] };
    const boundary = `sheaf-${crypto.randomUUID()}`;
    const parts: Part[] = Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => memberPart(boundary, name, value));
    for (const given of files ?? [{ filename, file } as NamedFile]) {
      const opened = await openFile(given.file);
      const name = given.filename ?? opened.name;
      if (name === undefined) throw new TypeError("The file has no name: give a filename.");
      parts.push(fileHead(boundary, files === undefined ? "file" : "files", name), opened, encode("\r\n"));
    }
    parts.push(encode(`--${boundary}--\r\n`));
    return new Upload(boundary, parts, onProgress);
  }

  get isRepeatable(): boolean {
    return this.#files.every(({ isRepeatable }) => isRepeatable);
  }

  /** Returns the body for one attempt to send it. */
  body(): Promise<SendableBody> {
    return sendsStreams ? this.#streamBody() : this.#blobBody();
  }

  get #files(): OpenedFile[] {
    return this.#parts.filter((part): part is OpenedFile => !(part instanceof Uint8Array));
  }

  /** Total size of the files in bytes; undefined if one is a stream. */
  get #size(): number | undefined {
    let total = 0;
    for (const { size } of this.#files) {
      if (size === undefined) return undefined;
      total += size;
    }
    return total;
  }

  async #streamBody(): Promise<SendableBody> {
    const pieces = this.#pieces();
    let failure: { error: unknown } | undefined;
    let isClosed = false;
    // Not awaited, because a file that hangs must not block the caller.
    const close = () => {
      isClosed = true;
      pieces.return(undefined).catch(() => {});
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      try {
        const { done, value } = await pieces.next();
        if (isClosed) return;
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    const stream = new ReadableStream<Uint8Array>({ pull, cancel: close }, { highWaterMark: 0 });
    const headers: Record<string, string> = { "content-type": this.#contentType };
    const size = this.#size;
    if (size !== undefined) {
      const others = this.#parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : 0), 0);
      headers["content-length"] = String(size + others);
    }
    return {
      init: { body: stream, headers, duplex: "half" },
      get failure() {
        return failure;
      },
      answered: () => {},
      close,
    };
  }

  /**
   * Uses a Blob, whose parts browsers keep outside the memory of the page. Browsers do not report
   * upload progress.
   */
  async #blobBody(): Promise<SendableBody> {
    const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
    for (const part of this.#parts) parts.push(...(part instanceof Uint8Array ? [part] : await blobsOf(part)));
    const body = new Blob(parts);
    const sent = parts.reduce((sum, part) => sum + (part instanceof Blob ? part.size : 0), 0);
    return {
      init: { body, headers: { "content-type": this.#contentType } },
      failure: undefined,
      answered: () => this.#onProgress?.(sent, this.#size),
      close: () => {},
    };
  }

  async *#pieces(): AsyncGenerator<Uint8Array, undefined> {
    let sent = 0;
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) yield part;
      else
        for await (const piece of piecesOf(part)) {
          yield piece;
          sent += piece.length;
          this.#onProgress?.(sent, this.#size);
        }
    }
  }
}

/** Maximum bytes of a file that are sent at once, so that progress is reported often. */
const pieceBytes = 256 * 1024;

/** @throws Error if the file does not have the size that was announced */
async function* piecesOf(file: OpenedFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let read = 0;
  for await (const chunk of file.chunks()) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("A stream of a file must yield bytes.");
    read += chunk.length;
    if (file.size !== undefined && read > file.size) throw new Error(changed);
    // Copies each piece, because the file may reuse the memory of its chunk while `fetch` still
    // uses the piece.
    for (let at = 0; at < chunk.length; at += pieceBytes) yield new Uint8Array(chunk.subarray(at, at + pieceBytes));
  }
  if (file.size !== undefined && read < file.size) throw new Error(changed);
}

const changed = "The file changed while it was sent.";

async function blobsOf(file: OpenedFile): Promise<Blob[]> {
  if (file.blob !== undefined) {
    // Reads one byte first, so that a deleted or changed file is reported as such, not as a failed
    // request.
    await file.blob.slice(0, 1).arrayBuffer();
    return [file.blob];
  }
  const blobs: Blob[] = [];
  for await (const piece of piecesOf(file)) blobs.push(new Blob([piece]));
  return blobs;
}

/** Encodes a member of the form. Texts are sent unchanged, all other values as JSON. */
function memberPart(boundary: string, name: string, value: unknown): Uint8Array<ArrayBuffer> {
  const [type, text] =
    typeof value === "string" ? ["text/plain; charset=utf-8", value] : ["application/json", JSON.stringify(value)];
  const disposition = `Content-Disposition: form-data; name="${quotable(name)}"`;
  return encode(`--${boundary}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`);
}

function fileHead(boundary: string, member: string, filename: string): Uint8Array<ArrayBuffer> {
  const disposition = `Content-Disposition: form-data; name="${member}"; filename="${quotable(filename)}"`;
  return encode(`--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`);
}

/** Escapes a text for a quoted parameter. A line break would otherwise begin another header. */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "\\$&").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
