/** Assigns the features of texts to rows of a trained table by hashing. */

/** Start value of an FNV-1a hash. */
export const fnvBasis = 2_166_136_261;

/**
 * Continues the FNV-1a hash `before` with the UTF-16 units `[from, to)` of a text. Returns the new
 * hash.
 */
export function hashed(text: string, before: number, from = 0, to = text.length): number {
  let hash = before;
  for (let at = from; at < to && at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

/** Returns the row for a hash. The hash is mixed first, so that all its bits affect the row. */
export function rowOfHash(hash: number, rows: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % rows;
}
