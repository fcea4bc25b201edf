/** Finds dates in text and converts them to YYYY-MM-DD. */
import { cachedByText } from "../../language/cached-by-text.ts";
import { foldLabel } from "../../language/folding.ts";

export type DateOrder = "dmy" | "mdy";

export interface FoundDate {
  /** Start of the span in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Calendar date as YYYY-MM-DD. */
  value: string;
  /** True if the date could also be read with day and month swapped. */
  ambiguous: boolean;
}

/**
 * Abbreviations of months, folded, in English, German, French, Spanish, Italian, Dutch and
 * Portuguese.
 */
const monthStems: readonly string[][] = [
  ["jan", "janv", "janner", "jaen", "ene", "gen"],
  ["feb", "fev", "fevr", "februar", "fevrier"],
  ["mar", "marz", "maerz", "mrz", "maart", "mrt", "mars"],
  ["apr", "avr", "abr", "avril"],
  ["may", "mai", "mag", "mei"],
  ["jun", "juin", "giu", "juni"],
  ["jul", "juil", "lug", "juli", "juillet"],
  ["aug", "aou", "aout", "ago"],
  ["sep", "sept", "set"],
  ["oct", "okt", "ott", "out"],
  ["nov"],
  ["dec", "dez", "dic"],
];
const monthNames: readonly string[][] = [
  ["january", "januar", "janvier", "enero", "gennaio", "januari", "jaenner", "janeiro"],
  ["february", "februar", "fevrier", "febrero", "febbraio", "februari", "fevereiro"],
  ["march", "marz", "maerz", "mars", "marzo", "maart", "marco"],
  ["april", "avril", "abril", "aprile"],
  ["may", "mai", "mayo", "maggio", "mei", "maio"],
  ["june", "juni", "juin", "junio", "giugno", "junho"],
  ["july", "juli", "juillet", "julio", "luglio", "julho"],
  ["august", "aout", "agosto", "augustus"],
  ["september", "septembre", "septiembre", "setiembre", "settembre", "setembro"],
  ["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
  ["november", "novembre", "noviembre", "novembro"],
  ["december", "dezember", "decembre", "diciembre", "dicembre", "dezembro"],
];
const monthOf = new Map<string, number>();
for (let month = 0; month < 12; month++)
  for (const name of [...(monthStems[month] ?? []), ...(monthNames[month] ?? [])]) monthOf.set(name, month + 1);

const gap = "[ ]{0,2}";
const yearFirst = new RegExp(`(?<![\\d./-])(\\d{4})${gap}([-/.])${gap}(\\d{1,2})${gap}\\2${gap}(\\d{1,2})(?!\\d)`, "g");
const yearLast = new RegExp(
  `(?<![\\d.,/]|-(?=\\d{1,2}${gap}-))(\\d{1,2})${gap}([-/.])${gap}(\\d{1,2})${gap}\\2${gap}(\\d{4}|'?\\d{2})(?![\\d]|[.,/]\\d)`,
  "g",
);
const dayMonthName =
  /(?<![\p{L}\d])(\d{1,2})(?: ?(?:st|nd|rd|th|er)(?!\p{L})|\.|º|°)?[ .,/-]{0,3}(?:(?:day )?of |de )?(\p{L}{3,10})[ .,/'’-]{0,3}(?:de |del )?(\d{4}|\d{2})(?!\d)/giu;
const monthNameDay =
  /(?<!\p{L})(\p{L}{3,10})[ .-]{0,2}(\d{1,2})(?:st|nd|rd|th)?[ ]{0,2}[,. -]{1,3}'?(\d{4}|\d{2})(?![\d:])/giu;
const compact = /(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/g;

const fullYear = (text: string): number => {
  const year = Number(text.replace("'", ""));
  return text.length > 3 ? year : year < 70 ? 2000 + year : 1900 + year;
};

function toIso(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1000) return undefined;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > lastDay) return undefined;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns the order of day and month in `a/b/year`, or undefined if both orders are possible. */
export function numericOrder(a: number, b: number): DateOrder | undefined {
  if (a > 12 && b <= 12) return "dmy";
  if (b > 12 && a <= 12) return "mdy";
  return undefined;
}

/**
 * Finds all dates, from left to right and without overlaps. `order` determines how dates such as
 * 03/04/2020 are read.
 */
export const findDates = (text: string, order: DateOrder): readonly FoundDate[] =>
  /\d/.test(text) ? datesIn[order](text) : noDates;

const noDates: readonly FoundDate[] = [];
/**
 * Maximum number of texts whose dates are cached. The dates of a line are needed several times, for
 * several kinds of values.
 */
const maxCached = 5_000;

const datesIn = {
  dmy: cachedByText(maxCached, (text) => searchDates(text, "dmy")),
  mdy: cachedByText(maxCached, (text) => searchDates(text, "mdy")),
};

function searchDates(text: string, order: DateOrder): readonly FoundDate[] {
  const found = [...withYearFirst(text), ...withYearLast(text, order), ...withMonthName(text), ...withoutMarks(text)];
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundDate[] = [];
  for (const date of found) if (date.start >= (kept.at(-1)?.end ?? 0)) kept.push(date);
  return kept;
}

const dayMonthOnly =
  /(?<![\p{L}\d])(\d{1,2})(?: ?(?:st|nd|rd|th|er)(?!\p{L})|\.|º|°)? {0,2}(?:of |de )?(\p{L}{3,10})(?!\p{L})(?![ .,/'’-]{0,3}(?:de |del )?\d)/giu;
const monthDayOnly = /(?<!\p{L})(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?(?![\d:.,]\d|\d| ?%|(?:, ?|\s)\d{2})/giu;
const dayMonthDots = /(?<![\d.,/])(\d{1,2})\. ?(\d{1,2})\.(?! ?\d)/g;
const dayMonthSlash = /(?<![\d.,/-])(\d{2})\/(\d{2})(?![\d.,/-])/g;

/**
 * Finds days without a year, such as "21. März", "September 5" or "21/03", and completes them with
 * `year`.
 */
export function findDaysOfYear(text: string, year: number, order: DateOrder): FoundDate[] {
  if (!/\d/.test(text)) return [];
  const named = (match: RegExpExecArray, month: string | undefined, day: string | undefined): FoundDate[] => [
    ...dated(match, toIso(year, monthOf.get(foldLabel(month ?? "")) ?? 0, Number(day))),
  ];
  return [
    ...[...text.matchAll(dayMonthOnly)].flatMap((match) => named(match, match[2], match[1])),
    ...[...text.matchAll(monthDayOnly)].flatMap((match) => named(match, match[1], match[2])),
    ...[...text.matchAll(dayMonthDots)].flatMap((match) => [
      ...dated(match, toIso(year, Number(match[2]), Number(match[1]))),
    ]),
    ...[...text.matchAll(dayMonthSlash)].flatMap((match) => {
      const [a, b] = [Number(match[1]), Number(match[2])];
      return [...dated(match, order === "dmy" ? toIso(year, b, a) : toIso(year, a, b))];
    }),
  ];
}

function* withYearFirst(text: string): Generator<FoundDate> {
  for (const match of text.matchAll(yearFirst))
    yield* dated(match, toIso(Number(match[1]), Number(match[3]), Number(match[4])));
}

function* withYearLast(text: string, order: DateOrder): Generator<FoundDate> {
  for (const match of text.matchAll(yearLast)) {
    const [a, b] = [Number(match[1]), Number(match[3])];
    const year = fullYear(match[4] ?? "");
    // In a date with dots, the day is first: all countries that use dots put it first.
    const decided = numericOrder(a, b) ?? (match[2] === "." ? "dmy" : undefined);
    const iso = (decided ?? order) === "dmy" ? toIso(year, b, a) : toIso(year, a, b);
    yield* dated(match, iso, decided === undefined && a !== b);
  }
}

function* withMonthName(text: string): Generator<FoundDate> {
  for (const match of text.matchAll(dayMonthName)) {
    yield* dated(match, toIso(fullYear(match[3] ?? ""), monthOf.get(foldLabel(match[2] ?? "")) ?? 0, Number(match[1])));
  }
  for (const match of text.matchAll(monthNameDay)) {
    yield* dated(match, toIso(fullYear(match[3] ?? ""), monthOf.get(foldLabel(match[1] ?? "")) ?? 0, Number(match[2])));
  }
}

function* withoutMarks(text: string): Generator<FoundDate> {
  for (const match of text.matchAll(compact))
    yield* dated(match, toIso(Number(match[1]), Number(match[2]), Number(match[3])));
}

function* dated(match: RegExpExecArray, value: string | undefined, ambiguous = false): Generator<FoundDate> {
  if (value) yield { start: match.index, end: match.index + match[0].length, value, ambiguous };
}

/**
 * Counts the numeric dates for which only one order of day and month is possible. Dates with dots
 * are not counted, because their day is always first.
 */
export function orderVotes(text: string): { dmy: number; mdy: number } {
  const votes = { dmy: 0, mdy: 0 };
  for (const match of text.matchAll(yearLast)) {
    if (match[2] === ".") continue;
    const order = numericOrder(Number(match[1]), Number(match[3]));
    if (order) votes[order]++;
  }
  return votes;
}
