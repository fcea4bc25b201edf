/**
 * Quality (0 to 1) of a value: how well it has the form of the requested kind. If several factors
 * apply to a value, they are multiplied. Chosen by hand on the development sets, 2026-11, not
 * fitted.
 */
export const valueQualities = {
  /** Code, such as an IBAN, that is confirmed neither by check digits nor by its form. */
  unchecked: 0.8,
  /**
   * Amount without a currency: `otherDecimals` if it has decimals but not two, `whole` if it has
   * none.
   */
  otherDecimals: 0.9,
  whole: 0.82,
  /** Whole number in a document whose amounts have cents. */
  wholeAmongCents: 0.6,
  /** Number that says how many of the next word there are, as in "30 Tage". */
  counting: 0.4,
  /** Number of 1e9 or more, or with a zero in front. */
  long: 0.3,
  /** Number of a legal section, a page or a phone. */
  cited: 0.2,
  /** Number that is a year, as in "May 2024". */
  year: 0.4,
  /** Number without a percent sign, if a percentage is requested. */
  withoutPercent: 0.6,
  /** Identifier in brackets, and identifier inside a date or an amount. */
  bracketed: 0.5,
  inOtherValue: 0.2,
  /** Identifier that looks like an amount or a time. */
  likeAmount: 0.3,
  likeTime: 0.3,
  /** Identifier of one character, and identifier of two. */
  oneCharacter: 0.72,
  twoCharacters: 0.85,
};

/** If an amount has a lower quality, the word after it is considered too. */
export const sureAmount = 0.9;
