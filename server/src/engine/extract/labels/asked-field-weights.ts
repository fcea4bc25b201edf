/**
 * Weights of the words that name a field, 0 to 1. Chosen by hand on the development sets, 2026-11;
 * no fit gives them.
 */
export const namingWeights = {
  /** Factor for a description that names a concept. */
  description: 0.8,
  /** Bonus of the weaker one of name and description, and of the description in any case. */
  weaker: 0.25,
  anyDescription: 0.1,
  /** Reduction per name of a concept and per phrase of a description, which are in order. */
  laterName: 0.004,
  laterPhrase: 0.08,
};

/** Weights of the phrases of a description as labels, with and without a known concept. */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
