/**
 * Weights of the built-in answers. They are parts of features that are about 0 to 1. Chosen by hand
 * on the development sets (SQuAD 2.0, PIAF and XQuAD), 2026-11. The weights that combine the
 * features are fitted, and stand beside the code that uses them.
 */

/** Certainty that a span holds a value of the asked type (0 to 1), if it is not full. */
export const typeWeights = {
  /** Any number, if a time is asked. */
  digitForTime: 0.4,
  /** Factors for a number without the sign of its type, such as "€" or "%". */
  numberForMoney: 0.5,
  numberForPercent: 0.4,
  /** Number in words, and in Chinese numerals. */
  numberWord: 0.9,
  chineseNumber: 0.8,
  /** Number that may be a year. */
  yearForNumber: 0.4,
  /** Any span of a script without letter case. */
  caseless: 0.5,
  /**
   * Single capitalized word inside a sentence, and the same in German, where all nouns are
   * capitalized.
   */
  capitalized: 0.8,
  germanNoun: 0.4,
  /** Single capitalized word at the beginning of a sentence. */
  firstWord: 0.3,
  /** Factor for a place without a preposition of place before it. */
  withoutPlaceMark: 0.7,
};

/** Strength of the match (0 to 1) of a passage word and a question term, if their stems differ. */
export const matchStrengths = {
  /** Word of the same family in business documents. */
  family: 0.7,
  /** Part of a compound. */
  compound: 0.7,
  /** Shared beginning. */
  beginning: 0.55,
};

/**
 * Minimum share of the longer word that a shared beginning covers. `lessOne` allows for one letter
 * less.
 */
export const beginningShares = { lessOne: 0.6, whole: 0.55 };

/** Factors for the weight of a question term. */
export const termFactors = {
  /** Name, number or code that must occur as written. */
  exact: 1.2,
  /** Noun that names the asked type, as in "which year". */
  focus: 0.5,
  /**
   * Count that is added to each term's count, so that a term that no unit has gets a finite weight.
   */
  smoothing: 0.5,
};

/** Value of the features for the asked type and manner if the question asks for none. */
export const notAsked = 0.5;
