/** A JSON body with a file in it, made as it is sent: neither the file nor its base64 stands whole in memory. */
import { Base64Encoder, base64Length } from "./base64.ts";
import { type OpenedFile, openFile } from "./file-source.ts";
import type { Progress, UploadBody } from "./request.ts";

/** Node and those that are like it send streams; browsers only over HTTP/2, if at all. */
const sendsStreams = typeof globalThis.process?.versions?.node === "string";

/** What `fetch` gets, and how to let go of it. */
export interface SendableBody {
  init: { body: ReadableStream<Uint8Array> | Blob; headers: Record<string, string>; duplex?: "half" };
  /** Why the file could not be read, where that ended the request. */
  readonly failure: { error: unknown } | undefined;
  /** To be called once there is an answer. */
  answered(): void;
  /** Lets go of the file, as soon as nothing is read from it. */
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

  /** @throws TypeError where no file name is given and the file has none, and what opening a path throws */
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

  /** The body for one attempt. */
  body(): Promise<SendableBody> {
    return sendsStreams ? this.#streamBody() : this.#blobBody();
  }

  async #streamBody(): Promise<SendableBody> {
    const pieces = this.#pieces(this.#onProgress);
    let failure: { error: unknown } | undefined;
    let isClosed = false;
    // A file that hangs must not hold up the one who lets go of it, so nobody waits for this.
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

  /** The browser keeps the parts of a Blob out of the memory of the page. It says nothing of how far it is with sending them. */
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
      if (!(chunk instanceof Uint8Array)) throw new TypeError("A stream of a file must be of bytes.");
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

/** Of the file, encoded at once. */
const pieceBytes = 256 * 1024;

const changed = "The file changed while it was sent.";
