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
   * Reductions for a match that is not the first: for each earlier name of the concept, and for
   * each earlier phrase of the description.
   */
  laterName: 0.004,
  laterPhrase: 0.08,
};

/**
 * A field can have the phrases of its description as labels. These are their weights: the first for
 * fields whose concept is known, the second for other fields.
 */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
