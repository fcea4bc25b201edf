/** Sends the text of a response piece by piece, and disconnects clients that stop reading. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/**
 * Time, in milliseconds, after which a client that has stopped reading is disconnected. The socket
 * may take up to twice as long to detect this.
 */
export const stalledReaderMs = 20_000;

/**
 * Maximum number of bytes of text buffered by a stream. Beyond it, no further piece is requested.
 */
const highWaterMark = 64 * 1024;

/** Returns a stream with back pressure: if the client reads slowly, pieces are produced slowly. */
export const textStream = (pieces: AsyncIterable<string | Uint8Array>, reply: FastifyReply): Readable =>
  Readable.from(watched(pieces, reply), { objectMode: false, highWaterMark });

/** Starts the time limit with the first piece, because before it the client has nothing to read. */
async function* watched(
  pieces: AsyncIterable<string | Uint8Array>,
  reply: FastifyReply,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    reply.raw.setTimeout(stalledReaderMs);
    yield piece;
  }
}
