/**
 * Weights (0 to 1) for finding the lexicon concept that a field's name and description refer to.
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
   * A match is reduced by this share for each name that the concept lists before the matching name.
   */
  laterName: 0.004,
  /**
   * A match is reduced by this share for each phrase that precedes the matching phrase in the
   * description.
   */
  laterPhrase: 0.08,
};

/**
 * Weights of a description's phrases when they are used as labels of the field: `withConcept` if
 * the field's concept is known, `alone` if it is not.
 */
export const descriptionLabels = { withConcept: 0.6, alone: 0.85 };
