/**
 * Weights (0 to 1) for finding the concept of the lexicon that a field's name and description mean.
 * Chosen by hand on the development sets, 2026-11, not fitted.
 */
export const namingWeights = {
  /** Factor for the match of a concept with the description. */
  description: 0.8,
  /**
   * Bonus for a field whose name and description both match the concept: `weaker` times the weaker
   * match, plus `anyDescription` times the match of the description.
   */
  weaker: 0.25,
  anyDescription: 0.1,
  /**
   * Reductions of a match: for each name that the concept has before the matching one, and for each
   * phrase that the description has before the matching one.
   */
  laterName: 0.004,
  laterPhrase: 0.08,
};

/**
 * The phrases of a description may be labels of the field. These are their weights for a field
 * whose concept is known, and for any other field.
 */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
