/**
 * Makes evidence: bounding boxes of the words of a value, and the quote, which is the words in the
 * boxes.
 */
import type { Box, Page } from "../../reading/document.ts";
import type { Evidence, LeafValue } from "../engine.ts";
import { pageAsScanned } from "./deskew.ts";
import { centreX, centreY, unionOf, wordAt } from "./text-runs.ts";

/**
 * Returns the evidence of `value` for the given words of the page, or undefined if there are none.
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
  const { boxes, shown } = enclose(page, own);
  const quote = shown.map((index) => wordAt(page, index).text).join(" ");
  return { page: page.number, boxes, quote, match: matchOf(value, quote, inferred), confidence };
}

/**
 * Returns the boxes and the enclosed words. Uses one box per line, or per word if a line box would
 * enclose other words.
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

/** Returns the indices of the words whose centres are in a box, in reading order. */
export function wordsIn(page: Page, boxes: readonly Box[]): number[] {
  const found: number[] = [];
  page.words.forEach((word, index) => {
    if (word.text === "") return;
    const x = centreX(word.box);
    const y = centreY(word.box);
    if (boxes.some((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])) found.push(index);
  });
  return found;
}

const sameWords = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((index, at) => index === b[at]);

function matchOf(value: LeafValue, quote: string, inferred: boolean): Evidence["match"] {
  if (typeof value !== "boolean" && quote.includes(String(value))) return "exact";
  return inferred || typeof value === "boolean" ? "inferred" : "normalized";
}
