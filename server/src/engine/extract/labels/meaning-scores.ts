/** Scores how well a label names a field by what both mean, not by shared words. */
import { spellOut } from "../../../language/label-tokens.ts";
import { likeness, meaningOf } from "../../../language/meaning.ts";
import type { LabelScorer } from "./label-scores.ts";

/**
 * Likeness at which a label begins to name a field, and at which it names it as surely as can be
 * known. Chosen on papers-a (2026-11): from 0.45 to 0.5 and 0.8 to 0.88 the F1 of fields is 0.49 to
 * 0.51.
 */
const leastLike = 0.45;
const mostLike = 0.85;
/**
 * Maximum score: a label that shares the words of the field is better. At 0.9 a badly read page gave
 * wrong values with high confidence. Chosen by hand, 2026-11.
 */
const maxScore = 0.75;
/** Factor for the likeness of the name alone, which may be short and vague. Chosen by hand, 2026-11. */
const ofName = 0.9;
/** Characters at the end of a label that are compared, in UTF-16 units. Chosen by hand, 2026-11. */
const maxLabelLength = 70;

/** @param name of the field, in code style or words */
export function meaningScorer(name: string, description: string): LabelScorer {
  const words = spellOut(name);
  const asks = [
    { vector: meaningOf(description), factor: 1 },
    { vector: meaningOf(`${words} ${description}`), factor: 1 },
    { vector: meaningOf(words), factor: ofName },
  ];
  return (label) => {
    const vector = meaningOf(label.slice(-maxLabelLength));
    if (vector === undefined) return 0;
    const like = Math.max(...asks.map((ask) => (ask.vector ? ask.factor * likeness(ask.vector, vector) : 0)));
    return maxScore * Math.min(1, Math.max(0, (like - leastLike) / (mostLike - leastLike)));
  };
}
