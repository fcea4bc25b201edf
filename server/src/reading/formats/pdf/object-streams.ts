/**
 * Unpacks objects of a PDF that are packed in streams. PDFium has no call that returns their
 * source.
 */
import { inflateSync } from "node:zlib";

/** An unpacked stream of objects. */
export interface ObjectStream {
  source: Buffer;
  /**
   * Offset of the first object. The bytes before it list the number and the offset of each object.
   */
  first: number;
}

/** Maximum number of bytes between the type of a stream (`/ObjStm`) and its data. */
const maxDictionary = 1 << 16;
/** Maximum size of all unpacked streams of a file together, in bytes. */
const maxInflated = 64 << 20;
/** Maximum number of streams of a file. No readable file has more. */
const maxStreams = 10_000;
/**
 * Number of bytes before the type of a stream (`/ObjStm`) that are searched for the start of its
 * dictionary.
 */
const usualHead = 1000;
const carriageReturn = 0x0d;

/** Yields the object streams of a file. Streams that can't be unpacked are skipped. */
export function* objectStreams(file: Buffer): Generator<ObjectStream> {
  let room = maxInflated;
  let at = file.indexOf("/ObjStm");
  for (let count = 0; at >= 0 && count < maxStreams; count++) {
    const begin = file.subarray(at, at + maxDictionary).indexOf("stream");
    const start = at + begin + "stream".length;
    const end = begin < 0 ? -1 : file.indexOf("endstream", start);
    if (end < 0) return;
    const head = file.toString("latin1", Math.max(0, at - usualHead), at);
    const dictionary = head.slice(head.lastIndexOf("obj") + 1) + file.toString("latin1", at, start);
    const source = unpacked(file.subarray(start + (file[start] === carriageReturn ? 2 : 1), end), room);
    if (source === undefined) return;
    room -= source.length;
    yield { source, first: Number(/\/First\s+(\d{1,9})/u.exec(dictionary)?.[1] ?? 0) };
    at = file.indexOf("/ObjStm", end);
  }
}

/**
 * Returns the unpacked stream. It is empty if the stream is damaged or encrypted. Returns undefined
 * if the unpacked stream is larger than `room`, which is the unused part of `maxInflated`.
 */
function unpacked(stream: Uint8Array, room: number): Buffer | undefined {
  try {
    return inflateSync(stream, { maxOutputLength: room });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? undefined : Buffer.alloc(0);
  }
}
