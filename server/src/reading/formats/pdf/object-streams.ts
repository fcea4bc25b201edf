/** Objects of a PDF that are packed in streams. PDFium has no call for their source. */
import { inflateSync } from "node:zlib";

/** An unpacked stream of objects. */
export interface ObjectStream {
  source: Buffer;
  /** Offset of the first object. Pairs of object number and offset precede it. */
  first: number;
}

/** Maximum distance from the type of a stream to its content, in bytes. */
const maxDictionary = 1 << 16;
/** Maximum size of all object streams together, unpacked, in bytes. */
const maxInflated = 64 << 20;
/** Maximum streams of a file, more than any readable file has. */
const maxStreams = 10_000;
/** Maximum length of a stream's dictionary before its type, in bytes. */
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
 * Returns an empty buffer if the stream is damaged or encrypted; undefined if it exceeds the
 * remaining room.
 */
function unpacked(stream: Uint8Array, room: number): Buffer | undefined {
  try {
    return inflateSync(stream, { maxOutputLength: room });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? undefined : Buffer.alloc(0);
  }
}
