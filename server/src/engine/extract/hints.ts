/** Where in a document an answer may stand: a value with the words that label it and those that it may go on in. */

import type { ValueKind } from "../lexicon/all-concepts.ts";
import { type DocumentRuns, overlapShare, type PageRuns, type TextRun } from "../page/text-runs.ts";
import type { AskedField } from "./labels/asked-fields.ts";

export interface Hint {
  /** Index of the document's pages. */
  page: number;
  /** Indices of the page's words. */
  words: number[];
}

/** How many runs above and below in its column may belong to a value that has no form to tell where it ends. */
const goingOn: Partial<Record<ValueKind, { up: number; down: number }>> = {
  name: { up: 0, down: 1 },
  address: { up: 3, down: 2 },
  text: { up: 0, down: 2 },
  boolean: { up: 0, down: 0 },
};

/** Around the words of a run that give a value. */
export function hintOf(kind: ValueKind, run: TextRun, words: readonly number[], layout: DocumentRuns): Hint {
  const page = layout.pages[run.page] as PageRuns;
  const { up, down } = goingOn[kind] ?? { up: 0, down: 0 };
  const around = [...column(page, run, -1, up), ...column(page, run, 1, down)];
  const label = kind in goingOn ? undefined : labelOf(page, run, words);
  const others = [...around, ...(label ? [label] : [])].flatMap((each) => each.words);
  return { page: run.page, words: [...new Set([...words, ...run.words, ...others])] };
}

/** What stands to the left of a value that has no words before it in its own run, or else above it. */
function labelOf(page: PageRuns, run: TextRun, words: readonly number[]): TextRun | undefined {
  const at = run.words.indexOf(words[0] ?? -1);
  if (hasLetters(run.text.slice(0, run.starts[at] ?? 0))) return undefined;
  const left = (page.rows[run.row] ?? []).slice(0, run.column).reverse();
  return left.find(({ text }) => hasLetters(text)) ?? above(page, run);
}

/** In any language: whoever is shown it may know it. */
const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text);

const mostRowsUp = 40;

function above(page: PageRuns, run: TextRun): TextRun | undefined {
  for (let row = run.row - 1; row >= Math.max(0, run.row - mostRowsUp); row--) {
    const over = page.rows[row]?.find((other) => overlapShare(other.box, run.box) > 0 && hasLetters(other.text));
    if (over) return over;
  }
  return undefined;
}

/** At most so many runs one after the other, close to each other. */
function column(page: PageRuns, run: TextRun, step: 1 | -1, most: number): TextRun[] {
  const found: TextRun[] = [];
  for (let next = nextIn(page, run, step); next && found.length < most; next = nextIn(page, next, step))
    found.push(next);
  return found;
}

const maxGap = 1.3;
const minOverlap = 0.3;

/** On the next row, or the one behind that where the next has nothing in the column. */
function nextIn(page: PageRuns, run: TextRun, step: 1 | -1): TextRun | undefined {
  const next = [run.row + step, run.row + 2 * step]
    .map((row) => page.rows[row]?.find((other) => overlapShare(other.box, run.box) > minOverlap))
    .find((other) => other !== undefined);
  if (!next) return undefined;
  const gap = step > 0 ? next.box[1] - run.box[3] : run.box[1] - next.box[3];
  return gap < maxGap * run.height ? next : undefined;
}

const mostLabels = 3;
const minLabel = 0.8;
const maxLabelLength = 40;

/** What is labelled with words for a param that has no form, whether the built-in engine reads a value there or not. */
export function labelsOf({ kind, score }: AskedField, { pages }: DocumentRuns): Hint[] {
  if (!(kind in goingOn)) return [];
  const labels = pages.flatMap((page) =>
    page.runs.flatMap((run) => {
      const label = run.text.slice(0, maxLabelLength).split(":")[0] ?? "";
      const likeness = score(label);
      return likeness >= minLabel ? [{ page, run, likeness }] : [];
    }),
  );
  return labels
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostLabels)
    .map(({ page, run }) => {
      const right = page.rows[run.row]?.[run.column + 1];
      const around = [run, ...column(page, run, 1, 1), ...(right ? [right] : [])];
      return { page: run.page, words: around.flatMap((each) => each.words) };
    });
}

/** Names stand above their addresses. */
const headRows: Partial<Record<ValueKind, number>> = { name: 5, address: 9 };

/** The first rows of the document, where papers say whose they are, for a param that asks for that. */
export function headOf({ kind, party }: AskedField, { pages }: DocumentRuns): Hint[] {
  const rows = headRows[kind];
  const [first] = pages;
  if (!first || rows === undefined || party === "buyer" || party === "consignee") return [];
  const words = first.rows.slice(0, rows).flatMap((row) => row.flatMap((run) => run.words));
  return [{ page: 0, words }];
}
