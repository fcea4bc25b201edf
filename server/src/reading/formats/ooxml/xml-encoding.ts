/**
 * Decodes an XML file in chunks, to limit memory use. The file is in UTF-8, in UTF-16, or in the
 * encoding that it declares.
 */
import { TextDecoder } from "node:util";
import { ReadingError } from "../../reader.ts";

/** Number of bytes that are decoded at a time. Chosen by hand, 2026-11. */
const chunkBytes = 2 ** 18;

/**
 * Yields the text of the file. Invalid bytes become U+FFFD.
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
