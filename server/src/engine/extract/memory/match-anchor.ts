/** Finds the value that a learned anchor describes in another document. */
import type { LeafValue } from "../../engine.ts";
import { wordAt } from "../../page/text-runs.ts";
import { spansFor } from "./candidate-spans.ts";
import { besideOf, linesOf } from "./describe-anchor.ts";
import type { Anchor } from "./learned.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { isParsed, parsedIn, textOf, trimmed } from "./readings.ts";
import { neighboursOf, scoreSpan } from "./score-span.ts";
import type { Likeness } from "./skeleton.ts";
import { hashOf, keyOf } from "./text-keys.ts";

export interface Match {
  value: LeafValue;
  page: MemoryPage;
  words: readonly number[];
  /** 0 to 1: how well the span agrees with the anchor. */
  score: number;
  inferred: boolean;
}

/**
 * Minimum agreement at which a span counts as the value. Chosen by hand on two invented layouts,
 * 2026-11.
 */
const minScore = 0.55;

/**
 * Finds the span that agrees best with the anchor and returns its value. Undefined if no span
 * agrees enough.
 */
export function matchAnchor(anchor: Anchor, likeness: Likeness, view: MemoryView): Match | undefined {
  // A document without the anchor's label does not have the value.
  if (anchor.label !== "" && !view.texts.has(anchor.label)) return undefined;
  const neighbours = neighboursOf(anchor, likeness);
  const fixed = new Set([...likeness.boxes.keys()].map(({ hash }) => hash));
  let best: Match | undefined;
  for (const span of spansFor(anchor, view)) {
    const score = scoreSpan(anchor, span, neighbours, view, Math.max(minScore, best?.score ?? 0));
    if (score < minScore || score <= (best?.score ?? 0)) continue;
    // If a span is next to the label of another row, it is a different value. This happens in
    // documents that lack the learned value.
    const beside = besideOf(span.page, span.words);
    if (beside !== anchor.beside && fixed.has(beside)) continue;
    const value = valueAt(anchor, span.page, span.words, view);
    if (value !== undefined)
      best = { value, page: span.page, words: span.words, score, inferred: anchor.reading === "said" };
  }
  return best;
}

function valueAt(
  { reading, said, quote, joint }: Anchor,
  page: MemoryPage,
  words: readonly number[],
  { locale }: MemoryView,
): LeafValue | undefined {
  const text = textOf(page.runs, words);
  if (isParsed(reading)) return parsedIn(text, reading, locale)[0]?.value;
  const isSame = hashOf(keyOf(text)) === quote;
  if (reading === "said") return isSame ? said : undefined;
  if (keyOf(text) === "") return undefined;
  if (isSame && said !== undefined) return said;
  if (reading === "compact") return text.replace(/\s+/g, "");
  const lines = linesOf(page, words).map((line) =>
    trimmed(line.map((word) => wordAt(page.runs.page, word).text).join(" ")),
  );
  return trimmed(lines.join(joint));
}
