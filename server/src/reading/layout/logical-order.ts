/** Puts the words of a line, which are sorted from left to right, in logical order. */
import type { Word } from "../document.ts";

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const leftToRight = /\p{L}/u;

type Direction = "right-to-left" | "left-to-right" | "none";

/**
 * Returns the words in logical order. A line that is mostly right-to-left is read from the right,
 * but consecutive left-to-right words in it, such as Latin names and numbers, keep their order. In
 * any other line, only consecutive right-to-left words are reversed.
 */
export function inLogicalOrder<T extends Word>(words: readonly T[]): readonly T[] {
  if (!words.some((word) => rightToLeft.test(word.text))) return words;
  const base = baseDirection(words);
  const runs = runsOf(words, base);
  const read = runs.map((run) => (run.direction === "right-to-left" ? run.words.toReversed() : run.words));
  return (base === "right-to-left" ? read.toReversed() : read).flat();
}

function directionOf({ text }: Word): Direction {
  if (rightToLeft.test(text)) return "right-to-left";
  return leftToRight.test(text) || /\d/.test(text) ? "left-to-right" : "none";
}

function baseDirection(words: readonly Word[]): Direction {
  let letters = 0;
  for (const { text } of words) {
    if (rightToLeft.test(text)) letters += text.length;
    else if (leftToRight.test(text)) letters -= text.length;
  }
  return letters > 0 ? "right-to-left" : "left-to-right";
}

interface DirectionalRun<T> {
  direction: Direction;
  words: T[];
}

/**
 * Groups consecutive words by direction. A word without a direction, such as a dash, takes the
 * direction of the line.
 */
function runsOf<T extends Word>(words: readonly T[], base: Direction): DirectionalRun<T>[] {
  const runs: DirectionalRun<T>[] = [];
  for (const word of words) {
    const own = directionOf(word);
    const direction = own === "none" ? base : own;
    const last = runs.at(-1);
    if (last?.direction === direction) last.words.push(word);
    else runs.push({ direction, words: [word] });
  }
  return runs;
}
