/**
 * Weights that the built-in engine uses to compute the features for answering. The features are
 * about 0 to 1. Chosen by hand on the development sets (SQuAD 2.0, PIAF and XQuAD), 2026-11. The
 * weights that combine the features are fitted. They are defined next to the code that uses them.
 */

/**
 * How strongly (0 to 1) uncertain evidence suggests that a text contains a value of the type that
 * the question asks for.
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
  /** Number that may be a year, if the question asks for a number. */
  yearForNumber: 0.4,
  /** Any span in a script without letter case, if the question asks for a person, place or name. */
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
   * Factor for a name that does not follow a preposition of place, such as "in". It applies if the
   * question asks for a place.
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
 * Minimum length of the common beginning of two words, as a share of the length of the longer word.
 * The beginning alone must reach `whole`, and the beginning plus one letter must reach `lessOne`.
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
 * Neutral value of two features: of `type` if the question does not ask for a type of value, and of
 * `manner` if the question asks for neither a reason nor a definition.
 */
export const notAsked = 0.5;
