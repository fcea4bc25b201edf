/**
 * Formats and parses values: numbers and dates in the notation of a language, and text copied from
 * a page.
 */
import type { FieldParam, Scalar } from "./review-model.ts";

/** Formats a value for display; undefined if there is no value. */
export function shownValue(value: Scalar, format: FieldParam["format"], locale: string): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "number") return numberFormat(locale).format(value);
  if (format === "date" && typeof value === "string") return shownDate(value, locale);
  return String(value);
}

function shownDate(iso: string, locale: string): string {
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return iso;
  return dateFormat(locale).format(date);
}

const numberFormat = once((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }));
const dateFormat = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }));

/**
 * Creates a formatter once for each language and keeps it, because grids format thousands of
 * values.
 */
function once<F>(make: (locale: string) => F): (locale: string) => F {
  const known = new Map<string, F>();
  return (locale) => {
    const format = known.get(locale) ?? make(locale);
    known.set(locale, format);
    return format;
  };
}

/** Formats a value for an input. */
export function typedValue(value: Scalar, locale: string): string {
  if (value === null) return "";
  if (typeof value === "number")
    return new Intl.NumberFormat(locale, { maximumFractionDigits: 20, useGrouping: false }).format(value);
  return String(value);
}

export type Parsed = { value: Scalar } | { problem: "number" | "date" };

/** Parses the text of an input. Empty text means no value. */
export function parseValue(text: string, format: FieldParam["format"], locale: string): Parsed {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  if (format === "number") {
    const value = parseNumber(trimmed, locale);
    return value === undefined ? { problem: "number" } : { value };
  }
  if (format === "date") {
    const value = parseDate(trimmed, locale);
    return value === undefined ? { problem: "date" } : { value };
  }
  if (format === "boolean") return { value: trimmed === "true" };
  return { value: trimmed };
}

/** Returns the decimal separator of a language: "." or ",". */
const decimalOf = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";

/**
 * Parses a number in the notation of any language, possibly with currency signs and units around
 * it. Only numbers such as "1,234" and "1.234" are ambiguous. Their separator is read as decimal if
 * it is the decimal separator of `locale`.
 */
export function parseNumber(text: string, locale: string): number | undefined {
  const isNegative = /^\s*\(.*\)\s*$/.test(text) || /[-−–]\s*[^\d]*\d|\d\s*[-−–]\s*$/.test(text);
  const runs = text.match(/\d[\d.,'’\s]*\d|\d/g) ?? [];
  const [run] = runs;
  // The text contains two numbers, so it is unclear which one is meant.
  if (run === undefined || runs.length > 1) return undefined;
  const digits = run.replace(/['’\s]/g, "");
  const decimal = decimalSeparator(digits, locale);
  const [whole, fraction = "", ...more] = decimal === undefined ? [digits] : digits.split(decimal);
  if (more.length > 0 || /[.,]/.test(fraction)) return undefined;
  const value = Number(`${whole?.replace(/[.,]/g, "")}.${fraction || "0"}`);
  if (!Number.isFinite(value)) return undefined;
  return isNegative && value !== 0 ? -value : value;
}

function decimalSeparator(digits: string, locale: string): string | undefined {
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  const others = new Set(marks).size > 1;
  if (!others && marks.length > 1) return undefined;
  if (others) return last;
  const isGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
  return isGroup && last !== decimalOf(locale) ? undefined : last;
}

const monthLanguages = ["en", "de", "fr", "es"];
let monthNames: Map<string, number> | undefined;

/**
 * Returns a map from month names and abbreviations, in lower case and without a full stop, to month
 * numbers.
 */
function months(): Map<string, number> {
  if (monthNames !== undefined) return monthNames;
  monthNames = new Map();
  for (const language of monthLanguages)
    for (const style of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" });
      for (let month = 0; month < 12; month++)
        monthNames.set(
          format
            .format(Date.UTC(2000, month, 15))
            .toLowerCase()
            .replace(/\.$/, ""),
          month + 1,
        );
    }
  return monthNames;
}

/**
 * Parses a date and returns it as `YYYY-MM-DD`. The month may be a number or a name. Dates such as
 * 03/04/2026 are read in the usual order of `locale`, unless only the other order is a valid date.
 */
export function parseDate(text: string, locale: string): string | undefined {
  const iso = /(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text);
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts = text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
  const named = parts.find((part) => months().has(part));
  const numbers = parts.filter((part) => /^\d+$/.test(part));
  if (named !== undefined) {
    const year = numbers.find((part) => part.length === 4) ?? numbers[1];
    const day = numbers.find((part) => part !== year && part.length <= 2);
    return year && day ? dateOf(fullYear(year), months().get(named) ?? 0, Number(day)) : undefined;
  }
  if (numbers.length !== 3) return undefined;
  const [one = "", two = "", three = ""] = numbers;
  if (one.length === 4) return dateOf(Number(one), Number(two), Number(three));
  const [first, second, year] = [Number(one), Number(two), fullYear(three)];
  const monthIsFirst = !text.includes(".") && isMonthFirst(locale);
  return monthIsFirst
    ? (dateOf(year, first, second) ?? dateOf(year, second, first))
    : (dateOf(year, second, first) ?? dateOf(year, first, second));
}

const fullYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text));

function isMonthFirst(locale: string): boolean {
  const [first] = new Intl.DateTimeFormat(locale).formatToParts(0).filter(({ type }) => type !== "literal");
  return first?.type === "month";
}

function dateOf(year: number, month: number, day: number): string | undefined {
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
