/** Scores how well a label names a field by the meaning of both, not by shared words. */
import { dot, meaningOf } from "../../../language/meaning.ts";
import type { FieldMeaning } from "./field-meaning.ts";
import { cachedByLabel, type LabelScorer } from "./label-scores.ts";

/**
 * Cosine above which a label scores more than 0, and cosine at which it gets the maximum score.
 * Chosen on papers-a (2026-11): the F1 of fields is between 0.49 and 0.51 for `minCosine` from 0.45
 * to 0.5 and `fullCosine` from 0.8 to 0.88.
 */
const minCosine = 0.45;
const fullCosine = 0.85;
/**
 * Maximum score, so that a label that shares words with the field ranks higher. At 0.9 a badly read
 * page gave wrong values with high confidence. Chosen by hand, 2026-11.
 */
const maxScore = 0.75;
/**
 * Factor for the cosine of the name without the description. A name may be short and vague. Chosen
 * by hand, 2026-11.
 */
const ofName = 0.9;
/** Characters at the end of a label that are compared, in UTF-16 units. Chosen by hand, 2026-11. */
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
