/** A span of a document that could be the value of some field. */
import type { LeafValue } from "../../engine.ts";
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import type { RunSpan } from "../../page/run-spans.ts";
import { type PageRuns, type TextRun, wordsBetween } from "../../page/text-runs.ts";
import { boxOf } from "../candidates/find-candidates.ts";
import { type Context, contextsOf } from "../labels/label-contexts.ts";
import type { Surroundings } from "./surroundings.ts";

/** Kind of value that a text in the pool was recognized as. */
export type PoolKind = ValueKind | "company" | "person" | "statement";

export interface PoolValue {
  kind: PoolKind;
  value: LeafValue;
  match: "exact" | "normalized" | "inferred";
  /** How well the text matches the format of its kind, 0 to 1. */
  quality: number;
  /** True if the number is printed as a negative number, but `value` is its absolute value. */
  isUnsigned?: true;
  page: PageRuns;
  run: TextRun;
  /** Span in the run's text, in UTF-16 units. */
  start: number;
  end: number;
  words: readonly number[];
  /** Number of lines of the value. */
  lines: number;
  contexts: readonly Context[];
  /** Sentence around the value, without the value itself. Empty if the value is in no sentence. */
  sentence: string;
  /** Nearest heading above. A heading is larger or bold text on a line of its own. */
  section: string;
}

/**
 * Maximum number of values that are collected for fields of one format. An ordinary page has up to
 * 200. Chosen by hand, 2026-11.
 */
export const maxValues = 2_500;

/** Returns the texts that may be labels of a span. */
export const contextsOfSpan = ({ page, run, start, end }: RunSpan): Context[] =>
  contextsOf(page, run, start, end, boxOf(page, wordsBetween(run, start, end)));

/**
 * Returns a value that is not printed but inferred from the words of a span, such as true for a
 * ticked box.
 */
export function inferredValue(
  { page, run, start, end }: RunSpan,
  found: Pick<PoolValue, "kind" | "value" | "quality" | "contexts">,
  surroundings: Surroundings,
): PoolValue {
  const words = wordsBetween(run, start, end);
  const around = surroundings.of({ page, run, start, end });
  return { ...found, match: "inferred", page, run, start, end, words, lines: 1, ...around };
}
