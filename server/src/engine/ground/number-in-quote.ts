/** Checks whether a quote contains a number. Uses the number parser of the built-in engine. */

import { foldLabel } from "../../language/folding.ts";
import { findDates } from "../values/dates.ts";
import { type DecimalMark, type FoundNumber, findNumbers } from "../values/numbers.ts";
import type { Conventions } from "./conventions.ts";
import type { QuotedValue } from "./value-in-quote.ts";

/** Words after a number that multiply it, such as "million". */
const scales: readonly (readonly [RegExp, number])[] = [
  [/^ ?(?:thousands?|tausend|tsd|mille|mila|miles|duizend|mil|k|t(?=eur))(?![\p{L}])/u, 1e3],
  [/^ ?(?:millions?|millionen|mio|mln|milioni|millones|milhoes|miljoen|mn|m)(?![\p{L}])/u, 1e6],
  [/^ ?(?:billions?|milliarden?|milliards?|mrd|mld|miliardi|miljard|bn|b)(?![\p{L}])/u, 1e9],
];
const debit = /^ ?(?:dr|cr|s|h)(?![\p{L}])\.?/u;
/** Matches a minus sign, or a dash used as one, with a space between it and the number. */
const looseSign = /^[(]?[-−–] |[^\d] ?[-−–] |\s[-−–]$/u;
const precision = 1e-9;

/**
 * Returns the numbers that a value of the model can mean. For example, "1.234" can mean two
 * numbers. Returns an empty array if the text is not a number.
 */
export function numberOf(value: unknown, conventions: Conventions): number[] {
  if (typeof value === "number") return Number.isFinite(value) ? [value] : [];
  if (typeof value !== "string") return [];
  const read = conventions.marks.flatMap((mark) => {
    const found = findNumbers(value.trim(), mark, conventions.currencies);
    return found.length === 1 && found[0] ? [found[0].value] : [];
  });
  return [...new Set(read)];
}

export function numberInQuote(value: unknown, quote: string, conventions: Conventions): QuotedValue | undefined {
  const spaced = withUnitsApart(quote);
  const dates = findDates(spaced.text, conventions.order);
  let inferred: QuotedValue | undefined;
  for (const wanted of numberOf(value, conventions)) {
    for (const mark of conventions.marks) {
      for (const found of numbersIn(spaced.text, mark, conventions)) {
        if (dates.some((date) => date.start < found.end && found.start < date.end)) continue;
        const match = relation(wanted, found, spaced.text);
        if (match === undefined) continue;
        const span = { start: spaced.back(found.start), end: spaced.back(found.end) };
        if (match !== "inferred") {
          const exact = quote.slice(span.start, span.end).includes(String(wanted));
          return { value: wanted, match: exact ? "exact" : "normalized", ...span };
        }
        inferred ??= { value: wanted, match, start: 0, end: quote.length };
      }
    }
  }
  return inferred;
}

/**
 * Returns the numbers of the text. Words in which no number was found are parsed again, one by one,
 * because numbers of adjacent columns can look like a single number.
 */
function numbersIn(text: string, mark: DecimalMark, { currencies }: Conventions): FoundNumber[] {
  const found = findNumbers(text, mark, currencies);
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    if (found.some((number) => number.start < index + word.length && index < number.end)) continue;
    // Do not read "345" as a number at the end of "12 345".
    if (/^\d{3}(?!\d)/.test(word) && /(?:^|[^\d.,])\d{1,3} $/.test(text.slice(0, index))) continue;
    for (const number of findNumbers(word, mark, currencies))
      found.push({ ...number, start: number.start + index, end: number.end + index });
  }
  return found;
}

function relation(wanted: number, found: FoundNumber, text: string): "normalized" | "inferred" | undefined {
  if (same(wanted, found.value)) return "normalized";
  const behind = foldLabel(text.slice(found.end, found.end + 16)).trimEnd();
  const written = text.slice(Math.max(0, found.start - 1), found.end);
  if (same(wanted, -found.value) && (looseSign.test(written) || debit.test(behind))) return "inferred";
  if (found.percent && same(wanted * 100, found.value)) return "inferred";
  const scale = scales.find(([pattern]) => pattern.test(behind))?.[1];
  return scale !== undefined && same(wanted, found.value * scale) ? "inferred" : undefined;
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= precision * Math.max(1, Math.abs(a), Math.abs(b));

/**
 * Inserts a space between number and unit, as in "15kg" or "400Stk". `back` converts an offset in
 * the new text to the offset in the original text.
 */
function withUnitsApart(quote: string): { text: string; back: (offset: number) => number } {
  const added: number[] = [];
  let text = "";
  let from = 0;
  for (const { 0: digits, index } of quote.matchAll(
    /(?<![\p{L}\p{N}.,_/#-])\d[\d.,]*(?=\p{L}{1,5}(?![\p{L}\p{N}]))/gu,
  )) {
    text += `${quote.slice(from, index + digits.length)} `;
    from = index + digits.length;
    added.push(text.length);
  }
  return {
    text: text + quote.slice(from),
    back: (offset) => offset - added.filter((at) => at <= offset).length,
  };
}
