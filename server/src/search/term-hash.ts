/**
 * Computes the 32-bit FNV-1a hash of the UTF-8 bytes of a term. It reads the bytes of a column
 * directly, so that no string is created for each term.
 */

/** Byte between two terms. */
export const space = 32;
/** Hash of the empty term. */
export const emptyHash = 0x811c9dc5 | 0;

export const hashedOn = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** Returns the slot for a hash in a table whose size is a power of 2. */
export const placeOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1);

const encoder = new TextEncoder();

export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = emptyHash;
  for (let at = start; at < end; at++) hash = hashedOn(hash, bytes[at] ?? 0);
  return hash;
}

export const bytesOf = (term: string): Uint8Array => encoder.encode(term);
