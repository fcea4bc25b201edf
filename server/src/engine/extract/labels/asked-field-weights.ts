/**
 * Weights (0 to 1) for finding the concept of the lexicon that a field's name and description mean.
 * Chosen by hand on the development sets, 2026-11, not fitted.
 */
export const namingWeights = {
  /** Factor for the match of a concept with the description. */
  description: 0.8,
  /**
   * Bonus for a field whose name and description both match the concept. It is multiplied by the
   * weaker of the two matches.
   */
  weaker: 0.25,
  /**
   * Bonus for a description that matches the concept. It is multiplied by the match of the
   * description.
   */
  anyDescription: 0.1,
  /**
   * Share by which a match is reduced for each name that the concept lists before the matching
   * name.
   */
  laterName: 0.004,
  /**
   * Share by which a match is reduced for each phrase of the description before the matching
   * phrase.
   */
  laterPhrase: 0.08,
};

/**
 * The phrases of a description may be labels of the field. These are their weights for a field
 * whose concept is known, and for any other field.
 */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
