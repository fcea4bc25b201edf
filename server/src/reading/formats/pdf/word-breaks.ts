/** Finds word boundaries from the position and size of two consecutive characters. */
import type { Character, CharacterStyle } from "./characters.ts";
import { isRightToLeft } from "./code-points.ts";

/**
 * How a character relates to the previous one. It continues the word (`part`), is the same
 * character drawn once more (`overprint`), is a raised or lowered mark (`mark`), or begins another
 * word (`apart`).
 */
export type Relation = "part" | "overprint" | "mark" | "apart";

/**
 * Minimum gap between words if there is no space character, as a share of the font size. Chosen by
 * hand, 2026-11.
 */
const gapOfSize = 0.4;
/**
 * Minimum gap between words if PDFium inferred a space, as a share of the font size. Chosen by
 * hand, 2026-11.
 */
const tightGapOfSize = 0.12;
/**
 * Maximum gap between characters that touch, as a share of the font size. On pages with narrow
 * columns, PDFium may take the text for vertical text and infer a space after each character.
 * Chosen by hand, 2026-11.
 */
const touchingOfSize = 0.04;
/**
 * Maximum overlap of characters with kerning, as a share of the font size. Chosen by hand, 2026-11.
 */
const kerningOfSize = 0.25;
/**
 * Maximum distance by which a character may begin before the start of the previous one, as a share
 * of the font size. Kerning and accents step back a little. A new column or line steps back
 * further. Chosen by hand, 2026-11.
 */
const stepBackOfSize = 0.6;
/**
 * Maximum shift of the baseline within a word, as a share of the font size. Chosen by hand,
 * 2026-11.
 */
const baselineShiftOfSize = 0.45;
/**
 * Minimum ratio between the font sizes of a word and of a raised or lowered mark beside it. A
 * raised digit is a separate word, because "100²" is not a number of four digits. Chosen by hand,
 * 2026-11.
 */
const markRatio = 1.25;
/**
 * Minimum shift of a mark from the baseline, as a share of the font size. Chosen by hand, 2026-11.
 */
const markShiftOfSize = 0.1;
/**
 * Maximum shift of a mark from the baseline, as a share of the font size. Chosen by hand, 2026-11.
 */
const maxMarkShiftOfSize = 0.7;
/**
 * Maximum distance between a character and the same character drawn once more, as a share of the
 * font size. Chosen by hand, 2026-11.
 */
export const overprintOfSize = 0.12;
/** Text counts as skewed if the sine of its skew angle is above this. Chosen by hand, 2026-11. */
const maxSkewSine = 0.14;

/**
 * Returns the relation of `next` to `last`.
 * @param style style of the word, which is that of its first character
 * @param spaced true if PDFium inferred a space between the two characters, as it also does before
 * raised characters
 */
export function relationOf(style: CharacterStyle, last: Character, next: Character, spaced: boolean): Relation {
  const ux = next.style.direction[0];
  const uy = next.style.direction[1];
  if (next.style !== style && ux * style.direction[0] + uy * style.direction[1] < 0.9) return "apart";
  const larger = Math.max(style.size, next.style.size, 1);
  const shift = Math.abs((next.y - last.y) * ux - (next.x - last.x) * uy);
  const ratio = larger / Math.max(Math.min(last.style.size, next.style.size), 0.1);
  const isMark = ratio > markRatio && shift > markShiftOfSize * larger && shift < maxMarkShiftOfSize * larger;
  const isSpaced = spaced && !isTouching(last, next, larger);
  if ((isSpaced || shift > baselineShiftOfSize * larger) && !isMark) return "apart";
  // The box of a skewed character does not show how wide the character is, so only spaces that
  // PDFium inferred count.
  if (Math.min(Math.abs(ux), Math.abs(uy)) <= maxSkewSine && isFar(last, next, ux, uy, larger, spaced)) return "apart";
  if (isMark && !isLetter(next.style.size < last.style.size ? next.code : last.code)) return "mark";
  return isOverprint(last, next) ? "overprint" : "part";
}

/**
 * Returns true for a letter. Raised letters belong to the word before them, as in 2nd or Mlle. A
 * mathematical letter arrives as two surrogates.
 */
const isLetter = (code: number): boolean =>
  (code >= 0xd800 && code <= 0xdfff) || (code <= 0x10ffff && /\p{L}/u.test(String.fromCodePoint(code)));

/** Returns true if a character begins where the previous one ends, on the same line. */
function isTouching(last: Character, next: Character, size: number): boolean {
  const [ux, uy] = next.style.direction;
  if (next.style !== last.style || Math.min(Math.abs(ux), Math.abs(uy)) > maxSkewSine) return false;
  const gap = startOf(next, ux, uy) - endOf(last, ux, uy);
  return gap < touchingOfSize * size && gap > -kerningOfSize * size;
}

function isFar(last: Character, next: Character, ux: number, uy: number, size: number, spaced: boolean): boolean {
  const gap = startOf(next, ux, uy) - endOf(last, ux, uy);
  if (gap > (spaced ? tightGapOfSize : gapOfSize) * size) return true;
  // Right-to-left text is in logical order, so each character begins to the left of the one before.
  return startOf(next, ux, uy) <= startOf(last, ux, uy) - stepBackOfSize * size && !isRightToLeft(next.code);
}

/** Returns the coordinate at which a character starts, along the direction of the text. */
function startOf({ left, top, right, bottom }: Character, ux: number, uy: number): number {
  if (Math.abs(ux) > Math.abs(uy)) return ux > 0 ? left : -right;
  return uy > 0 ? top : -bottom;
}

const endOf = (character: Character, ux: number, uy: number): number => -startOf(character, -ux, -uy);

/**
 * Returns true if the same character is drawn again at almost the same position, so that it looks
 * bold. The letters of a ligature also share a position, but a single operator draws them.
 */
function isOverprint(last: Character, next: Character): boolean {
  const near = overprintOfSize * Math.max(next.style.size, 1);
  return (
    last.code === next.code &&
    last.object !== next.object &&
    Math.abs(last.x - next.x) < near &&
    Math.abs(last.y - next.y) < near
  );
}
