/**
 * An answer that comes before the request has come whole, as when a large upload is refused by its token. A connection that is closed
 * while the client sends is reset, and the client loses the answer that it has not read yet. So the answer says how long it is, and its
 * stream ends a moment later: the client has it all and stops sending, or sends into nowhere meanwhile.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** So long the rest of the request is taken and thrown away. */
const lingerMs = 1_000;

export const lingering = (answer: string, request: IncomingMessage): Readable =>
  Readable.from(pieces(answer, request), { objectMode: false });

async function* pieces(answer: string, request: IncomingMessage): AsyncGenerator<string> {
  yield answer;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lingerMs);
  request.once("end", resolve).once("close", resolve).resume();
  await promise;
  clearTimeout(timer);
}
