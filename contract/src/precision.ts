/**
 * The wanted precision of an extractor: the share of its values that should be correct. Users
 * choose from a few shares.
 */
import Type from "./type.ts";

export const precisions = [0.95, 0.98, 0.99] as const;
export type Precision = (typeof precisions)[number];

/** Schema of `wanted_precision`. */
export const wantedPrecision = Type.Union([Type.Literal(0.95), Type.Literal(0.98), Type.Literal(0.99), Type.Null()], {
  description:
    "Wanted share of correct values. If it is set, extractions list the values that need a review in `metadata.needs_review`. See the coverage of " +
    "the extractor. If it is absent, no values are listed. `null` removes the setting.",
  examples: [0.98],
});
