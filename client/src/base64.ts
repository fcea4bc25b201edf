/** Streaming base64 encoder (RFC 4648, 4): bytes in, ASCII bytes out. */

const alphabet = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const padding = 61;

/** Returns the encoded length of `bytes` bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * Encodes chunks of any length. Bytes beyond the last group of three are kept for the next chunk.
 */
export class Base64Encoder {
  #rest: Uint8Array = new Uint8Array(0);

  encode(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const whole = bytes.length - (bytes.length % 3);
    this.#rest = bytes.slice(whole);
    return encodeGroups(bytes, whole);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const { length } = this.#rest;
    if (length === 0) return new Uint8Array(0);
    const text = encodeGroups(joined(this.#rest, new Uint8Array(3 - length)), 3);
    return text.fill(padding, length + 1);
  }
}

function encodeGroups(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const text = new Uint8Array((length / 3) * 4);
  for (let from = 0, to = 0; from < length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    text[to] = alphabet[group >> 18] ?? 0;
    text[to + 1] = alphabet[(group >> 12) & 63] ?? 0;
    text[to + 2] = alphabet[(group >> 6) & 63] ?? 0;
    text[to + 3] = alphabet[group & 63] ?? 0;
  }
  return text;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
