/** Finds word boundaries from the position and size of two consecutive characters. */
import type { Character, CharacterStyle } from "./characters.ts";
import { isRightToLeft } from "./code-points.ts";

/**
 * Relation of a character to the last one of a word. It is part of the word, the same character
 * overprinted, a raised or lowered mark, or apart.
 */
export type Relation = "part" | "overprint" | "mark" | "apart";

/** Minimum gap between words without a space character, in font sizes. Chosen by hand, 2026-11. */
const gapOfSize = 0.4;
/**
 * Minimum gap between words where PDFium inferred a space, in font sizes. Chosen by hand, 2026-11.
 */
const tightGapOfSize = 0.12;
/**
 * Maximum gap of touching characters, in font sizes. On pages with narrow columns PDFium may take
 * the text as vertical and then infers a space after each character. Chosen by hand, 2026-11.
 */
const touchingOfSize = 0.04;
/** Maximum overlap of kerned characters, in font sizes. Chosen by hand, 2026-11. */
const kerningOfSize = 0.25;
/**
 * Maximum step back to the next character, in font sizes. Kerning and accents step back; a new
 * column or line steps back further. Chosen by hand, 2026-11.
 */
const stepBackOfSize = 0.6;
/** Maximum shift of the baseline inside a word, in font sizes. Chosen by hand, 2026-11. */
const baselineShiftOfSize = 0.45;
/**
 * Minimum ratio between the font sizes of a word and of a mark beside it, off the baseline. A digit
 * is then a word of its own, because "100²" is not a number of four digits. Chosen by hand,
 * 2026-11.
 */
const markRatio = 1.25;
/**
 * Minimum and maximum shift of a mark from the baseline, in font sizes. Chosen by hand, 2026-11.
 */
const markShiftOfSize = 0.1;
const maxMarkShiftOfSize = 0.7;
/**
 * Maximum distance between a character and its overprint, in font sizes. Chosen by hand, 2026-11.
 */
export const overprintOfSize = 0.12;
/** Sine of the skew angle above which text counts as skewed. Chosen by hand, 2026-11. */
const maxSkewSine = 0.14;

/**
 * `style` is that of the word, set by its first character. `spaced` is true if PDFium inferred a
 * space between the two, which it also does before raised characters.
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
  // The box of a skewed character says little about its width, so only the spaces inferred by
  // PDFium count.
  if (Math.min(Math.abs(ux), Math.abs(uy)) <= maxSkewSine && isFar(last, next, ux, uy, larger, spaced)) return "apart";
  if (isMark && !isLetter(next.style.size < last.style.size ? next.code : last.code)) return "mark";
  return isOverprint(last, next) ? "overprint" : "part";
}

/**
 * Raised letters belong to the word before them: 2nd, Mlle. A letter of a formula arrives as two
 * surrogates.
 */
const isLetter = (code: number): boolean =>
  (code >= 0xd800 && code <= 0xdfff) || (code <= 0x10ffff && /\p{L}/u.test(String.fromCodePoint(code)));

/** Returns true for a character that begins where the last one of the same line ends. */
function isTouching(last: Character, next: Character, size: number): boolean {
  const [ux, uy] = next.style.direction;
  if (next.style !== last.style || Math.min(Math.abs(ux), Math.abs(uy)) > maxSkewSine) return false;
  const gap = startOf(next, ux, uy) - endOf(last, ux, uy);
  return gap < touchingOfSize * size && gap > -kerningOfSize * size;
}

function isFar(last: Character, next: Character, ux: number, uy: number, size: number, spaced: boolean): boolean {
  const gap = startOf(next, ux, uy) - endOf(last, ux, uy);
  if (gap > (spaced ? tightGapOfSize : gapOfSize) * size) return true;
  // Right-to-left text is in logical order, so each character starts to the left of the previous
  // one.
  return startOf(next, ux, uy) <= startOf(last, ux, uy) - stepBackOfSize * size && !isRightToLeft(next.code);
}

/** Returns the edge at which a character starts, in a horizontal or vertical text direction. */
function startOf({ left, top, right, bottom }: Character, ux: number, uy: number): number {
  if (Math.abs(ux) > Math.abs(uy)) return ux > 0 ? left : -right;
  return uy > 0 ? top : -bottom;
}

const endOf = (character: Character, ux: number, uy: number): number => -startOf(character, -ux, -uy);

/**
 * Returns true if the same character is drawn again at almost the same position, to look bold. The
 * letters of a ligature share their position too, but are drawn once.
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
