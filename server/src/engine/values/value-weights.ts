/**
 * Quality (0 to 1) of a value: how well it fits the format of the requested kind. If several
 * factors apply to a value, they are multiplied. Chosen by hand on the development sets, 2026-11,
 * not fitted.
 */
export const valueQualities = {
  /** Code, such as an IBAN, that is confirmed neither by check digits nor by its format. */
  unchecked: 0.8,
  /**
   * Amount without a currency: `otherDecimals` if it has decimals but not two, `whole` if it has
   * none.
   */
  otherDecimals: 0.9,
  whole: 0.82,
  /** Whole number in a document whose amounts have cents. */
  wholeAmongCents: 0.6,
  /** Number that counts something, as in "30 Tage". */
  counting: 0.4,
  /** Number of 1e9 or more, or with a leading zero. */
  long: 0.3,
  /** Number of a legal section or a page, or a phone number. */
  cited: 0.2,
  /** Number that looks like a year, as in "May 2024". */
  year: 0.4,
  /** Number without a percent sign, if a percentage is requested. */
  withoutPercent: 0.6,
  /** Identifier in brackets (`bracketed`), or inside a date or an amount (`inOtherValue`). */
  bracketed: 0.5,
  inOtherValue: 0.2,
  /** Identifier that looks like an amount (`likeAmount`) or a time (`likeTime`). */
  likeAmount: 0.3,
  likeTime: 0.3,
  /** Identifier of one character (`oneCharacter`) or two (`twoCharacters`). */
  oneCharacter: 0.72,
  twoCharacters: 0.85,
};

/**
 * An amount with a lower quality than this may count things, as in "30 Tage". Its quality is then
 * reduced further if a word follows it.
 */
export const sureAmount = 0.9;
