/**
 * Quality of a found value, 0 to 1: how well its form matches the requested kind. Factors that
 * apply to one value are multiplied. Chosen by hand on the development sets, 2026-11, not fitted.
 */
export const valueQualities = {
  /** Code that has a strict form but no valid check digit. */
  unchecked: 0.8,
  /** Amount without a currency that has other than two decimals, and one that has none. */
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
  /** Number without a percent sign, if a percentage is requested. */
  withoutPercent: 0.6,
  /** Identifier in brackets, and identifier that is part of a date or an amount. */
  bracketed: 0.5,
  inOtherValue: 0.2,
  /** Identifier that looks like an amount or a time. */
  likeAmount: 0.3,
  likeTime: 0.3,
  /** Identifier of a single letter or digit, and of two. */
  oneCharacter: 0.72,
  twoCharacters: 0.85,
};

/** Quality of an amount below which the word after the amount is considered. */
export const sureAmount = 0.9;
