/** Recognizes numbers in cells. Columns of numbers are the best evidence of a table. */

const currency = String.raw`(?:\p{Sc}|[A-Z]{3}|Rs\.?|kr\.?|Fr\.?)`;
const digits = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+`;
const unit = String.raw`(?:%|\p{Sc}|\p{L}{1,5}\.?[²³]?|\p{L}{1,3}/\p{L}{1,3})`;
const number = new RegExp(
  String.raw`^[-–−+(]*\s?(?:${currency})?\s?[-–−+]?\s?(?:${digits})\s?${unit}?\)?\s?${unit}?\)?$`,
  "u",
);
/** Matches a number with a trailing minus sign, as in accounting. */
const negative = /^\d[\d.,]*[.,]\d{2}\s?[-–−]$/;
const amount = /\d[.,]\d{2,4}(?!\d)/;

/** Returns true for a single number. It may have a currency, a sign or a short unit. */
export const isNumber = (text: string): boolean =>
  text.length <= 30 && hasDigit(text) && (number.test(text) || negative.test(text));

/** Returns true for a number with decimals, as prices have. */
export const isAmount = (text: string): boolean => amount.test(text) && isNumber(text);

export const hasDigit = (text: string): boolean => /\d/.test(text);
