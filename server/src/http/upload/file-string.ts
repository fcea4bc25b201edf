/**
 * Parses the JSON string of the `file` member as it arrives: unescapes it and feeds the base64
 * decoder.
 */
import { Base64Decoder } from "./base64-decoder.ts";
import { invalidRequest } from "./invalid-request.ts";

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/** One-letter escapes of JSON (RFC 8259, section 7): letter → character, by code. */
const escapes = new Map(
  [...'"\\/bfnrt'].map((letter) => [letter.charCodeAt(0), (JSON.parse(`"\\${letter}"`) as string).charCodeAt(0)]),
);

/**
 * Escapes that occur in long base64. They must be replaced in this order, so that removing a line
 * break never joins its neighbours into a new escape. Some encoders write `\/` and `\u002B` by
 * default.
 */
const frequentEscapes = [
  ["\\u002B", "+"],
  ["\\r\\n", ""],
  ["\\n", ""],
  ["\\/", "/"],
  ["\\r", ""],
] as const;
const longestEscape = 6;
/** Minimum number of bytes for which the fast path is worth its cost. */
const leastAhead = 64;

/** Position of the last byte within an escape. */
type EscapeState = "none" | "backslash" | "hex";

export class FileString {
  readonly decoder: Base64Decoder;
  readonly #pointer: string;
  /** True if the closing quote has been read. */
  ended = false;
  #escape: EscapeState = "none";
  #code = 0;
  #hexDigits = 0;

  /** @param pointer JSON pointer of the file, for errors */
  constructor(pointer = "/file") {
    this.#pointer = pointer;
    this.decoder = new Base64Decoder(pointer);
  }

  /**
   * Reads the bytes of the string from index `from`, after the opening quote. Stops after the
   * closing quote, at the end of the chunk, or when the decoder is full. Returns the index where it
   * stopped.
   */
  read(chunk: Buffer, from: number): number {
    const { decoder } = this;
    let at = from + this.#readAhead(chunk, from);
    while (at < chunk.length && !this.ended && !decoder.full) {
      if (this.#escape === "none") at = decoder.decodeRun(chunk, at);
      const byte = chunk[at];
      if (byte === undefined || decoder.full) break;
      this.#readByte(byte);
      at++;
    }
    return at;
  }

  /**
   * Reads as much of the chunk as possible with a few native operations. If the base64 is plain or
   * has only frequent escapes, this is nearly the whole chunk; otherwise it is nothing. Returns the
   * number of bytes read.
   */
  #readAhead(chunk: Buffer, from: number): number {
    const end = Math.min(chunk.length, from + this.decoder.room);
    if (this.#escape !== "none" || end - from < leastAhead) return 0;
    const text = cutToWhole(chunk.toString("latin1", from, end));
    const characters = undoFrequentEscapes(text);
    return characters !== undefined && this.decoder.decodeText(characters) ? text.length : 0;
  }

  #readByte(byte: number): void {
    if (this.#escape === "backslash") this.#readEscape(byte);
    else if (this.#escape === "hex") this.#readHexDigit(byte);
    else if (byte === backslash) this.#escape = "backslash";
    else if (byte === quote) this.#end();
    else if (byte < 0x20)
      throw invalidRequest(this.#pointer, "is not a JSON string: it contains a bare control character");
    else this.decoder.accept(byte);
  }

  #readEscape(byte: number): void {
    if (byte === letterU) {
      this.#escape = "hex";
      this.#code = 0;
      this.#hexDigits = 0;
      return;
    }
    const code = escapes.get(byte);
    if (code === undefined) throw invalidEscape(this.#pointer);
    this.#escape = "none";
    this.decoder.accept(code);
  }

  #readHexDigit(byte: number): void {
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) throw invalidEscape(this.#pointer);
    this.#code = this.#code * 16 + digit;
    if (++this.#hexDigits < 4) return;
    this.#escape = "none";
    this.decoder.accept(this.#code);
  }

  #end(): void {
    this.decoder.finish();
    this.ended = true;
  }
}

/** Returns the text up to the closing quote, without a trailing escape that may be incomplete. */
function cutToWhole(text: string): string {
  const quoteAt = text.indexOf('"');
  if (quoteAt !== -1) return text.slice(0, quoteAt);
  const lastEscape = text.lastIndexOf("\\");
  return lastEscape > text.length - longestEscape && lastEscape !== -1 ? text.slice(0, lastEscape) : text;
}

/**
 * Returns the text with its escapes replaced; undefined if it contains an escape that is not
 * frequent.
 */
function undoFrequentEscapes(text: string): string | undefined {
  let rest = text;
  if (rest.includes("\\\\")) return undefined; // From here on, every backslash starts an escape.
  for (const [sequence, character] of frequentEscapes) {
    if (!rest.includes("\\")) return rest;
    rest = rest.replaceAll(sequence, character);
  }
  return rest;
}

function invalidEscape(pointer: string): Error {
  return invalidRequest(pointer, "is not a JSON string: it contains an escape that JSON does not define");
}
