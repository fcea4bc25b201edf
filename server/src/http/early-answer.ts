/**
 * Responds before the request is complete, for instance if a large upload has an invalid token. If
 * the connection were closed while the client sends, it would be reset, and the client would lose
 * the unread response. So the response has a Content-Length, and its stream ends a moment later.
 * The client gets all of it and stops sending, or its bytes are discarded meanwhile.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** How long the rest of the request is received and discarded. */
const lingerMs = 1_000;

export const lingering = (answer: string | Buffer, request: IncomingMessage): Readable =>
  Readable.from(pieces(answer, request), { objectMode: false });

async function* pieces(answer: string | Buffer, request: IncomingMessage): AsyncGenerator<string | Buffer> {
  yield answer;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lingerMs);
  request.once("end", resolve).once("close", resolve).resume();
  await promise;
  clearTimeout(timer);
}
