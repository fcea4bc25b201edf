/**
 * Client of clamd: sends a byte stream and receives the verdict (`zINSTREAM`), or sends a ping
 * (`zPING`). Each request uses a new connection.
 */
import { connect, type Socket } from "node:net";

/** A TCP port or a Unix socket. */
export type ClamdAddress = { host: string; port: number } | { path: string };

export type Verdict = { infected: false } | { infected: true; signature: string };

/** Thrown if clamd gave no verdict, for any reason. */
export class ClamdError extends Error {
  override readonly name = "ClamdError";
}

/** Maximum size of a chunk, in bytes. */
export const chunkBytes = 64 * 1024;
/**
 * Maximum time for connecting, and for sending a chunk, in milliseconds. Once clamd has received
 * everything, only the caller's timeout applies.
 */
const silenceMs = 5_000;
/** Maximum length of a reply, in bytes. */
const maxReplyBytes = 4 * 1024;

/**
 * Sends chunks of at most `chunkBytes` each and returns clamd's verdict. A chunk may be overwritten
 * once the next one is requested.
 * @throws ClamdError; errors of `chunks`; the reason of `signal` if it aborts.
 */
export async function scanStream(
  address: ClamdAddress,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Verdict> {
  using connection = new ClamdConnection(address, signal);
  const sent = await sendStream(connection, chunks);
  return verdictOf(await connection.reply, sent);
}

/** @throws ClamdError; the reason of `signal` if it aborts. */
export async function ping(address: ClamdAddress, signal: AbortSignal): Promise<void> {
  using connection = new ClamdConnection(address, signal);
  await connection.write(Buffer.from("zPING\0"));
  const reply = await connection.reply;
  if (reply !== "PONG") throw new ClamdError(`clamd responded ${JSON.stringify(reply)}`);
}

/**
 * Sends the chunks. Returns whether everything was sent. The connection may end before that, for
 * instance because clamd replied or closed it.
 */
async function sendStream(
  connection: ClamdConnection,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<boolean> {
  await connection.write(Buffer.from("zINSTREAM\0"));
  for await (const chunk of chunks) {
    if (connection.ended) return false;
    await connection.write(bigEndian(chunk.length), chunk);
  }
  if (connection.ended) return false;
  await connection.write(bigEndian(0));
  return true;
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** Parses a reply. An `OK` that arrives before everything was sent is not a verdict. */
function verdictOf(reply: string, sent: boolean): Verdict {
  if (reply === "stream: OK" && sent) return { infected: false };
  const [, signature] = /^stream: (.+) FOUND$/s.exec(reply) ?? [];
  if (signature !== undefined) return { infected: true, signature };
  throw new ClamdError(`clamd responded ${JSON.stringify(reply)}`);
}

/**
 * A connection to clamd. Its single reply ends with NUL and may arrive at any time. The connection
 * ends when the reply has arrived.
 */
class ClamdConnection implements Disposable {
  /** The reply without its NUL. Rejects with the errors of `scanStream`. */
  readonly reply: Promise<string>;
  /** True if the reply has arrived or cannot arrive any more. */
  ended = false;
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  readonly #end: { resolve(reply: string): void; reject(error: unknown): void };
  #received = Buffer.alloc(0);

  constructor(address: ClamdAddress, signal: AbortSignal) {
    signal.throwIfAborted();
    const { promise, ...end } = Promise.withResolvers<string>();
    this.reply = promise;
    // Prevents an unhandled rejection if the reply fails before the sender awaits it.
    this.reply.catch(() => {});
    this.#end = end;
    this.#signal = signal;
    this.#signal.addEventListener("abort", this.#abort);
    this.#socket = connect(address);
    this.#socket.on("data", (bytes) => this.#receive(bytes));
    this.#socket.on("end", () => this.#fail(new ClamdError("clamd closed the connection without a verdict")));
    this.#socket.on("error", (error) => this.#fail(new ClamdError(`clamd: ${error.message}`, { cause: error })));
  }

  /**
   * Writes bytes. Resolves when the operating system has accepted them or the connection has ended.
   */
  write(...parts: Uint8Array[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#fail(new ClamdError("clamd does not accept the file")), silenceMs);
    this.#socket.write(Buffer.concat(parts), () => {
      clearTimeout(timer);
      resolve();
    });
    return promise;
  }

  [Symbol.dispose](): void {
    this.ended = true;
    this.#signal.removeEventListener("abort", this.#abort);
    this.#socket.destroy();
  }

  readonly #abort = (): void => this.#fail(this.#signal.reason);

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    const end = this.#received.indexOf(0);
    if (end >= 0) {
      this.#end.resolve(this.#received.toString("utf8", 0, end));
      this[Symbol.dispose]();
    } else if (this.#received.length > maxReplyBytes) this.#fail(new ClamdError("clamd's response is too long"));
  }

  #fail(error: unknown): void {
    this.#end.reject(error);
    this[Symbol.dispose]();
  }
}
