/** Sends the text of a response piece by piece, and gives up on clients that stop reading. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/**
 * Time without any progress after which a client that stopped reading is disconnected; the socket
 * may notice only after twice this time.
 */
export const stalledReaderMs = 20_000;

/** Buffered text of a stream, in bytes. Beyond it no further piece is asked for. */
const highWaterMark = 64 * 1024;

/** Returns a stream with back pressure: a slow client slows down the production of pieces. */
export const textStream = (pieces: AsyncIterable<string | Uint8Array>, reply: FastifyReply): Readable =>
  Readable.from(watched(pieces, reply), { objectMode: false, highWaterMark });

/** Starts the time limit with the first piece: before it the client has nothing to read. */
async function* watched(
  pieces: AsyncIterable<string | Uint8Array>,
  reply: FastifyReply,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    reply.raw.setTimeout(stalledReaderMs);
    yield piece;
  }
}
