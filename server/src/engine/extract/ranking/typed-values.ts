/** Collects numbers and dates for the pool of candidate values. */
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import { wordsBetween } from "../../page/text-runs.ts";
import { findDaysOfYear } from "../../values/dates.ts";
import { findValues } from "../../values/find-values.ts";
import { findNumberWords } from "../../values/number-words.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import { nextLineOf } from "./phrases.ts";
import { contextsOfSpan, inferredValue, maxValues, type PoolValue } from "./pool-value.ts";
import type { Surroundings } from "./surroundings.ts";

export function numberValues(view: DocumentView, surroundings: Surroundings): PoolValue[] {
  const numbers = typed(view, ["money", "number", "percent"], surroundings);
  return [...numbers, ...withoutSigns(numbers), ...numberWords(view, surroundings)];
}

/**
 * Returns each negative number as a positive one too, because a printed "Discount -50.00" is often
 * asked for as "the amount of the discount", which is 50.
 */
const withoutSigns = (numbers: readonly PoolValue[]): PoolValue[] =>
  numbers.flatMap((number) =>
    typeof number.value === "number" && number.value < 0
      ? [{ ...number, value: -number.value, match: "inferred", isUnsigned: true }]
      : [],
  );

export function dateValues(view: DocumentView, surroundings: Surroundings): PoolValue[] {
  const dates = [...typed(view, ["date"], surroundings), ...wrappedDates(view, surroundings)];
  return [...dates, ...daysOfYear(dates, view, surroundings)];
}

/**
 * Returns the values of the given kinds. One text can be several values: "12 %" is both a number
 * and a percentage.
 */
function typed(view: DocumentView, kinds: readonly ValueKind[], surroundings: Surroundings): PoolValue[] {
  const seen = new Map<string, PoolValue>();
  for (const kind of kinds)
    for (const { found, page, run, words, contexts } of view.places(kind)) {
      const key = `${run.page} ${run.row} ${run.column} ${found.start} ${found.end} ${found.value}`;
      const before = seen.get(key);
      if (before && before.quality >= found.quality) continue;
      if (seen.size >= maxValues) break;
      const { start, end, value, match, quality } = found;
      const around = surroundings.of({ page, run, start, end });
      seen.set(key, { kind, value, match, quality, page, run, start, end, words, lines: 1, contexts, ...around });
    }
  return [...seen.values()];
}

/**
 * Maximum length, in UTF-16 units, of each part of a date that is divided between two lines. Chosen
 * by hand, 2026-11.
 */
const maxDatePart = 24;

/**
 * Returns the dates that begin at the end of a line and continue in the next line of the paragraph.
 */
function wrappedDates(view: DocumentView, surroundings: Surroundings): PoolValue[] {
  return view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run): PoolValue[] => {
      const next = nextLineOf(page, run);
      if (!next) return [];
      const from = Math.max(0, run.text.length - maxDatePart);
      const tail = run.text.slice(from);
      const found = findValues(`${tail} ${next.text.slice(0, maxDatePart)}`, "date", view.locale).find(
        ({ start, end }) => start < tail.length && end > tail.length + 1,
      );
      if (!found) return [];
      const span = { page, run, start: from + found.start, end: run.text.length };
      const words = [...wordsBetween(run, span.start, span.end), ...wordsBetween(next, 0, found.end - tail.length - 1)];
      const { value, match, quality } = found;
      const around = { lines: 2, contexts: contextsOfSpan(span), ...surroundings.of(span) };
      return [{ kind: "date", value, match, quality, ...span, words, ...around }];
    }),
  );
}

/** Quality (0 to 1) of a date whose year is printed elsewhere. Chosen by hand, 2026-11. */
const withoutYear = 0.6;

/**
 * Returns dates that are printed without a year. The year is that of another date on the same line.
 * If there is none, it is the most frequent year of the document.
 */
function daysOfYear(dates: readonly PoolValue[], view: DocumentView, surroundings: Surroundings): PoolValue[] {
  const counts = new Map<string, number>();
  for (const date of dates) counts.set(yearOf(date), (counts.get(yearOf(date)) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (most === undefined) return [];
  const byRun = Map.groupBy(dates, ({ run }) => run);
  return view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run) => {
      const own = byRun.get(run) ?? [];
      const year = own[0] ? yearOf(own[0]) : most;
      return findDaysOfYear(run.text, Number(year), view.locale.order).flatMap(({ start, end, value }) => {
        if (own.some((date) => date.start < end && start < date.end)) return [];
        const span = { page, run, start, end };
        const found = { kind: "date", value, quality: withoutYear, contexts: contextsOfSpan(span) } as const;
        return [inferredValue(span, found, surroundings)];
      });
    }),
  );
}

const yearOf = ({ value }: PoolValue): string => String(value).slice(0, 4);

/** Quality (0 to 1) of a number that is written in words. Chosen by hand, 2026-11. */
const inWords = 0.7;

const numberWords = (view: DocumentView, surroundings: Surroundings): PoolValue[] =>
  view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run) =>
      findNumberWords(run.text, view.locale.language).map(({ start, end, value }) => {
        const span = { page, run, start, end };
        const found = { kind: "number", value, quality: inWords, contexts: contextsOfSpan(span) } as const;
        return inferredValue(span, found, surroundings);
      }),
    ),
  );
