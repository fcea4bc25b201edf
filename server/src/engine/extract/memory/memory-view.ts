/**
 * The representation of a document used for learning and recall: text runs with their keys and the
 * texts around them.
 */

import type { Document } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import { deskewed } from "../../page/deskew.ts";
import {
  type DocumentRuns,
  overlapShare,
  type PageRuns,
  type TextRun,
  textRunsOf,
  wordAt,
  wordsBetween,
} from "../../page/text-runs.ts";
import { type Locale, readLocale } from "../../values/locale.ts";
import { parsedIn, type Reading, runOfWord } from "./readings.ts";
import { labelWordsOf } from "./skeleton.ts";
import { hashOf, keyOf, labelKeyOf } from "./text-keys.ts";

export interface MemoryPage {
  index: number;
  runs: PageRuns;
  /** Words in reading order: row by row, each from left to right. */
  stream: readonly number[];
  /** Position of each word in the stream. */
  placeOf: ReadonlyMap<number, number>;
  /** Key of each word in the stream. The key of a word with a digit is "#". */
  contextKeys: readonly string[];
  runOf: ReadonlyMap<number, TextRun>;
  /** Hash of the letters of each run. Empty if a run has no letters. */
  hashes: ReadonlyMap<TextRun, string>;
  /** Hash of the label at the start of each run. */
  labels: ReadonlyMap<TextRun, string>;
}

export interface MemoryView {
  layout: DocumentRuns;
  locale: Locale;
  pages: readonly MemoryPage[];
  /**
   * Returns all values on a page that the reading can parse, with their words. Computed once for
   * each page and reading.
   */
  parsed: (page: MemoryPage, reading: Reading) => readonly ParsedSpan[];
  /** Hashes of all text runs, and of all labels at the start of a run, in the document. */
  texts: ReadonlySet<string>;
}

/** Number of pages at the start of the document in which values are searched for. */
const firstPages = 8;
/** Number of pages at the end of the document in which values are searched for. */
const lastPages = 2;

export function memoryViewOf(document: Document): MemoryView {
  const layout = textRunsOf(deskewed(document));
  const pages = layout.pages
    .map(pageOf)
    .filter(({ index }) => index < firstPages || index >= layout.pages.length - lastPages);
  const texts = new Set(pages.flatMap(({ hashes, labels }) => [...hashes.values(), ...labels.values()]));
  texts.delete("");
  const locale = readLocale(layout);
  const known = new Map<string, readonly ParsedSpan[]>();
  const parsed = ({ index, runs }: MemoryPage, reading: Reading): readonly ParsedSpan[] => {
    const key = `${index} ${reading}`;
    const found = known.get(key) ?? parsedSpans(runs, reading, locale);
    known.set(key, found);
    return found;
  };
  return { layout, locale, pages, parsed, texts };
}

/** A parsed value and its words. */
export interface ParsedSpan {
  run: TextRun;
  words: readonly number[];
  value: LeafValue;
}

const parsedSpans = (page: PageRuns, reading: Reading, locale: Locale): ParsedSpan[] =>
  page.runs.flatMap((run) =>
    parsedIn(run.text, reading, locale).flatMap(({ value, start, end }) => {
      const words = wordsBetween(run, start, end);
      return words.length > 0 ? [{ run, words, value }] : [];
    }),
  );

export const contextKeyOf = (text: string): string => (/\p{N}/u.test(text) ? "#" : keyOf(text));

function pageOf(runs: PageRuns, index: number): MemoryPage {
  const hashIn = (text: string): string => {
    const key = labelKeyOf(text);
    return key === "" ? "" : hashOf(key);
  };
  const stream = runs.runs.flatMap(({ words }) => words);
  return {
    index,
    runs,
    stream,
    placeOf: new Map(stream.map((word, place) => [word, place])),
    contextKeys: stream.map((word) => contextKeyOf(wordAt(runs.page, word).text)),
    runOf: runOfWord(runs),
    hashes: new Map(runs.runs.map((run) => [run, hashIn(run.text)])),
    labels: new Map(
      runs.runs.map((run) => [
        run,
        hashIn(
          labelWordsOf(runs, run)
            .map((word) => wordAt(runs.page, word).text)
            .join(" "),
        ),
      ]),
    ),
  };
}

/** Maximum number of rows above or below a text that are searched. */
const maxRows = 6;
/**
 * Minimum horizontal overlap of two texts in the same column, as a share (0 to 1) of the narrower
 * text.
 */
const minOverlap = 0.3;

/** Returns the runs above or below in the same column, nearest first. */
export function columnOf({ runs }: MemoryPage, run: TextRun, step: 1 | -1, most: number): TextRun[] {
  const found: TextRun[] = [];
  for (let row = run.row + step, tried = 0; tried < maxRows && found.length < most; row += step, tried++) {
    const other = runs.rows[row]?.find((each) => overlapShare(each.box, run.box) > minOverlap);
    if (other) found.push(other);
    if (runs.rows[row] === undefined) break;
  }
  return found;
}

/** Returns the nearest run to the left, in the same row. */
export const leftOf = ({ runs }: MemoryPage, run: TextRun): TextRun | undefined => runs.rows[run.row]?.[run.column - 1];
