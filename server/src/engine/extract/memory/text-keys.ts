/**
 * Makes keys and shapes of texts. The texts of two documents are compared by their keys and shapes.
 */

/** Only this many UTF-16 units of a text are compared. */
const maxText = 60;

/** Returns the letters and digits of a text, folded. */
export const keyOf = (text: string): string =>
  text
    .slice(0, maxText * 4)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/**
 * Returns the folded letters of a text, without digits, because labels that differ only in a number
 * count as the same label.
 */
export const labelKeyOf = (text: string): string =>
  text
    .slice(0, maxText)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "");

/**
 * Returns a 32-bit hash in base 36 (FNV-1a). The memory stores most texts of a document only as
 * hashes.
 */
export function hashOf(key: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns the shape of a text. "AB-1024" has the shape "AA-9999". */
export const shapeOf = (text: string): string =>
  text
    .slice(0, maxText)
    .replace(/\p{Lu}/gu, "A")
    .replace(/\p{L}/gu, "a")
    .replace(/\p{N}/gu, "9");

/** Returns the shape with repeated characters merged into one. "AA-9999" becomes "A-9". */
export const coarseShapeOf = (shape: string): string => shape.replace(/(.)\1+/g, "$1");
