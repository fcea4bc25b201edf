/**
 * Makes evidence for a value: boxes around its words, and a quote of all words inside the boxes.
 * Bar codes are an exception: all words of a bar code have the same box, so the quote contains only
 * the words of the value.
 */
import { type Box, type Page, printedWords } from "../../reading/document.ts";
import type { Evidence, LeafValue } from "../engine.ts";
import { pageAsScanned } from "./deskew.ts";
import { centreX, centreY, unionOf, wordAt } from "./text-runs.ts";

/**
 * Returns the evidence of `value`, given its words on the page. Returns undefined if there are no
 * words.
 */
export function makeEvidence(
  read: Page,
  words: readonly number[],
  value: LeafValue,
  confidence: number,
  inferred: boolean,
): Evidence | undefined {
  const page = pageAsScanned(read);
  const own = [...new Set(words)].filter((index) => wordAt(page, index).text !== "").sort((a, b) => a - b);
  if (own.length === 0) return undefined;
  const isOfCode = (own[0] ?? 0) >= printedWords(page);
  const { boxes, shown } = isOfCode ? { boxes: lineBoxesOf(page, own), shown: own } : enclose(page, own);
  const quote = shown.map((index) => wordAt(page, index).text).join(" ");
  return { page: page.number, boxes, quote, match: matchOf(value, quote, inferred), confidence };
}

/**
 * Returns the boxes and the words inside them. There is one box per line. If the box of a line
 * would contain other words too, there is one box per word instead.
 */
function enclose(page: Page, own: readonly number[]): { boxes: Box[]; shown: number[] } {
  const lines = lineBoxesOf(page, own);
  const shown = wordsIn(page, lines);
  if (sameWords(shown, own)) return { boxes: lines, shown };
  const single = own.map((index) => wordAt(page, index).box);
  return { boxes: single, shown: wordsIn(page, single) };
}

function lineBoxesOf(page: Page, own: readonly number[]): Box[] {
  const boxes: Box[] = [];
  let last: Box | undefined;
  for (const index of own) {
    const box = wordAt(page, index).box;
    const sameLine = last && centreY(box) > last[1] && centreY(box) < last[3] && box[0] >= last[0];
    const run = boxes.at(-1);
    if (sameLine && run) boxes[boxes.length - 1] = unionOf(run, box);
    else boxes.push(box);
    last = box;
  }
  return boxes;
}

/** Returns the indices of the printed words whose centres are in a box, in reading order. */
export function wordsIn(page: Page, boxes: readonly Box[]): number[] {
  const sorted = wordsByHeight(page);
  const found = new Set<number>();
  for (const box of boxes)
    for (let at = firstBelow(sorted, box[1]); at < sorted.length; at++) {
      const word = sorted[at] as PlacedIndex;
      if (word.y > box[3]) break;
      if (word.x >= box[0] && word.x <= box[2]) found.add(word.index);
    }
  return [...found].sort((a, b) => a - b);
}

/** Index of a word, and its centre. */
interface PlacedIndex {
  index: number;
  x: number;
  y: number;
}

/**
 * Words of each page, sorted by the vertical position of their centres. They are sorted once per
 * page, because a large spreadsheet has thousands of values to look up.
 */
const byHeight = new WeakMap<Page, PlacedIndex[]>();

function wordsByHeight(page: Page): PlacedIndex[] {
  const known = byHeight.get(page);
  if (known) return known;
  const sorted = page.words
    .slice(0, printedWords(page))
    .flatMap(({ box, text }, index) => (text === "" ? [] : [{ index, x: centreX(box), y: centreY(box) }]))
    .sort((a, b) => a.y - b.y);
  byHeight.set(page, sorted);
  return sorted;
}

/** Returns the position of the first word whose centre is at `y` or below. */
function firstBelow(sorted: readonly PlacedIndex[], y: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as PlacedIndex).y < y) from = middle + 1;
    else to = middle;
  }
  return from;
}

const sameWords = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((index, at) => index === b[at]);

function matchOf(value: LeafValue, quote: string, inferred: boolean): Evidence["match"] {
  if (typeof value !== "boolean" && quote.includes(String(value))) return "exact";
  return inferred || typeof value === "boolean" ? "inferred" : "normalized";
}
