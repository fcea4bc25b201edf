/** Computes the features of a value that do not depend on a field. */

import { valueTypes, valueTypesOf } from "../../../language/value-types.ts";
import { overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import { isAddressLine, isStreetLine } from "../../values/address-lines.ts";
import { isLabel } from "../candidates/labelled-text.ts";
import { hasLegalForm, isProse, looksLikeName, nameKey } from "../candidates/names.ts";
import { looksLikePerson } from "../candidates/party-lines.ts";
import { partyCandidates } from "../parties/party-candidates.ts";
import type { PartyView } from "../parties/party-view.ts";
import type { PoolKind, PoolValue } from "./pool-value.ts";

const kinds: readonly PoolKind[] = [
  ...(["money", "number", "percent", "date", "code", "iban", "bic", "vat", "email", "phone", "url", "text"] as const),
  ...(["company", "person", "boolean", "statement", "address", "name"] as const),
];

export const valueFeatureNames: readonly string[] = [
  ...kinds.map((kind) => `kind ${kind}`),
  ...["quality", "lines", "page", "pages", "x", "y", "height", "bold", "ocr"],
  ...["length", "words", "digits", "capitals", "prose", "name", "person", "legal form", "address line", "is label"],
  ...["in row", "same value", "column repeats", "siblings", "label said", "has label"],
  ...["seller", "buyer", "order", "size rank", "street below", "bottom"],
  ...["colon inside", "share of run", "from start", "to end", "colon before"],
  ...["magnitude", "integer", "year", "negative", "unsigned", "currency beside", "unit behind", "percent"],
  ...["earlier dates", "later dates"],
  ...valueTypes.map((type) => `is ${type}`),
];

/** Facts about a document with which its values are compared. */
export interface DocumentFacts {
  pages: number;
  /** Median height of the text runs. */
  height: number;
  /** Heights of the text runs of each page, tallest first. */
  heights: readonly (readonly number[])[];
  /** Distinct dates, in order. */
  dates: readonly string[];
  /** For each text, the number of text runs that have exactly this text. */
  counts: ReadonlyMap<string, number>;
  /** Scores of names by their keys. The first map has the scores as seller, the second as buyer. */
  parties: readonly ReadonlyMap<string, number>[];
}

export function factsOf(view: PartyView): DocumentFacts {
  const { pages } = view.layout;
  const heights = pages.map(({ runs }) => runs.map(({ height }) => height).sort((a, b) => b - a));
  const all = heights.flat().sort((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const { runs } of pages) for (const { text } of runs) counts.set(text, (counts.get(text) ?? 0) + 1);
  return {
    pages: pages.length,
    height: all[all.length >> 1] ?? 1,
    heights,
    dates: [...new Set(view.places("date").map(({ found }) => String(found.value)))].sort(),
    counts,
    parties: (["seller", "buyer"] as const).map((party) => partyScores(party, view)),
  };
}

function partyScores(party: "seller" | "buyer", view: PartyView): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { value, score } of partyCandidates(party, view.votes())) {
    const key = nameKey(String(value));
    scores.set(key, Math.max(scores.get(key) ?? 0, score));
  }
  return scores;
}

/** Returns the text of a value as it is printed. */
export const printedOf = ({ value, run, start, end }: PoolValue): string =>
  typeof value === "string" ? value : run.text.slice(start, end);

/** Returns the features in the order of `valueFeatureNames`. A feature that does not apply is 0. */
export function valueFeatures(value: PoolValue, facts: DocumentFacts): Float32Array {
  const row = new Float32Array(valueFeatureNames.length);
  row[kinds.indexOf(value.kind)] = 1;
  let at = kinds.length;
  for (const numbers of [
    ofPosition(value, facts),
    ofWording(value),
    ofNeighbours(value, facts),
    ofRank(value, facts),
    ofSpan(value),
    ofNumberOrDate(value, facts),
    valueTypesOf(printedOf(value)),
  ])
    for (const number of numbers) row[at++] = number;
  return row;
}

function ofPosition({ quality, lines, page, run }: PoolValue, facts: DocumentFacts): number[] {
  const { width, height, source } = page.page;
  const [left, top] = run.box;
  const [pageNumber, pages] = [Math.min(run.page, 5), Math.min(facts.pages, 6)];
  const size = run.height / facts.height;
  return [
    quality,
    lines,
    pageNumber,
    pages,
    left / width,
    top / height,
    size,
    Number(run.bold),
    Number(source === "ocr"),
  ];
}

function ofWording({ value, run, start, end }: PoolValue): number[] {
  const text = String(value);
  const printed = run.text.slice(start, end);
  const [length, words] = [Math.min(text.length, 120), Math.min(countOf(text, /\S+/g), 20)];
  const digits = countOf(text, /\d/g) / Math.max(1, text.length);
  const capitals = countOf(text, /\p{Lu}/gu) / Math.max(1, countOf(text, /\p{L}/gu));
  const [prose, name, person] = [isProse(text), looksLikeName(printed), looksLikePerson(printed)].map(Number);
  const [legalForm, address, label] = [hasLegalForm(printed), isAddressLine(text), isLabel(printed)].map(Number);
  return [length, words, digits, capitals, prose, name, person, legalForm, address, label] as number[];
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Minimum overlap share of runs of one column. Chosen by hand, 2026-11. */
const minOverlap = 0.5;

function ofNeighbours({ page, run, contexts, value }: PoolValue, { counts }: DocumentFacts): number[] {
  const row = page.rows[run.row] ?? [];
  const shape = shapeOf(run.text);
  const repeats = [-2, -1, 1, 2].filter((step) => {
    const other = runBeside(page, run, step);
    return other !== undefined && shapeOf(other.text) === shape;
  }).length;
  const siblings = row.filter((other) => other !== run && /\d/.test(other.text)).length;
  // A value that begins with the text of its label may be a label itself.
  const said =
    typeof value === "string" && contexts.some(({ text }) => text.length > 2 && value.startsWith(text.trim()));
  const same = Math.min(counts.get(run.text) ?? 1, 6);
  return [Math.min(row.length, 10), same, repeats, Math.min(siblings, 8), Number(said), Number(contexts.length > 0)];
}

/** Returns the run in the same column, `step` rows further down, or up if `step` is negative. */
const runBeside = (page: PageRuns, run: TextRun, step: number): TextRun | undefined =>
  page.rows[run.row + step]?.find((other) => overlapShare(other.box, run.box) > minOverlap);

/** Returns the shape of the text. Each word becomes one letter, and each number one digit. */
const shapeOf = (text: string): string =>
  text
    .slice(0, 40)
    .replace(/\p{L}+/gu, "a")
    .replace(/\d+/g, "0");

/**
 * Two lines count as equally large if the ratio of their heights is at most this. Chosen by hand,
 * 2026-11.
 */
const sameHeight = 1.02;

function ofRank({ value, page, run, lines }: PoolValue, { heights, parties }: DocumentFacts): number[] {
  const key = nameKey(String(value));
  const below = runBeside(page, run, lines);
  const larger = (heights[run.page] ?? []).findIndex((height) => height <= run.height * sameHeight);
  const isAboveStreet = below !== undefined && (isStreetLine(below.text) || isAddressLine(below.text));
  const [seller, buyer] = [parties[0]?.get(key) ?? 0, parties[1]?.get(key) ?? 0];
  const fromBottom = Math.min(page.rows.length - run.row, 30);
  return [seller, buyer, Math.min(run.row, 60), Math.min(larger, 30), Number(isAboveStreet), fromBottom];
}

function ofSpan({ run: { text }, start, end }: PoolValue): number[] {
  const [inside, before] = [/[:：]/.test(text.slice(start, end)), /[:：]\s*$/.test(text.slice(0, start))];
  const share = (end - start) / Math.max(1, text.length);
  return [Number(inside), share, Number(start === 0), Number(end >= text.length), Number(before)];
}

const currency = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|INR|AUD|Fr\.?)\b/u;

function ofNumberOrDate({ kind, value, isUnsigned, run, start, end }: PoolValue, { dates }: DocumentFacts): number[] {
  const isNumber = typeof value === "number";
  const number = isNumber ? value : 0;
  const size = Math.log10(Math.abs(number) + 1);
  const isWhole = isNumber && Number.isInteger(number);
  const isYear = isWhole && number >= 1900 && number < 2100;
  const printed = run.text.slice(start, end);
  const after = run.text.slice(end, end + 12);
  const around = `${run.text.slice(Math.max(0, start - 5), start)}${printed}${after.slice(0, 5)}`;
  const [inCurrency, withUnit] = [currency.test(around), /^\s?\p{L}/u.test(after)];
  const isPercent = /%/.test(printed + after.slice(0, 2));
  const date = kind === "date" ? dates.indexOf(String(value)) : -1;
  const [earlier, later] = date < 0 ? [0, 0] : [Math.min(date, 8), Math.min(dates.length - 1 - date, 8)];
  return [
    size,
    Number(isWhole),
    Number(isYear),
    Number(number < 0),
    Number(isUnsigned === true),
    Number(inCurrency),
    Number(withUnit),
    Number(isPercent),
    earlier,
    later,
  ];
}
