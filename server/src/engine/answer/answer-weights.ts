/**
 * Weights of the built-in answering that are factors inside features. The features are about 0 to
 * 1. Chosen by hand on the development sets (SQuAD 2.0, PIAF and XQuAD), 2026-11. The weights that
 * combine the features are fitted, and are defined next to the code that uses them.
 */

/**
 * Degrees (0 to 1) to which uncertain evidence suggests a value of the type that the question asks
 * for.
 */
export const typeWeights = {
  /** Any number, if the question asks for a time. */
  digitForTime: 0.4,
  /** Number without a currency sign or word, such as "€", if the question asks for money. */
  numberForMoney: 0.5,
  /** Number without "%", if the question asks for a percentage. */
  numberForPercent: 0.4,
  /** Number in words. */
  numberWord: 0.9,
  /** Number in Chinese numerals. */
  chineseNumber: 0.8,
  /** Number that may be a year. */
  yearForNumber: 0.4,
  /** Any span of a script without letter case. */
  caseless: 0.5,
  /**
   * Single capitalized word inside a sentence. In German it counts less, because all nouns are
   * capitalized.
   */
  capitalized: 0.8,
  germanNoun: 0.4,
  /** Single capitalized word at the beginning of a sentence. */
  firstWord: 0.3,
  /**
   * Factor for a name without a preposition of place, such as "in", before it, if the question asks
   * for a place.
   */
  withoutPlaceMark: 0.7,
};

/** Strength (0 to 1) with which a passage word matches a question term with a different stem. */
export const matchStrengths = {
  /** Word of the same family in business documents, such as "invoice" and "Rechnung". */
  family: 0.7,
  /** One word is a part of the other, as in a German compound. */
  compound: 0.7,
  /** Both words begin with the same letters. */
  beginning: 0.55,
};

/**
 * Minimum length of the beginning that two words share, relative to the length of the longer word.
 * The beginning plus one letter must reach `lessOne`, and the beginning alone must reach `whole`.
 */
export const beginningShares = { lessOne: 0.6, whole: 0.55 };

/** Factors for the weight of a question term. */
export const termFactors = {
  /** Name, number or code that must occur as written. */
  exact: 1.2,
  /** Noun that names the type that the question asks for, as in "which year". */
  focus: 0.5,
  /** Added to the count of each term, so that a term that occurs in no unit has a finite weight. */
  smoothing: 0.5,
};

/**
 * Value of the feature `type` if the question asks for no type, and of the feature `manner` if it
 * asks for neither a reason nor a definition.
 */
export const notAsked = 0.5;
