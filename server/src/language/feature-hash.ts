/** Hashes the features of texts to rows of a table that a fit has trained. */

/** Start value of an FNV-1a hash. */
export const fnvBasis = 2_166_136_261;

/** Returns the FNV-1a hash of the UTF-16 units `[from, to)` of a text, continued from a hash. */
export function hashed(text: string, before: number, from = 0, to = text.length): number {
  let hash = before;
  for (let at = from; at < to && at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

/** Returns the row for a hash. The hash is mixed first, so that all its bits count. */
export function rowOfHash(hash: number, rows: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % rows;
}
