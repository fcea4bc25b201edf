/**
 * Estimates the width of text whose font is not available. Characters are divided into a few
 * classes, such as narrow and wide. The width of each class is based on a common sans-serif font.
 */

const narrow = new Set("ijlI.,:;'|!()[]{}ft`´-·/\\");
const wide = new Set("mwMW@%—…");
const fullWidth = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const combining = /\p{M}/u;

/** Width of a space, as a multiple of the font size. */
export const spaceWidth = 0.28;

/** Returns the width of a text in the unit of `size`. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (let at = 0; at < text.length; at++) width += codeWidth(text, at);
  return width * size;
}

/**
 * Returns the width of a UTF-16 unit. A character outside the Basic Multilingual Plane consists of
 * two units, and each counts as half of the character's width.
 */
function codeWidth(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = widths[code];
  if (known !== undefined) return known;
  return code >= 0xd800 && code <= 0xdfff ? 0.5 : letterWidth(text.charAt(at));
}

function letterWidth(letter: string): number {
  if (narrow.has(letter)) return 0.3;
  if (wide.has(letter)) return 0.86;
  if (letter >= "A" && letter <= "Z") return 0.67;
  if (letter < "\u0300") return 0.54;
  if (fullWidth.test(letter)) return 1;
  return combining.test(letter) ? 0 : 0.56;
}

/** Widths of the most frequent characters, computed in advance. */
const widths = Float64Array.from({ length: 0x300 }, (_, code) => letterWidth(String.fromCharCode(code)));
