/**
 * Groups the words of a page into rows, and the words of a row into text runs. A text run is a
 * sequence of words without a wide gap. Rows are derived only from word positions, so they are
 * correct even if the reader missed a table or read a line across two columns. Text runs also end
 * at the cell borders of ruled tables.
 */
import { type Box, type Document, type Page, printedWords, type Word } from "../../reading/document.ts";

export interface TextRun {
  /** Index in `DocumentRuns.pages`. */
  page: number;
  /** Index in the rows of the page. */
  row: number;
  /** Index in the row. */
  column: number;
  /** Indices in `page.words`, left to right. */
  words: number[];
  /** The words, joined by single spaces. */
  text: string;
  /** Offset of each word in `text`. */
  starts: number[];
  box: Box;
  /** Median word height, in page units. */
  height: number;
  bold: boolean;
}

export interface PageRuns {
  page: Page;
  /**
   * Rows from top to bottom, each from left to right. The words of bar codes are not part of any
   * row, because all words of a bar code have the same box.
   */
  rows: TextRun[][];
  runs: TextRun[];
}

export interface DocumentRuns {
  document: Document;
  pages: PageRuns[];
}

/** Minimum gap between two runs, in word heights. Chosen by hand, 2026-11. */
const runGap = 0.95;
/**
 * Maximum number of words of a text run. Longer runs are split, so that pattern matching stays fast
 * on hostile text. Printed lines are shorter. Chosen by hand, 2026-11.
 */
const maxRunWords = 60;
const maxRowWords = 300;
const maxWordLength = 120;
/**
 * Maximum vertical distance between the centres of two words in a row, as a share of the smaller
 * height. Chosen by hand, 2026-11.
 */
const rowTolerance = 0.45;

export const unionOf = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
export const centreX = (box: Box): number => (box[0] + box[2]) / 2;
export const centreY = (box: Box): number => (box[1] + box[3]) / 2;
/**
 * Minimum height or width that is used as a divisor, in page units. Smaller heights and widths are
 * raised to this minimum, to avoid division by zero.
 */
const minSide = 0.1;
const heightOf = (box: Box): number => Math.max(box[3] - box[1], minSide);

/** Returns the overlap share of two boxes: shared width relative to the narrower box, 0 to 1. */
export function overlapShare(a: Box, b: Box): number {
  const shared = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  return Math.max(0, shared) / Math.max(minSide, Math.min(a[2] - a[0], b[2] - b[0]));
}

export function textRunsOf(document: Document): DocumentRuns {
  return { document, pages: document.pages.map(layOutPage) };
}

function layOutPage(page: Page, index: number): PageRuns {
  const cellOf = cellsOf(page);
  const rows = rowsOf(page).map((row, at) => cellRunsOf(page, row, cellOf, index, at));
  return { page, rows, runs: rows.flat() };
}

/** Maps each word inside a ruled table to its cell. */
function cellsOf(page: Page): Map<number, number> {
  const cellOf = new Map<number, number>();
  let next = 0;
  for (const table of page.tables) {
    if (!table.ruled) continue;
    for (const cell of table.cells) {
      next++;
      for (const word of cell.words) cellOf.set(word, next);
    }
  }
  return cellOf;
}

function rowsOf(page: Page): number[][] {
  const order = Array.from({ length: printedWords(page) }, (_, index) => index)
    .filter((index) => page.words[index]?.text.trim())
    .sort((a, b) => centreY(boxAt(page, a)) - centreY(boxAt(page, b)));
  const rows: number[][] = [];
  let centre = 0;
  let height = 0;
  for (const index of order) {
    const box = boxAt(page, index);
    const row = rows.at(-1);
    if (row && centreY(box) - centre < rowTolerance * Math.min(height, heightOf(box))) {
      row.push(index);
      // The centre of the row is adjusted with each added word, so that a row of a slightly skewed
      // scan stays together.
      centre += (centreY(box) - centre) / row.length;
      height = Math.max(height, heightOf(box));
    } else {
      rows.push([index]);
      centre = centreY(box);
      height = heightOf(box);
    }
  }
  return withRaised(page, rows).flatMap((row) =>
    cut(
      row.sort((a, b) => boxAt(page, a)[0] - boxAt(page, b)[0]),
      maxRowWords,
    ),
  );
}

const raisedEnding = /^(?:er|ère|re|e|è?me|ème|st|nd|rd|th|[ºªoa])$/iu;
const maxRaised = 3;

/**
 * Moves raised endings, such as the small "er" in "1er", to the row of their number, which is the
 * next row below.
 */
function withRaised(page: Page, rows: readonly number[][]): number[][] {
  const joined: number[][] = [];
  for (const [at, row] of rows.entries()) {
    const below = rows[at + 1];
    if (below && row.length <= maxRaised && row.every((index) => isRaised(page, index, below))) below.push(...row);
    else joined.push(row);
  }
  return joined;
}

function isRaised(page: Page, index: number, below: readonly number[]): boolean {
  const word = wordAt(page, index);
  if (!raisedEnding.test(word.text)) return false;
  return below.some((other) => {
    const { text, box } = wordAt(page, other);
    const near = Math.abs(word.box[0] - box[2]) < 0.5 * heightOf(box) && word.box[3] > box[1];
    return near && /\d$/.test(text) && heightOf(word.box) < heightOf(box);
  });
}

function cut(row: readonly number[], length: number): number[][] {
  const parts: number[][] = [];
  for (let from = 0; from < row.length; from += length) parts.push(row.slice(from, from + length));
  return parts;
}

const emptyWord: Word = { text: "", box: [0, 0, 0, 0] };
export const wordAt = (page: Page, index: number): Word => page.words[index] ?? emptyWord;
const boxAt = (page: Page, index: number): Box => wordAt(page, index).box;

export const textOfWords = ({ page }: PageRuns, words: readonly number[]): string =>
  words.map((index) => wordAt(page, index).text).join(" ");

/** Returns the font size of a text run in page units, or its height if the size is unknown. */
export const sizeOf = ({ page }: PageRuns, run: TextRun): number => wordAt(page, run.words[0] ?? 0).size ?? run.height;

function cellRunsOf(
  page: Page,
  row: readonly number[],
  cellOf: ReadonlyMap<number, number>,
  pageIndex: number,
  rowIndex: number,
): TextRun[] {
  const wordGroups: number[][] = [];
  let last = -1;
  for (const index of row) {
    const wordGroup = wordGroups.at(-1);
    const joins =
      wordGroup &&
      wordGroup.length < maxRunWords &&
      !isGap(page, last, index) &&
      cellOf.get(last) === cellOf.get(index);
    if (joins) wordGroup.push(index);
    else wordGroups.push([index]);
    last = index;
  }
  return wordGroups.map((words, column) => makeRun(page, words, { page: pageIndex, row: rowIndex, column }));
}

function isGap(page: Page, left: number, right: number): boolean {
  const a = boxAt(page, left);
  const b = boxAt(page, right);
  return b[0] - a[2] > runGap * Math.min(heightOf(a), heightOf(b));
}

/**
 * Makes a text run of the given words.
 * @param words indices in `page.words`; at least one
 */
export function makeRun(page: Page, words: number[], at: { page: number; row: number; column: number }): TextRun {
  let text = "";
  const starts: number[] = [];
  let box = boxAt(page, words[0] ?? 0);
  for (const index of words) {
    if (text) text += " ";
    starts.push(text.length);
    text += wordAt(page, index).text.slice(0, maxWordLength);
    box = unionOf(box, boxAt(page, index));
  }
  const heights = words.map((index) => heightOf(boxAt(page, index))).sort((a, b) => a - b);
  const bold = words.every((index) => wordAt(page, index).bold === true);
  return { ...at, words, text, starts, box, height: heights[heights.length >> 1] ?? 1, bold };
}

/** Returns the words of `run` that overlap the characters `[start, end)` of its text. */
export function wordsBetween(run: TextRun, start: number, end: number): number[] {
  return run.words.filter((_, i) => {
    const from = run.starts[i] ?? 0;
    const to = (run.starts[i + 1] ?? run.text.length + 1) - 1;
    return from < end && to > start;
  });
}

/**
 * Minimum vertical overlap of two runs in the same skewed row, as a share of the smaller height.
 * Chosen by hand, 2026-11.
 */
const minSharedHeight = 0.3;
/**
 * Value of `minSharedHeight` for a run to the right of a label with a colon. Typed forms often
 * print the value slightly above its label. Chosen by hand, 2026-11.
 */
const minSharedByColon = 0.12;

/**
 * Returns true if `value` is to the right of `label` and overlaps it vertically. Call it for text
 * runs of adjacent rows, which may be one row of a skewed scan.
 */
export function besides(label: TextRun, value: TextRun): boolean {
  const shared = Math.min(label.box[3], value.box[3]) - Math.max(label.box[1], value.box[1]);
  const share = shared / Math.min(heightOf(label.box), heightOf(value.box));
  return label.box[2] <= value.box[0] && share > (/:\s*$/.test(label.text) ? minSharedByColon : minSharedHeight);
}

/** Returns the text runs of the row above and the row below. */
export const rowsAround = (page: PageRuns, run: TextRun): TextRun[] =>
  [page.rows[run.row - 1], page.rows[run.row + 1]].flatMap((row) => row ?? []);

/** Maximum gap between two lines of a sentence, in line heights. Chosen by hand, 2026-11. */
const maxLineGap = 0.9;
/**
 * Maximum difference between the left edges of two lines of a sentence, in line heights. Chosen by
 * hand, 2026-11.
 */
const maxIndent = 0.8;
/**
 * Minimum length of a line that may continue on the next line, in UTF-16 units. Chosen by hand,
 * 2026-11.
 */
const minProseLength = 38;

/**
 * Returns the line above if its sentence continues in this text run. The line must have the same
 * left edge, be long, and end without punctuation.
 */
export function lineBefore(page: PageRuns, run: TextRun): TextRun | undefined {
  const [above, more] = page.rows[run.row - 1] ?? [];
  if (!above || more || run.column > 0) return undefined;
  const aligned = Math.abs(above.box[0] - run.box[0]) < maxIndent * run.height;
  const close = run.box[1] - above.box[3] < maxLineGap * run.height;
  const goesOn = above.text.length >= minProseLength && !/(?:[:;!?]|\D\.)$/.test(above.text);
  return aligned && close && goesOn ? above : undefined;
}
