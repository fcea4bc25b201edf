/**
 * Finds text rows. A row holds the words on one baseline. It is cut into text runs wherever the gap
 * is wider than a space between words, and at vertical lines drawn on the page.
 */
import type { Box } from "../document.ts";
import { overlap, sorted, unionOf } from "./geometry.ts";
import type { Ruling } from "./page-content.ts";
import type { PlacedWord } from "./placed-word.ts";

export interface TextRun {
  words: readonly PlacedWord[];
  text: string;
  box: Box;
  /** Font size of the largest word. */
  size: number;
  baseline: number;
}

export interface TextRow {
  runs: TextRun[];
  box: Box;
  size: number;
  baseline: number;
}

/**
 * Maximum vertical distance between the baselines of neighbouring words in one row, as a share of
 * the smaller font size. Chosen by hand, 2026-11.
 */
const sameLineOfSize = 0.35;
/**
 * Minimum gap between two runs, as a multiple of the font size. In justified text, the spaces
 * between words are stretched to up to about 0.8 times the font size.
 */
const gapOfSize = 1;

/** Returns the text rows from top to bottom. The runs of each row are sorted from left to right. */
export function rowsOf(words: readonly PlacedWord[], vertical: readonly Ruling[]): TextRow[] {
  return wordRows(words).map((row) => rowOf(row, vertical));
}

/**
 * Returns only the words of each text row, without runs. This function is called for every cell of
 * every table, so it copies and sorts as little as possible.
 */
export function wordRows(words: readonly PlacedWord[]): (readonly PlacedWord[])[] {
  if (words.length < 2) return words.length === 0 ? [] : [words];
  const rows: (readonly PlacedWord[])[] = [];
  const ordered = sorted(words, fromTheTop);
  let start = 0;
  for (let at = 1; at <= ordered.length; at++) {
    const last = ordered[at - 1];
    const word = ordered[at];
    if (last && word && word.baseline - last.baseline <= sameLineOfSize * Math.min(word.size, last.size)) continue;
    rows.push(sorted(start === 0 && !word ? ordered : ordered.slice(start, at), fromTheLeft));
    start = at;
  }
  return rows;
}

const fromTheTop = (a: PlacedWord, b: PlacedWord): number => a.baseline - b.baseline || a.box[0] - b.box[0];
const fromTheLeft = (a: PlacedWord, b: PlacedWord): number => a.box[0] - b.box[0];

function rowOf(words: readonly PlacedWord[], vertical: readonly Ruling[]): TextRow {
  const runs = textRunsOf(words, wallsBeside(words, vertical));
  const [first] = runs;
  if (first !== undefined && runs.length === 1) {
    return { runs, box: first.box, size: first.size, baseline: first.baseline };
  }
  let size = Number.NEGATIVE_INFINITY;
  let baseline = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    if (run.size > size) size = run.size;
    if (run.baseline > baseline) baseline = run.baseline;
  }
  return { runs, box: unionOf(runs), size, baseline };
}

function textRunsOf(words: readonly PlacedWord[], walls: readonly Ruling[]): TextRun[] {
  const runs: TextRun[] = [];
  let start = 0;
  let right = Number.NEGATIVE_INFINITY;
  let last: PlacedWord | undefined;
  for (const [at, word] of words.entries()) {
    const gap = word.box[0] - right;
    if (last && (gap > gapOfSize * Math.min(last.size, word.size) || isRuledOff(right, word, walls))) {
      runs.push(textRunOf(words.slice(start, at)));
      start = at;
      right = word.box[2];
    } else right = Math.max(right, word.box[2]);
    last = word;
  }
  runs.push(textRunOf(start === 0 ? words : words.slice(start)));
  return runs;
}

export function textRunOf(words: readonly PlacedWord[]): TextRun {
  let text = "";
  let size = 0;
  let baseline = Number.NEGATIVE_INFINITY;
  for (const word of words) {
    text += text === "" ? word.text : ` ${word.text}`;
    if (word.size > size) size = word.size;
    if (word.baseline > baseline) baseline = word.baseline;
  }
  return { words, text, box: unionOf(words), size, baseline };
}

/** Returns the words of all runs of a row, or of all rows of a page, in order. */
export function wordsOf(parts: readonly Pick<TextRun, "words">[]): readonly PlacedWord[] {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first.words : parts.flatMap(({ words }) => words);
}

/**
 * Minimum length of a drawn line that separates two words, as a multiple of the font size. If
 * letters are drawn as shapes, their vertical strokes look like lines too, but they are shorter.
 * Chosen by hand, 2026-11.
 */
const minWallOfSize = 1.2;

/** Returns the vertical lines whose vertical extent overlaps that of the row. */
function wallsBeside(words: readonly PlacedWord[], vertical: readonly Ruling[]): readonly Ruling[] {
  if (words.length < 2 || vertical.length === 0) return [];
  const [, top, , bottom] = unionOf(words);
  return vertical.filter(({ from, to }) => from < bottom && to > top);
}

function isRuledOff(right: number, word: PlacedWord, walls: readonly Ruling[]): boolean {
  return walls.some(
    ({ at, from, to }) =>
      to - from > minWallOfSize * word.size &&
      at >= right - 1 &&
      at <= word.box[0] + 1 &&
      overlap(from, to, word.box[1], word.box[3]) > word.size * 0.5,
  );
}
