/**
 * Responds before the request is complete, for instance if a large upload has an invalid token.
 * Closing the connection while the client sends would reset it, and the client would lose the
 * unread response. So the response has a Content-Length, and its stream ends a moment after its
 * last byte. Until then the client can read the response and stop sending; bytes that still arrive
 * are discarded.
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
