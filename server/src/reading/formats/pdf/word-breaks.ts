/** Where one word ends and the next begins, by place and size of two characters. */
import type { Character, Style } from "./characters.ts";
import { isRightToLeft } from "./code-points.ts";

/** How a character stands to the last one of a word: a part of it, the same drawn again, a raised or lowered mark to it, or apart. */
export type Relation = "part" | "overprint" | "mark" | "apart";

/** A gap wider than this part of the font size parts words where the file has no space. */
const gapOfSize = 0.4;
const tightGapOfSize = 0.12;
/** So far back may the next character begin: kerning and accents step back, a new column or line does so by more. */
const stepBackOfSize = 0.6;
const baselineShiftOfSize = 0.45;
/** A mark is smaller by this factor and off the baseline. A figure is a word of its own then, for "100²" is no number of four digits. */
const markRatio = 1.25;
const markShiftOfSize = 0.1;
const maxMarkShiftOfSize = 0.7;
export const overprintOfSize = 0.12;
/** The sine of the angle from which on text leans. */
const maxLean = 0.14;

/**
 * `style` is that of the word, which its first character sets. With `spaced`, PDFium found a space between the two that the file does not
 * draw, which it does before raised characters too.
 */
export function relationOf(style: Style, last: Character, next: Character, spaced: boolean): Relation {
  const ux = next.style.direction[0];
  const uy = next.style.direction[1];
  if (next.style !== style && ux * style.direction[0] + uy * style.direction[1] < 0.9) return "apart";
  const larger = Math.max(style.size, next.style.size, 1);
  const shift = Math.abs((next.y - last.y) * ux - (next.x - last.x) * uy);
  const ratio = larger / Math.max(Math.min(last.style.size, next.style.size), 0.1);
  const isMark = ratio > markRatio && shift > markShiftOfSize * larger && shift < maxMarkShiftOfSize * larger;
  if ((spaced || shift > baselineShiftOfSize * larger) && !isMark) return "apart";
  // The box of a leaning character says too little of its width; there PDFium's own spaces must do.
  if (Math.min(Math.abs(ux), Math.abs(uy)) <= maxLean && isFar(last, next, ux, uy, larger, spaced)) return "apart";
  if (isMark && !isLetter(next.style.size < last.style.size ? next.code : last.code)) return "mark";
  return isOverprint(last, next) ? "overprint" : "part";
}

/** Raised letters belong to their word: 2nd, Mlle. Letters of formulas come as two surrogates. */
const isLetter = (code: number): boolean =>
  (code >= 0xd800 && code <= 0xdfff) || (code <= 0x10ffff && /\p{L}/u.test(String.fromCodePoint(code)));

function isFar(last: Character, next: Character, ux: number, uy: number, size: number, spaced: boolean): boolean {
  const gap = startOf(next, ux, uy) - endOf(last, ux, uy);
  if (gap > (spaced ? tightGapOfSize : gapOfSize) * size) return true;
  // Right-to-left text stands in logical order, so each character begins left of the one before.
  return startOf(next, ux, uy) <= startOf(last, ux, uy) - stepBackOfSize * size && !isRightToLeft(next.code);
}

/** The edge of a character at which it begins, along a direction that is level or upright. */
function startOf({ left, top, right, bottom }: Character, ux: number, uy: number): number {
  if (Math.abs(ux) > Math.abs(uy)) return ux > 0 ? left : -right;
  return uy > 0 ? top : -bottom;
}

const endOf = (character: Character, ux: number, uy: number): number => -startOf(character, -ux, -uy);

/**
 * The same character drawn again at nearly the same place makes it look bold. The letters of a ligature share their place too, but they
 * are drawn once.
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
