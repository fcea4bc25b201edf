/**
 * Finds candidates for one field: all values of the field's kind, each with a score that depends
 * mainly on its label.
 */
import type { Box } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import { type DocumentRuns, type PageRuns, type TextRun, unionOf, wordAt, wordsBetween } from "../../page/text-runs.ts";
import { type FoundValue, findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import { wrappedIban } from "../../values/wrapped-iban.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type Context, contextsOf } from "../labels/label-contexts.ts";
import { withoutPunctuation } from "../labels/label-scores.ts";

export interface Candidate {
  value: LeafValue;
  /** Index into `layout.pages`. */
  page: number;
  /** Indices into the page's words that show the value. */
  words: readonly number[];
  match: "exact" | "normalized" | "inferred";
  /**
   * 0 to 1: score of the label, multiplied by how well the value matches the format of its kind.
   */
  score: number;
  run: TextRun;
  /** Start of the span in the run's text, in UTF-16 units. */
  start: number;
  end: number;
}

/**
 * A value with the texts around it that may be its label. It does not depend on the field, so all
 * fields of one kind share the same labelled values.
 */
export interface LabelledValue {
  page: PageRuns;
  run: TextRun;
  found: FoundValue;
  words: number[];
  contexts: readonly Context[];
}

export type LabelledValues = (kind: AskedField["kind"]) => readonly LabelledValue[];

/**
 * Returns a function that returns the values of a kind. The values are searched for at most once
 * per kind and document.
 */
export function placesOf(layout: DocumentRuns, locale: Locale): LabelledValues {
  const known = new Map<AskedField["kind"], LabelledValue[]>();
  return (kind) => {
    const before = known.get(kind);
    if (before) return before;
    const places = layout.pages.flatMap((page) => page.runs.flatMap((run) => placesIn(page, run, kind, locale)));
    known.set(kind, places);
    return places;
  };
}

function placesIn(page: PageRuns, run: TextRun, kind: AskedField["kind"], locale: Locale): LabelledValue[] {
  const places = findValues(run.text, kind, locale).flatMap((found) => {
    const words = wordsBetween(run, found.start, found.end);
    if (words.length === 0) return [];
    const box = boxOf(page, words);
    return [{ page, run, found, words, contexts: contextsOf(page, run, found.start, found.end, box) }];
  });
  if (kind === "iban") return withWrapped(page, run, places);
  if (kind === "date") for (let at = 1; at < places.length; at++) markRange(places[at - 1], places[at]);
  return places;
}

/** Replaces the first part of an IBAN by the whole IBAN, if the IBAN continues in a lower row. */
function withWrapped(page: PageRuns, run: TextRun, places: readonly LabelledValue[]): LabelledValue[] {
  const wrapped = wrappedIban(page, run);
  if (!wrapped) return [...places];
  const { start, text, words } = wrapped;
  const end = run.text.length;
  const found: FoundValue = { start, end, value: text, match: "exact", quality: 1 };
  const own = words.filter((word) => run.words.includes(word));
  const contexts = contextsOf(page, run, start, end, boxOf(page, own));
  return [...places.filter((place) => place.found.start < start), { page, run, found, words, contexts }];
}

const rangeMark = /^[\s]*(?:-|–|—|to|bis|au|al|hasta|a|t\/m|tot|through|thru|until)[\s]*$/iu;

/**
 * Adds "start" and "end" to the label that the two dates of a range share, as in "Period 1/5 -
 * 31/5".
 */
function markRange(first: LabelledValue | undefined, last: LabelledValue | undefined): void {
  if (!first || !last || !rangeMark.test(first.run.text.slice(first.found.end, last.found.start))) return;
  const shared = first.contexts;
  first.contexts = shared.flatMap((context) => [
    context,
    { ...context, text: `${withoutPunctuation(context.text)} start` },
  ]);
  last.contexts = shared.map((context) => ({ ...context, text: `${withoutPunctuation(context.text)} end` }));
}

export function boxOf(page: PageRuns, words: readonly number[]): Box {
  return words.map((index) => wordAt(page.page, index).box).reduce(unionOf);
}

/** Returns the values whose labels match the field, best first. */
export function findCandidates(query: AskedField, places: LabelledValues): Candidate[] {
  return places(query.kind)
    .map((place) => scored(query, place))
    .filter((candidate) => candidate.score > 0)
    .sort(byScore);
}

/** Sorts by score, highest first. Equal scores stay in reading order. */
export const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || a.page - b.page || a.run.row - b.run.row || a.start - b.start;

export function scored(query: AskedField, place: LabelledValue): Candidate {
  let label = 0;
  for (const context of place.contexts) label = Math.max(label, context.factor * query.score(context.text));
  const { found, run, words } = place;
  return {
    value: found.value,
    page: run.page,
    words,
    match: found.match,
    score: label * found.quality,
    run,
    start: found.start,
    end: found.end,
  };
}
