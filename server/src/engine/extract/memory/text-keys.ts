/** Keys by which texts of two papers are compared, and their shapes. */

/** Longest text that is compared, in UTF-16 units. */
const maxText = 60;

/** Returns the letters and digits of a text, folded. */
export const keyOf = (text: string): string =>
  text
    .slice(0, maxText * 4)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Returns the letters of a text, folded: a label with a number is the same label. */
export const labelKeyOf = (text: string): string =>
  text
    .slice(0, maxText)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "");

/** Returns a hash of 32 bits in base 36 (FNV-1a), so that texts of the paper are not stored. */
export function hashOf(key: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns the shape of a text: "AB-1024" has the shape "AA-9999". */
export const shapeOf = (text: string): string =>
  text
    .slice(0, maxText)
    .replace(/\p{Lu}/gu, "A")
    .replace(/\p{L}/gu, "a")
    .replace(/\p{N}/gu, "9");

/** Returns the shape with repetitions left out: "AB-1024" has "A-9". */
export const coarseShapeOf = (shape: string): string => shape.replace(/(.)\1+/g, "$1");
