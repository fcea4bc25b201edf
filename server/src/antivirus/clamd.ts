/** What is said to clamd: a stream of bytes and its verdict (`zINSTREAM`), and whether it is there (`zPING`). One connection each. */
import { connect, type Socket } from "node:net";

/** A TCP port or a local socket. */
export type ClamdAddress = { host: string; port: number } | { path: string };

export type Verdict = { infected: false } | { infected: true; signature: string };

/** clamd gave no verdict, whatever the reason. */
export class ClamdError extends Error {
  override readonly name = "ClamdError";
}

/** Bytes that are sent at once at most. */
export const chunkBytes = 64 * 1024;
/** So long clamd may take to connect, and to take a chunk. Once it has everything it may be silent for as long as the caller waits. */
const silenceMs = 5_000;
/** No reply of clamd is longer. */
const maxReplyBytes = 4 * 1024;

/**
 * Sends the chunks, each of `chunkBytes` at most, and answers what clamd says of them. A chunk may be overwritten once the next one is
 * asked for.
 * @throws ClamdError; what `chunks` throws; the reason of `signal` where that aborts.
 */
export async function scanStream(
  address: ClamdAddress,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Verdict> {
  using conversation = new Conversation(address, signal);
  const sent = await sendStream(conversation, chunks);
  return verdictOf(await conversation.reply, sent);
}

/** @throws ClamdError; the reason of `signal` where that aborts. */
export async function ping(address: ClamdAddress, signal: AbortSignal): Promise<void> {
  using conversation = new Conversation(address, signal);
  await conversation.write(Buffer.from("zPING\0"));
  const reply = await conversation.reply;
  if (reply !== "PONG") throw new ClamdError(`clamd answered ${JSON.stringify(reply)}`);
}

/** Answers whether everything went out: clamd may have replied or hung up before. */
async function sendStream(
  conversation: Conversation,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<boolean> {
  await conversation.write(Buffer.from("zINSTREAM\0"));
  for await (const chunk of chunks) {
    if (conversation.ended) return false;
    await conversation.write(bigEndian(chunk.length), chunk);
  }
  if (conversation.ended) return false;
  await conversation.write(bigEndian(0));
  return true;
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** An `OK` that came before everything had been sent is none of what was sent. */
function verdictOf(reply: string, sent: boolean): Verdict {
  if (reply === "stream: OK" && sent) return { infected: false };
  const [, signature] = /^stream: (.+) FOUND$/s.exec(reply) ?? [];
  if (signature !== undefined) return { infected: true, signature };
  throw new ClamdError(`clamd answered ${JSON.stringify(reply)}`);
}

/** One connection: what is written, and the one reply, which ends with NUL and may come at any time. With it the connection ends. */
class Conversation implements Disposable {
  /** Without its NUL. Rejects as `scanStream` does. */
  readonly reply: Promise<string>;
  /** Whether the reply is there, or will never be. */
  ended = false;
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  readonly #end: { resolve(reply: string): void; reject(error: unknown): void };
  #received = Buffer.alloc(0);

  constructor(address: ClamdAddress, signal: AbortSignal) {
    signal.throwIfAborted();
    const { promise, ...end } = Promise.withResolvers<string>();
    this.reply = promise;
    // Whoever still sends looks at it later.
    this.reply.catch(() => {});
    this.#end = end;
    this.#signal = signal;
    this.#signal.addEventListener("abort", this.#abort);
    this.#socket = connect(address);
    this.#socket.on("data", (bytes) => this.#receive(bytes));
    this.#socket.on("end", () => this.#fail(new ClamdError("clamd closed the connection without a verdict")));
    this.#socket.on("error", (error) => this.#fail(new ClamdError(`clamd: ${error.message}`, { cause: error })));
  }

  /** Resolves when the bytes are the system's, or the conversation has ended. */
  write(...parts: Uint8Array[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#fail(new ClamdError("clamd does not take what is sent")), silenceMs);
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
    } else if (this.#received.length > maxReplyBytes) this.#fail(new ClamdError("clamd answers without an end"));
  }

  #fail(error: unknown): void {
    this.#end.reject(error);
    this[Symbol.dispose]();
  }
}
