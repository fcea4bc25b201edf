/**
 * Scores how well a label names a field by similar meaning, even if the two have no word in common.
 */
import { dot, meaningOf } from "../../../language/meaning.ts";
import type { FieldMeaning } from "./field-meaning.ts";
import { cachedByLabel, type LabelScorer } from "./label-scores.ts";

/**
 * A label scores 0 up to a cosine of `minCosine`, and the maximum from `fullCosine` upwards. On
 * papers-a, F1 is between 0.49 and 0.51 for any `minCosine` from 0.45 to 0.5 and any `fullCosine`
 * from 0.8 to 0.88. Chosen on papers-a, 2026-11.
 */
const minCosine = 0.45;
const fullCosine = 0.85;
/**
 * Maximum score by meaning. It is below 1 so that labels that share words with the field rank
 * higher. With 0.9, a badly read page gave wrong values with high confidence. Chosen by hand,
 * 2026-11.
 */
const maxScore = 0.75;
/**
 * Factor for the cosine between a label and the field's name without its description. A name alone
 * may be short and vague. Chosen by hand, 2026-11.
 */
const ofName = 0.9;
/** Only this many UTF-16 units at the end of a label are compared. Chosen by hand, 2026-11. */
const maxLabelLength = 70;

/** Returns a function that scores labels for a field. */
export function meaningScorer({ description, both, name }: FieldMeaning): LabelScorer {
  const asked = [
    { vector: description, factor: 1 },
    { vector: both, factor: 1 },
    { vector: name, factor: ofName },
  ];
  return cachedByLabel(maxLabelLength, (label) => {
    const vector = meaningOf(label);
    if (vector === undefined) return 0;
    let cosine = Number.NEGATIVE_INFINITY;
    for (const each of asked) cosine = Math.max(cosine, each.vector ? each.factor * dot(each.vector, vector) : 0);
    return maxScore * Math.min(1, Math.max(0, (cosine - minCosine) / (fullCosine - minCosine)));
  });
}
