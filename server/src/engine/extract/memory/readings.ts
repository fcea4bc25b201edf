/**
 * Defines readings. A reading turns words into a value; for example, it parses "1.234,50 €" as a
 * number.
 */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../engine.ts";
import { type PageRuns, type TextRun, wordAt } from "../../page/text-runs.ts";
import { type FoundValue, findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import { keyOf } from "./text-keys.ts";

/**
 * `text`: as printed. `compact`: without spaces. `number`, `negative`, `date`, `currency`: parsed.
 * `dmy`, `mdy`: a date, parsed in this order of day and month. `said`: the value that a user gave;
 * it is used only where the same words are printed.
 */
export type Reading = "text" | "compact" | "number" | "negative" | "date" | "dmy" | "mdy" | "currency" | "said";

export const isParsed = (reading: Reading): boolean =>
  reading !== "text" && reading !== "compact" && reading !== "said";

/**
 * Maximum difference between numbers that count as equal: half a cent, plus a margin for
 * floating-point errors.
 */
const tolerance = 0.0051;

/**
 * Returns true if two values of a field are the same. For texts, only letters and digits are
 * compared.
 */
export function isSameValue(a: LeafValue, b: LeafValue): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < tolerance;
  if (typeof a === "string" && typeof b === "string") return keyOf(a) === keyOf(b);
  return a === b;
}

/** Returns the values that the reading finds in a text. */
export function parsedIn(text: string, reading: Reading, locale: Locale): FoundValue[] {
  if (reading === "date" || reading === "currency") return findValues(text, reading, locale);
  if (reading === "dmy" || reading === "mdy") return findValues(text, "date", { ...locale, order: reading });
  if (reading !== "number" && reading !== "negative") return [];
  const found = (["money", "number", "percent"] as const).flatMap((kind) => findValues(text, kind, locale));
  const seen = new Map(found.map((each) => [`${each.start} ${String(each.value)}`, each]));
  if (reading === "number") return [...seen.values()];
  return [...seen.values()].map((each) => ({ ...each, value: -Number(each.value) }));
}

/** Returns the readings that can yield a value of this format. */
export function readingsFor(format: ParamFormat, value: LeafValue): Reading[] {
  if (format === "number") return ["number", "negative"];
  if (format === "date") return ["date", "dmy", "mdy"];
  return format === "text" && typeof value === "string" && /^[A-Z]{3}$/.test(value) ? ["currency"] : [];
}

export const textOf = (page: PageRuns, words: readonly number[]): string =>
  words.map((word) => wordAt(page.page, word).text).join(" ");

const punctuation = new Set([..." \t\n,;:–—-"]);

/** Removes punctuation at both ends of a text. A full stop at the end stays. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (punctuation.has(text.charAt(start)) || text.charAt(start) === ".")) start++;
  while (end > start && punctuation.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Maps each word to the run that contains it. */
export const runOfWord = (page: PageRuns): ReadonlyMap<number, TextRun> =>
  new Map(page.runs.flatMap((run) => run.words.map((word) => [word, run] as const)));
