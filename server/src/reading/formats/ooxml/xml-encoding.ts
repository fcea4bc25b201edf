/**
 * Decodes an XML file (UTF-8, UTF-16, or the declared encoding) in chunks that bound the memory.
 */
import { TextDecoder } from "node:util";
import { ReadingError } from "../../reader.ts";

/** Bytes per decoded chunk. Chosen by hand, 2026-11. */
const chunkBytes = 2 ** 18;

/**
 * Invalid bytes become U+FFFD.
 * @throws ReadingError `corrupt` if the encoding is unknown.
 */
export function* decodedChunks(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOf(bytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true });
  }
  yield decoder.decode();
}

function decoderOf(bytes: Uint8Array): TextDecoder {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return new TextDecoder("utf-16le");
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return new TextDecoder("utf-16be");
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString("latin1");
  const declared = /^[^<]{0,3}<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u.exec(start)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(/^utf-?16$/iu.test(declared) ? "utf-8" : declared);
  } catch (error) {
    throw new ReadingError("corrupt", "The XML of the file is in an unknown encoding.", { cause: error });
  }
}
