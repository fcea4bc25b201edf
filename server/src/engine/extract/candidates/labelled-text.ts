/** Finds text after or below a label, for fields whose values have no fixed format. */

import { isFamily } from "../../lexicon/family-terms.ts";
import { endsAsLabel, type Pair } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText } from "../../page/run-spans.ts";
import { wordsBetween } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type LabelScorer, labelTerms } from "../labels/label-scores.ts";
import { byScore, type Candidate } from "./find-candidates.ts";
import { isProse, nameSpan, withoutRegister } from "./names.ts";

/**
 * Cuts the span of a name to the name itself, without a registration number after it. Spans of
 * other kinds are returned unchanged.
 */
const asKind = (query: AskedField, value: RunSpan): RunSpan =>
  query.kind === "name"
    ? (nameSpan(value) ?? { ...value, end: value.start + withoutRegister(spanText(value)) })
    : value;

/** Maximum number of lines of one value. Chosen by hand, 2026-11. */
const maxLines = 5;
/** Maximum gap between lines of one value, in line heights. Chosen by hand, 2026-11. */
const maxLineGap = 0.75;

/**
 * Maximum difference between the left edges of a value's lines, in line heights. Chosen by hand,
 * 2026-11.
 */
const maxIndent = 0.6;

/**
 * Extends a value by the lines directly below it that begin at the same left edge. Stops at a line
 * that may be a label, or that has other text to its left.
 */
function withNextLines(value: RunSpan, score: number, asked: LabelScorer): Candidate {
  const candidate = toCandidate(value, score);
  const { page, run } = value;
  const left = value.start === 0 ? run.box[0] : undefined;
  if (left === undefined || run.column === 0) return candidate;
  const words = [...candidate.words];
  let text = String(candidate.value);
  let low = run;
  for (let row = run.row + 1; row < page.rows.length && row < run.row + maxLines; row++) {
    const next = page.rows[row]?.[0];
    const goesOn =
      next &&
      Math.abs(next.box[0] - left) < maxIndent * low.height &&
      next.box[1] - low.box[3] < maxLineGap * low.height;
    if (
      !goesOn ||
      endsAsLabel(next.text) ||
      /^[^:]{2,30}:\s/.test(next.text) ||
      isLabel(next.text) ||
      asked(next.text) >= minAsked
    )
      break;
    words.push(...next.words);
    text += ` ${next.text}`;
    low = next;
  }
  return { ...candidate, words, value: text };
}

/** Returns a candidate that consists of the words of a span. */
export function toCandidate(span: RunSpan, score: number): Candidate {
  const words = wordsBetween(span.run, span.start, span.end);
  return {
    value: spanText(span),
    page: span.run.page,
    words,
    match: "exact",
    score,
    run: span.run,
    start: span.start,
    end: span.end,
  };
}

/** Minimum score of a labelled candidate. Chosen by hand, 2026-11. */
const minLabelled = 0.25;
/** Factor for the score of a value that looks like a label itself. Chosen by hand, 2026-11. */
const labelAsValue = 0.35;
/**
 * Minimum score at which a text counts as the label of a requested field. Chosen by hand, 2026-11.
 */
const minAsked = 0.9;
/**
 * Maximum length, in UTF-16 units, of a text run whose label and value are not separated by a mark
 * such as a colon. Chosen by hand, 2026-11.
 */
const maxUnmarkedLength = 80;

/**
 * Returns true for a short text that does not continue a sentence. Other text is a value only if a
 * mark such as a colon follows the label.
 */
const startsAsValue = (value: RunSpan): boolean =>
  value.run.text.length <= maxUnmarkedLength && !/^\p{Ll}/u.test(spanText(value)) && !isProse(spanText(value));

/**
 * Returns true for text that consists only of label words. Such text is the next label, not a
 * value.
 */
export function isLabel(text: string): boolean {
  if (text.length > 50 || /\d/.test(text)) return false;
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return terms.length > 0 && terms.every((term) => isFamily(term.texts[0] ?? ""));
}

/** Returns the candidates of labelled text for a field, best first. */
export function textCandidates(query: AskedField, pairs: readonly Pair[], asked: LabelScorer): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { label, value, factor, marked } of pairs) {
    const labelled = query.score(label) * factor;
    if (labelled <= minLabelled || (!marked && !startsAsValue(value))) continue;
    const text = spanText(value);
    const score = labelled * (isLabel(text) || asked(text) >= minAsked ? labelAsValue : 1);
    if (score > minLabelled)
      candidates.push(
        query.kind === "text" ? withNextLines(value, score, asked) : toCandidate(asKind(query, value), score),
      );
  }
  return candidates.sort(byScore);
}
