/**
 * Collects the spans of words in a document that may be the value described by an anchor. An anchor
 * is what was learned about the position and look of a value.
 */
import { type TextRun, wordAt } from "../../page/text-runs.ts";
import type { Anchor } from "./learned.ts";
import { nextRuns } from "./locate-values.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { isParsed } from "./readings.ts";
import { coarseShapeOf, shapeOf } from "./text-keys.ts";

export interface Span {
  page: MemoryPage;
  words: readonly number[];
}

/**
 * Maximum number of spans considered per anchor. An ordinary page has up to 300 text runs. Chosen
 * by hand, 2026-11.
 */
const maxSpans = 3_000;
/**
 * Maximum number of words of a value: `maxGrowth` times as many as the learned value has, plus
 * `moreWords`.
 */
const maxGrowth = 3;
const moreWords = 6;

export function spansFor(anchor: Anchor, view: MemoryView): Span[] {
  const spans = new Map<string, Span>();
  for (const page of view.pages) {
    const add = (words: readonly number[]): void => {
      if (words.length > 0 && spans.size < maxSpans) spans.set(`${page.index} ${words.join()}`, { page, words });
    };
    if (isParsed(anchor.reading)) addParsed(anchor, page, view, add);
    else addTexts(anchor, page, add);
  }
  return [...spans.values()];
}

type Add = (words: readonly number[]) => void;

function addParsed({ reading }: Anchor, page: MemoryPage, view: MemoryView, add: Add): void {
  for (const { words } of view.parsed(page, reading)) add(words);
}

function addTexts(anchor: Anchor, page: MemoryPage, add: Add): void {
  const most = maxGrowth * anchor.words + moreWords;
  const [before = ""] = anchor.before;
  for (const run of page.runs.runs) {
    addLines(anchor, page, run, run.words, add);
    const label = labelEnd(page, run, before);
    if (label > 0) addLines(anchor, page, run, run.words.slice(label), add);
    for (const [at, word] of run.words.entries()) {
      const place = page.placeOf.get(word) ?? 0;
      // If the learned value began inside a text run, a span here must begin after the same word as
      // the learned value.
      const begins = anchor.atStart ? at === 0 : before !== "" && page.contextKeys[place - 1] === before;
      if (begins && anchor.lines === 1 && !(anchor.atStart && anchor.atEnd))
        for (const end of endsOf(anchor, page, place, most)) add(page.stream.slice(place, end));
      addOfShape(anchor, page, run, at, add);
    }
  }
}

/**
 * Returns the index of the first word after a label in the run. The label ends with a colon, or
 * with the word that preceded the learned value. Returns 0 if there is no label.
 */
function labelEnd(page: MemoryPage, run: TextRun, before: string): number {
  const isEnd = (word: number): boolean =>
    (before !== "#" && page.contextKeys[page.placeOf.get(word) ?? -1] === before) ||
    wordAt(page.runs.page, word).text.endsWith(":");
  const at = run.words.findIndex(isEnd);
  return at < 0 || at === run.words.length - 1 ? 0 : at + 1;
}

/** Adds a text alone, and joined with the lines below it that may belong to the same value. */
function addLines(anchor: Anchor, page: MemoryPage, run: TextRun, first: readonly number[], add: Add): void {
  add(first);
  if (anchor.lines === 1) return;
  let words = [...first];
  let last = run;
  for (let line = 1; line < anchor.lines + (anchor.cut ? 0 : 3); line++) {
    const next = nextRuns(page, last).find((other) => other.row > last.row);
    if (!next) break;
    words = [...words, ...next.words];
    last = next;
    if (!anchor.cut || line === anchor.lines - 1) add(words);
  }
}

/**
 * Maximum number of end positions that are tried for a span: up to this many at which the next two
 * words match the learned ones, and up to this many at which only the next word does.
 */
const maxEnds = 4;

/**
 * Returns positions in the stream at which a span may end: before a word that followed the learned
 * value, or after as many words as the learned value has.
 */
function endsOf(
  { after: [next = "", second = ""], words }: Anchor,
  page: MemoryPage,
  start: number,
  most: number,
): number[] {
  const limit = Math.min(page.stream.length, start + most);
  const both: number[] = [];
  const one: number[] = [];
  for (let at = start + 1; next !== "" && at < limit; at++)
    if (page.contextKeys[at] === next) (page.contextKeys[at + 1] === second ? both : one).push(at);
  const count = start + words <= page.stream.length ? [start + words] : [];
  return [...both.slice(0, maxEnds), ...one.slice(0, maxEnds), ...count];
}

/**
 * Adds the span that begins at a word and has as many words as the learned value, if its shape is
 * similar. "AB-1024" and "XY-7" have similar shapes.
 */
function addOfShape({ shape, words }: Anchor, page: MemoryPage, run: TextRun, at: number, add: Add): void {
  if (!shape.includes("9") || at + words > run.words.length) return;
  const own = run.words.slice(at, at + words);
  const text = own.map((word) => wordAt(page.runs.page, word).text).join(" ");
  if (coarseShapeOf(shapeOf(text)) === coarseShapeOf(shape)) add(own);
}
