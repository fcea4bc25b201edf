/**
 * Estimates the width of text without its font: widths of a common sans-serif font by kind of
 * letter.
 */

const narrow = new Set("ijlI.,:;'|!()[]{}ft`´-·/\\");
const wide = new Set("mwMW@%—…");
const fullWidth = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const combining = /\p{M}/u;

/** Width in font sizes. */
export const spaceWidth = 0.28;

/** Returns the width in the unit of `size`. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (let at = 0; at < text.length; at++) width += codeWidth(text, at);
  return width * size;
}

/** A character beyond the basic plane is two code units of half its width each. */
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

/** Widths of the most frequent characters, precomputed. */
const widths = Float64Array.from({ length: 0x300 }, (_, code) => letterWidth(String.fromCharCode(code)));
