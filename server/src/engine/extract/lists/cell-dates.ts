/** Reads dates in list cells, including dates that are printed without a year. */
import { findDaysOfYear } from "../../values/dates.ts";
import { type FoundValue, findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";

/**
 * Matches a cell that contains only a day and a month in digits, optionally after the name of a
 * weekday.
 */
const dayAndMonth = /^(?:\p{L}{1,10}[.,]? )?(\d{1,2})[./-] ?(\d{1,2})\.?$/u;

/** Quality (0 to 1) of a date whose year is printed elsewhere. Chosen by hand, 2026-11. */
const withoutYear = 0.6;

/**
 * Returns the first date of a cell. Dates in a statement or time sheet are often printed without a
 * year. They are assumed to be in the document's most frequent year.
 */
export function dateInCell(text: string, locale: Locale): FoundValue | undefined {
  const [whole] = findValues(text, "date", locale);
  if (whole || locale.year === undefined) return whole;
  const match = dayAndMonth.exec(text.trim());
  const [named] = findDaysOfYear(match ? inWords(match, locale) : text, locale.year, locale.order);
  if (!named) return undefined;
  const [start, end] = match ? [0, text.length] : [named.start, named.end];
  return { start, end, value: named.value, match: "inferred", quality: withoutYear };
}

/**
 * Rewrites a date such as "05/14" as "14.05.". In this notation, the day comes first in every
 * country.
 */
function inWords(match: RegExpExecArray, { order }: Locale): string {
  const [first = "", second = ""] = [match[1], match[2]];
  const isMonthFirst = Number(second) > 12 || (order === "mdy" && Number(first) <= 12 && !match[0].includes("."));
  return isMonthFirst ? `${second}.${first}.` : `${first}.${second}.`;
}
