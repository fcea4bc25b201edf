/**
 * Weights, 0 to 1, for finding the concept of a field by its name and description. Chosen by hand
 * on the development sets, 2026-11, not fitted.
 */
export const namingWeights = {
  /** Factor for the match of a concept with the description. */
  description: 0.8,
  /**
   * Bonus for the weaker of the two matches, by name and by description. `anyDescription` is added
   * for any match of the description.
   */
  weaker: 0.25,
  anyDescription: 0.1,
  /**
   * Reduction for each name of the concept, and each phrase of the description, that comes before
   * the matching one.
   */
  laterName: 0.004,
  laterPhrase: 0.08,
};

/** Weights of a description's phrases as labels, with and without a known concept. */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
