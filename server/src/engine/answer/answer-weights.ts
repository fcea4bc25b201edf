/**
 * Weights of the built-in answers, as parts of features that are about 0 to 1. Chosen by hand on the
 * development sets (SQuAD 2.0, PIAF and XQuAD), 2026-11. The weights that combine the features are
 * fitted, and are beside their code.
 */

/** How surely a span holds a value of the asked type (0 to 1), if not fully. */
export const typeWeights = {
  /** Any number, for a time. */
  digitForTime: 0.4,
  /** Factors for a number without the sign of its type. */
  numberForMoney: 0.5,
  numberForPercent: 0.4,
  /** Number in words, and in Chinese numerals. */
  numberWord: 0.9,
  chineseNumber: 0.8,
  /** Number that may be a year. */
  yearForNumber: 0.4,
  /** Any span of a script without letter case. */
  caseless: 0.5,
  /** Single capitalized word inside a sentence, and in German, where all nouns are capitalized. */
  capitalized: 0.8,
  germanNoun: 0.4,
  /** Single capitalized word at the beginning of a sentence. */
  firstWord: 0.3,
  /** Factor for a place without a preposition of place before it. */
  withoutPlaceMark: 0.7,
};

/** How well a word of a passage matches a term of the question (0 to 1), if not by its stem. */
export const matchStrengths = {
  /** Word of the same family in business documents. */
  family: 0.7,
  /** Part of a compound. */
  compound: 0.7,
  /** Shared beginning. */
  beginning: 0.55,
};

/** Minimum share of the longer word that a shared beginning covers, also less one letter. */
export const beginningShares = { lessOne: 0.6, whole: 0.55 };

/** Factors for the weight of a question term. */
export const termFactors = {
  /** Name, number or code that must occur as written. */
  exact: 1.2,
  /** Noun that names the asked type, as in "which year". */
  focus: 0.5,
  /** Count added to each term's, so that a term that no unit has gets a finite weight. */
  smoothing: 0.5,
};

/** Feature of a type or a manner that the question does not ask for. */
export const notAsked = 0.5;
