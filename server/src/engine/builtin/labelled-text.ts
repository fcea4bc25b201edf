/** Labelled text, for params whose value has no form of its own. */
import { byScore, type Candidate } from "./candidates.ts";
import { type LabelScorer, labelTerms } from "./labels.ts";
import { wordsBetween } from "./layout.ts";
import { isProse } from "./names.ts";
import { type Pair, type Span, spanText } from "./pairs.ts";
import type { Query } from "./params.ts";
import { isFamily } from "./terms.ts";

/** The words of a span as a candidate. */
export function toCandidate(span: Span, score: number): Candidate {
  const words = wordsBetween(span.segment, span.start, span.end);
  return {
    value: spanText(span),
    page: span.segment.page,
    words,
    match: "exact",
    score,
    segment: span.segment,
    start: span.start,
    end: span.end,
  };
}

/** Below this no candidate is kept. */
const minLabelled = 0.25;
const labelAsValue = 0.35;
const minAsked = 0.9;
const maxUnmarkedLength = 80;

/** Without a mark between label and value only a short text that doesn't go on as a sentence can be told apart. */
const startsAsValue = (value: Span): boolean =>
  value.segment.text.length <= maxUnmarkedLength && !/^\p{Ll}/u.test(spanText(value)) && !isProse(spanText(value));

/** True for a text of nothing but words that labels are made of: what stands there is the next label, not a value. */
export function isLabel(text: string): boolean {
  if (text.length > 50 || /\d/.test(text)) return false;
  const terms = labelTerms(text).filter((term) => term.weight > 0);
  return terms.length > 0 && terms.every((term) => isFamily(term.texts[0] ?? ""));
}

/** Candidates of labelled text for a query, the best first. */
export function textCandidates(query: Query, pairs: readonly Pair[], asked: LabelScorer): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { label, value, factor, marked } of pairs) {
    const labelled = query.score(label) * factor;
    if (labelled <= minLabelled || (!marked && !startsAsValue(value))) continue;
    const text = spanText(value);
    const score = labelled * (isLabel(text) || asked(text) >= minAsked ? labelAsValue : 1);
    if (score > minLabelled) candidates.push(toCandidate(value, score));
  }
  return candidates.sort(byScore);
}
