/**
 * Qualities of found values, 0 to 1: how well a form matches the requested kind. They multiply.
 * Chosen by hand on the development sets, 2026-11; no fit gives them.
 */
export const valueQualities = {
  /** Code of a strict form without a valid check digit. */
  unchecked: 0.8,
  /** Amount without a currency and two decimals: with other decimals, and a whole number. */
  otherDecimals: 0.9,
  whole: 0.82,
  /** Whole number in a document whose amounts have cents. */
  wholeAmongCents: 0.6,
  /** Amount that counts the word after it, as in "30 Tage". */
  counting: 0.4,
  /** Amount of 1e9 or more, or with a leading zero. */
  long: 0.3,
  /** Number of a legal section, a page or a phone. */
  cited: 0.2,
  /** Year after a word, as in "May 2024". */
  year: 0.4,
  /** Percentage without a percent sign. */
  withoutPercent: 0.6,
  /** Identifier in brackets, and one that is part of a date or an amount. */
  bracketed: 0.5,
  inOtherValue: 0.2,
  /** Identifier that looks like an amount or a time. */
  likeAmount: 0.3,
  likeTime: 0.3,
  /** Identifier with one letter or digit, and with two. */
  oneCharacter: 0.72,
  twoCharacters: 0.85,
};

/** Quality of an amount below which the word after it counts. */
export const sureAmount = 0.9;
