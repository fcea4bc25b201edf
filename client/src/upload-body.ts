/** Streams a JSON body with a file: neither the file nor its base64 is in memory as a whole. */
import { Base64Encoder, base64Length } from "./base64.ts";
import { type OpenedFile, openFile } from "./file-source.ts";
import type { Progress, UploadBody } from "./request.ts";

/**
 * True on platforms whose `fetch` can send a stream, such as Node. Some browsers can, but only over
 * HTTP/2.
 */
const sendsStreams = typeof globalThis.process?.versions?.node === "string";

/** Options for `fetch`, and how to release the body. */
export interface SendableBody {
  init: { body: ReadableStream<Uint8Array> | Blob; headers: Record<string, string>; duplex?: "half" };
  /** Error of reading the file, if that made the request fail. */
  readonly failure: { error: unknown } | undefined;
  /** Call when a response has arrived. */
  answered(): void;
  /** Releases the file as soon as no read is in progress. */
  close(): void;
}

export class Upload {
  readonly #head: Uint8Array<ArrayBuffer>;
  readonly #file: OpenedFile;
  readonly #onProgress: Progress | undefined;

  private constructor(head: Uint8Array<ArrayBuffer>, file: OpenedFile, onProgress: Progress | undefined) {
    this.#head = head;
    this.#file = file;
    this.#onProgress = onProgress;
  }

  /** @throws TypeError if there is no file name; any error of opening a path */
  static async open(body: UploadBody, onProgress: Progress | undefined): Promise<Upload> {
    const { file: source, ...fields } = body;
    const file = await openFile(source);
    const filename = fields.filename ?? file.name;
    if (filename === undefined) throw new TypeError("The file has no name: give a filename.");
    const json = JSON.stringify({ ...fields, filename });
    return new Upload(new TextEncoder().encode(`${json.slice(0, -1)},"file":"`), file, onProgress);
  }

  get isRepeatable(): boolean {
    return this.#file.isRepeatable;
  }

  /** Returns the body of one attempt. */
  body(): Promise<SendableBody> {
    return sendsStreams ? this.#streamBody() : this.#blobBody();
  }

  async #streamBody(): Promise<SendableBody> {
    const pieces = this.#pieces(this.#onProgress);
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
    const { size } = this.#file;
    const length = size === undefined ? {} : { "content-length": String(this.#head.length + base64Length(size) + 2) };
    return {
      init: { body: stream, headers: { "content-type": "application/json", ...length }, duplex: "half" },
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
    const parts: Blob[] = [];
    let sent = 0;
    const count = (bytes: number) => {
      sent = bytes;
    };
    for await (const piece of this.#pieces(count)) parts.push(new Blob([piece]));
    return {
      init: { body: new Blob(parts), headers: { "content-type": "application/json" } },
      failure: undefined,
      answered: () => this.#onProgress?.(sent, this.#file.size),
      close: () => {},
    };
  }

  async *#pieces(onProgress: Progress | undefined): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
    const { size } = this.#file;
    const encoder = new Base64Encoder();
    let sent = 0;
    yield this.#head;
    for await (const chunk of this.#file.chunks()) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("A stream of a file must yield bytes.");
      if (size !== undefined && sent + chunk.length > size) throw new Error(changed);
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes);
        yield encoder.encode(piece);
        sent += piece.length;
        onProgress?.(sent, size);
      }
    }
    if (size !== undefined && sent < size) throw new Error(changed);
    yield encoder.finish();
    yield new TextEncoder().encode('"}');
  }
}

/** Number of bytes of the file that are encoded at once. */
const pieceBytes = 256 * 1024;

const changed = "The file changed while it was sent.";
