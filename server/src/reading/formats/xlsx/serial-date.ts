/** Formats dates and times of spreadsheets. They are stored as a number of days since an epoch. */
import type { DateToken, FormatSection, FormatToken } from "./format-code.ts";

interface Moment {
  year: number;
  month: number;
  day: number;
  /** Day of the week. 0 is Sunday. */
  weekday: number;
  /** Number of whole seconds since midnight. */
  seconds: number;
  /** Fraction of a second, less than 1. */
  subseconds: number;
  /** Number of days since the epoch, with the time as a fraction of the day. */
  serial: number;
}

const daySeconds = 86_400;
const dayMs = daySeconds * 1000;
const days1904 = 1462;
/** The day 9999-12-31. */
const lastDay = 2_958_465;

/**
 * Returns the date and time of a serial number, rounded to `digits` decimal places of a second.
 * Returns undefined if spreadsheets show no date for the number.
 */
function momentOf(serial: number, is1904: boolean, digits: number): Moment | undefined {
  const shifted = serial + (is1904 ? days1904 : 0);
  if (!(shifted >= 0) || shifted >= lastDay + 1) return undefined;
  const parts = 10 ** digits;
  const total = Math.round(shifted * daySeconds * parts) / parts;
  const day = Math.floor(total / daySeconds + 1e-12);
  const rest = Math.max(0, total - day * daySeconds);
  const seconds = Math.floor(rest + 1e-6);
  return { ...dateOf(day), seconds, subseconds: Math.max(0, rest - seconds), serial: total / daySeconds };
}

/**
 * Converts a day number to a date. In spreadsheets, day 60 is 29 February 1900, which did not
 * exist, and day 0 is 0 January 1900.
 */
function dateOf(day: number): Pick<Moment, "year" | "month" | "day" | "weekday"> {
  const weekday = (day + 6) % 7;
  if (day === 0) return { year: 1900, month: 1, day: 0, weekday };
  if (day === 60) return { year: 1900, month: 2, day: 29, weekday };
  const date = new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday };
}

/** Returns a date as text, or undefined if the number is not a date. */
export function dateText(serial: number, section: FormatSection, is1904: boolean): string | undefined {
  const tokens = section.system === undefined ? section.tokens : systemTokens[section.system];
  const digits = tokens.reduce((most, token) => (token.kind === "subsecond" ? Math.max(most, token.length) : most), 0);
  const moment = momentOf(serial, is1904, digits);
  if (moment === undefined) return undefined;
  const halves = tokens.some(({ kind }) => kind === "half");
  const settings = { language: languageOf(section.language), halves };
  return tokens.map((token) => tokenText(token, moment, settings)).join("");
}

const dash: FormatToken = { kind: "literal", text: "-" };
const colon: FormatToken = { kind: "literal", text: ":" };
const part = (unit: "year" | "month" | "day" | "hour" | "minute" | "second", length = 2): FormatToken => ({
  ...{ kind: "date", unit, length },
});

/**
 * Tokens of the formats "system date" and "system time". Spreadsheet programs display them
 * according to the settings of the computer. Here, they are shown in an international format, as in
 * 2026-11-30.
 */
const systemTokens: Readonly<Record<"date" | "time", readonly FormatToken[]>> = {
  date: [part("year", 4), dash, part("month"), dash, part("day")],
  time: [part("hour"), colon, part("minute"), colon, part("second")],
};

interface Settings {
  language: string;
  /** True for a 12-hour clock. */
  halves: boolean;
}

function tokenText(token: FormatToken, moment: Moment, settings: Settings): string {
  switch (token.kind) {
    case "literal":
      return token.text;
    case "date":
      return dateField(token, moment, settings);
    case "elapsed":
      return String(elapsed(token, moment)).padStart(token.length, "0");
    case "subsecond":
      return `.${moment.subseconds.toFixed(token.length).slice(2)}`;
    case "half":
      return moment.seconds < daySeconds / 2 ? token.morning : token.afternoon;
    default:
      return "";
  }
}

function elapsed({ unit }: Extract<DateToken, { kind: "elapsed" }>, { serial }: Moment): number {
  const seconds = Math.round(serial * daySeconds);
  return Math.floor(unit === "hour" ? seconds / 3600 : unit === "minute" ? seconds / 60 : seconds);
}

function dateField({ unit, length }: Extract<DateToken, { kind: "date" }>, moment: Moment, settings: Settings): string {
  const short = (value: number) => String(value).padStart(Math.min(length, 2), "0");
  switch (unit) {
    case "year":
      return length <= 2 ? String(moment.year % 100).padStart(2, "0") : String(moment.year).padStart(4, "0");
    case "buddhist":
      return String(moment.year + 543);
    case "month":
      return length <= 2 ? short(moment.month) : monthName(moment.month, length, settings.language);
    case "day":
      return length <= 2 ? short(moment.day) : dayName(moment.weekday, length, settings.language);
    case "hour": {
      const hour = Math.floor(moment.seconds / 3600);
      return short(settings.halves ? hour % 12 || 12 : hour);
    }
    case "minute":
      return short(Math.floor(moment.seconds / 60) % 60);
    case "second":
      return short(moment.seconds % 60);
  }
}

function monthName(month: number, length: number, language: string): string {
  const name = nameOf(Date.UTC(2021, month - 1, 1), language, { month: length === 3 ? "short" : "long" });
  return length === 5 ? ([...name][0] ?? "") : name;
}

/** Returns the name of a day of the week. 3 January 2021 was a Sunday. */
const dayName = (weekday: number, length: number, language: string): string =>
  nameOf(Date.UTC(2021, 0, 3 + weekday), language, { weekday: length === 3 ? "short" : "long" });

const formats = new Map<string, Intl.DateTimeFormat>();

function nameOf(time: number, language: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${options.month ?? ""} ${options.weekday ?? ""}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
    formats.set(key, format);
  }
  return format.format(time);
}

/** Languages by the lower ten bits of their Windows language identifier. */
const languages: Readonly<Record<number, string>> = {
  ...{ 1: "ar", 2: "bg", 3: "ca", 4: "zh", 5: "cs", 6: "da", 7: "de", 8: "el", 9: "en", 10: "es", 11: "fi", 12: "fr" },
  ...{ 13: "he", 14: "hu", 16: "it", 17: "ja", 18: "ko", 19: "nl", 20: "nb", 21: "pl", 22: "pt", 24: "ro", 25: "ru" },
  ...{ 26: "hr", 27: "sk", 29: "sv", 30: "th", 31: "tr", 34: "uk", 36: "sl", 42: "vi" },
};

const languageOf = (code: number | undefined): string => languages[(code ?? 9) & 0x3ff] ?? "en";

/**
 * Returns the serial number of a date in the notation of the strict file format:
 * `2026-11-21T08:30:00`.
 */
export function serialOf(text: string, is1904: boolean): number | undefined {
  const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/u.test(text) || !text.includes("T") ? text : `${text}Z`);
  if (Number.isNaN(time)) return undefined;
  return (time - Date.UTC(1899, 11, 30)) / dayMs - (is1904 ? days1904 : 0);
}
