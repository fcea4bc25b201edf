/**
 * Checks the evidence of values independently of the engine's code: the words in the boxes must
 * equal the quote, and the quote must contain the value.
 */
import type { Evidence, EvidenceValue, LeafValue, Value } from "../../server/src/engine/engine.ts";
import type { Document } from "../../server/src/reading/document.ts";

export interface Leaf {
  /**
   * Path to the value, such as `["lines", 0, "amount"]`: the names of the fields, from the
   * outermost to the innermost. The index of a row comes after the name of its list.
   */
  path: (string | number)[];
  value: LeafValue;
  evidence: Evidence | null;
}

/** Returns all single values of a result, including those in lists, with their evidence. */
export function leavesOf(value: Value, evidence: EvidenceValue, path: (string | number)[] = []): Leaf[] {
  if (!Array.isArray(value)) return [{ path, value, evidence: Array.isArray(evidence) ? null : evidence }];
  return value.flatMap((record, at) =>
    Object.entries(record).flatMap(([name, inner]) =>
      leavesOf(inner, (Array.isArray(evidence) ? evidence[at]?.[name] : null) ?? null, [...path, at, name]),
    ),
  );
}

/**
 * Returns true if the quote equals the words whose centres are inside the boxes, in reading order.
 */
export function boxesGiveQuote(document: Document, { page, boxes, quote }: Evidence): boolean {
  const words = document.pages[page - 1]?.words ?? [];
  const inside = words.filter(({ box }) => {
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    return boxes.some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
  });
  return inside.map((word) => word.text).join(" ") === quote && quote.length > 0;
}

/** Returns true if a person who sees only the quote would find the value in it. */
export function quoteGivesValue(value: LeafValue, { quote, match }: Evidence): boolean {
  if (typeof value === "boolean") return match === "inferred";
  if (typeof value === "number")
    return numbersIn(quote).some((number) => Math.abs(Math.abs(number) - Math.abs(value)) < 1e-9);
  if (value === null) return false;
  if (match === "exact") return quote.includes(value);
  return (
    lettersOf(quote).includes(lettersOf(value)) ||
    datesIn(quote, value) ||
    currencyMarks.some(([mark, code]) => code === value && quote.includes(mark))
  );
}

/** Returns the letters and digits of a text, in lower case. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const currencyMarks: readonly (readonly [string, string])[] = [
  ["€", "EUR"],
  ["EURO", "EUR"],
  ["$", "USD"],
  ["Dollar", "USD"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₹", "INR"],
  ["Rs", "INR"],
  ["RM", "MYR"],
  ["CHF", "CHF"],
];

/**
 * Returns every number that the digits may represent, because the decimal separator may be a point
 * or a comma.
 */
function numbersIn(quote: string): number[] {
  const found = quote.replace(/['’ ](?=\d{3})/g, "").match(/[.,]?\d[\d.,]*/g) ?? [];
  return found.flatMap((digits) => {
    const text = digits.replace(/[.,]+$/, "");
    return [text.replaceAll(",", ""), text.replaceAll(".", "").replace(",", "."), text.replace(/[.,]/g, "")]
      .map(Number)
      .filter(Number.isFinite);
  });
}

/** Returns true if the quote contains the year, the day, and the month as a number or a word. */
function datesIn(quote: string, value: string): boolean {
  const [year = "", month = "", day = ""] = value.split("-");
  const numbers = (quote.match(/\d+/g) ?? [])
    .flatMap((digits) => (digits.length === 8 ? [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)] : [digits]))
    .map(Number);
  const has = (digits: string) => numbers.includes(Number(digits));
  return (has(year) || has(year.slice(2))) && has(day) && (has(month) || /\p{L}{3}/u.test(quote));
}
