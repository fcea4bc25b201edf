/**
 * Finds hints for a language model. A hint is a part of a page where a value may be. It usually
 * includes the value's label, or the adjacent text into which the value may continue.
 */

import { itemAt } from "../../lib/item-at.ts";
import type { ValueKind } from "../lexicon/all-concepts.ts";
import { type DocumentRuns, overlapShare, type PageRuns, type TextRun } from "../page/text-runs.ts";
import type { AskedField } from "./labels/asked-fields.ts";

export interface Hint {
  /** Index into the document's pages. */
  page: number;
  /** Indices into the page's words. */
  words: number[];
}

/**
 * Maximum number of adjacent text runs, above (`up`) and below (`down`) in the same column, that
 * are added to a hint because the value may continue there. Only kinds without a fixed format have
 * an entry. Chosen by hand, 2026-11.
 */
const goingOn: Partial<Record<ValueKind, { up: number; down: number }>> = {
  name: { up: 0, down: 1 },
  address: { up: 3, down: 2 },
  text: { up: 0, down: 2 },
  boolean: { up: 0, down: 0 },
};

/**
 * Returns a hint that contains the value's text run. If the kind has a fixed format, the hint also
 * contains the label; otherwise, it contains the adjacent runs.
 */
export function hintOf(kind: ValueKind, run: TextRun, words: readonly number[], layout: DocumentRuns): Hint {
  const page = itemAt(layout.pages, run.page);
  const { up, down } = goingOn[kind] ?? { up: 0, down: 0 };
  const around = [...column(page, run, -1, up), ...column(page, run, 1, down)];
  const label = kind in goingOn ? undefined : labelOf(page, run, words);
  const others = [...around, ...(label ? [label] : [])].flatMap((each) => each.words);
  return { page: run.page, words: [...new Set([...words, ...run.words, ...others])] };
}

/**
 * Returns the label of a value: the nearest text run to its left or, if there is none, the nearest
 * run above it. Undefined if the value's own run has words before the value.
 */
function labelOf(page: PageRuns, run: TextRun, words: readonly number[]): TextRun | undefined {
  const at = run.words.indexOf(words[0] ?? -1);
  if (hasLetters(run.text.slice(0, run.starts[at] ?? 0))) return undefined;
  const left = (page.rows[run.row] ?? []).slice(0, run.column).reverse();
  return left.find(({ text }) => hasLetters(text)) ?? above(page, run);
}

/**
 * A label in any language is accepted, because the model that reads the hint may know words that
 * the lexicon lacks.
 */
const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text);

/** Maximum number of rows that are searched upwards for a label. Chosen by hand, 2026-11. */
const mostRowsUp = 40;

function above(page: PageRuns, run: TextRun): TextRun | undefined {
  for (let row = run.row - 1; row >= Math.max(0, run.row - mostRowsUp); row--) {
    const over = page.rows[row]?.find((other) => overlapShare(other.box, run.box) > 0 && hasLetters(other.text));
    if (over) return over;
  }
  return undefined;
}

/**
 * Returns up to `most` text runs above or below the run in the same column, each close to the
 * previous one.
 */
function column(page: PageRuns, run: TextRun, step: 1 | -1, most: number): TextRun[] {
  const found: TextRun[] = [];
  for (let next = nextIn(page, run, step); next && found.length < most; next = nextIn(page, next, step))
    found.push(next);
  return found;
}

/** Maximum gap between runs of one column, in line heights. Chosen by hand, 2026-11. */
const maxGap = 1.3;
/**
 * Minimum horizontal overlap of two runs in the same column, as a share (0 to 1) of the narrower
 * run. Chosen by hand, 2026-11.
 */
const minOverlap = 0.3;

/**
 * Returns the next run in the column: the run in the next row or, if there is none, in the row
 * after it.
 */
function nextIn(page: PageRuns, run: TextRun, step: 1 | -1): TextRun | undefined {
  const next = [run.row + step, run.row + 2 * step]
    .map((row) => page.rows[row]?.find((other) => overlapShare(other.box, run.box) > minOverlap))
    .find((other) => other !== undefined);
  if (!next) return undefined;
  const gap = step > 0 ? next.box[1] - run.box[3] : run.box[1] - next.box[3];
  return gap < maxGap * run.height ? next : undefined;
}

/** Maximum number of labels that become hints. Chosen by hand, 2026-11. */
const mostLabels = 3;
/** Minimum score of a label that becomes a hint. Chosen by hand, 2026-11. */
const minLabel = 0.8;
/**
 * Only this many UTF-16 units at the start of a run are read as a label. Chosen by hand, 2026-11.
 */
const maxLabelLength = 40;

/**
 * If the field's kind has no fixed format, finds the labels that match the field best. Returns a
 * hint with each label and the texts beside and below it, even if the built-in engine found no
 * value there.
 */
export function labelsOf({ kind, score: scoreOf }: AskedField, { pages }: DocumentRuns): Hint[] {
  if (!(kind in goingOn)) return [];
  const labels = pages.flatMap((page) =>
    page.runs.flatMap((run) => {
      const label = run.text.slice(0, maxLabelLength).split(":")[0] ?? "";
      const score = scoreOf(label);
      return score >= minLabel ? [{ page, run, score }] : [];
    }),
  );
  return labels
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostLabels)
    .map(({ page, run }) => {
      const right = page.rows[run.row]?.[run.column + 1];
      const around = [run, ...column(page, run, 1, 1), ...(right ? [right] : [])];
      return { page: run.page, words: around.flatMap((each) => each.words) };
    });
}

/**
 * Number of rows at the top of the first page that may contain a value, by the kind of the value.
 * The number is larger for addresses, because names are printed above them. Chosen by hand,
 * 2026-11.
 */
const headRows: Partial<Record<ValueKind, number>> = { name: 5, address: 9 };

/**
 * Returns a hint with the first rows of the document, because issuers print their name and address
 * there. Returns no hint for kinds other than name and address, or for fields of the addressee.
 */
export function headOf({ kind, party }: AskedField, { pages }: DocumentRuns): Hint[] {
  const rows = headRows[kind];
  const [first] = pages;
  if (!first || rows === undefined || party === "buyer" || party === "consignee") return [];
  const words = first.rows.slice(0, rows).flatMap((row) => row.flatMap((run) => run.words));
  return [{ page: 0, words }];
}
