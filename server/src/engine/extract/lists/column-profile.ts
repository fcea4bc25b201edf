/**
 * Describes the cells of a column by shares: what share of the cells are numbers, amounts, dates,
 * codes, marks or texts.
 */
import { emptyBox, tickedBox } from "../../page/checkboxes.ts";
import { findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import { dateInCell } from "./cell-dates.ts";
import { isBlank } from "./list-rows.ts";

/** Shares of the non-empty cells, 0 to 1. Only `filled` is a share of all cells. */
export interface ColumnProfile {
  filled: number;
  /** Cells with a number, which may have a currency or a short unit. */
  number: number;
  /** Cells with a number and no letter. */
  bare: number;
  /** Cells with a number that has two decimals or a currency. */
  money: number;
  /** Cells with a number without decimals. */
  whole: number;
  percent: number;
  date: number;
  /** Cells with one word that contains a digit, such as "A-4711". */
  code: number;
  /** Cells with a checkbox, a tick, "yes" or "no". */
  mark: number;
  /** Cells with at least two consecutive letters. */
  text: number;
  /** Cells with a number and a unit, such as "5 kg". */
  measured: number;
  /** Mean number of letters per cell, divided by 20, at most 1. */
  length: number;
}

/**
 * Only this many rows are read, because the first rows are representative of the rest. Chosen by
 * hand, 2026-11.
 */
const maxRows = 60;
/** Maximum number of letters in a unit or currency beside a number. Chosen by hand, 2026-11. */
export const maxUnitLetters = 4;
/** Minimum number of letters in a text that counts as long. Chosen by hand, 2026-11. */
const longText = 20;

export const noProfile: ColumnProfile = {
  filled: 0,
  number: 0,
  bare: 0,
  money: 0,
  whole: 0,
  percent: 0,
  date: 0,
  code: 0,
  mark: 0,
  text: 0,
  measured: 0,
  length: 0,
};

/** @param texts texts of the cells from top to bottom, an empty string for an empty cell */
export function profileOf(texts: readonly string[], locale: Locale): ColumnProfile {
  const cells = texts.slice(0, maxRows);
  const filled = cells.filter((text) => !isBlank(text));
  if (filled.length === 0) return noProfile;
  const total = { ...noProfile };
  for (const text of filled) {
    const signs = signsOf(text, locale);
    for (const key of Object.keys(signs) as (keyof ColumnProfile)[]) total[key] += Number(signs[key]);
  }
  for (const key of Object.keys(total) as (keyof ColumnProfile)[]) total[key] /= filled.length;
  return { ...total, filled: filled.length / cells.length };
}

/** Matches a cell that contains only a mark or a plain answer. */
const markOrAnswer = /^(?:[xX✓✔✗✘✕✖•●]|yes|no|ja|nein|oui|non|s[ií]|nee|não|sim|y|n|j)$/iu;

export const isMark = (text: string): boolean =>
  markOrAnswer.test(text.trim()) || tickedBox.test(text) || emptyBox.test(text);

function signsOf(text: string, locale: Locale): Partial<Record<keyof ColumnProfile, boolean | number>> {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const [number] = findValues(text, "number", locale).concat(findValues(text, "percent", locale));
  const outside = number ? text.length - (number.end - number.start) : text.length;
  const isNumber = number !== undefined && letters <= maxUnitLetters && outside <= 2 * maxUnitLetters;
  const date = dateInCell(text, locale);
  return {
    number: isNumber,
    bare: isNumber && letters === 0,
    money: isNumber && /\p{Sc}|\d[.,]\d{2}(?!\d)/u.test(text),
    whole: isNumber && Number.isInteger(number.value) && !/\d[.,]\d{1,2}(?!\d)/.test(text),
    percent: /\d ?%/.test(text),
    date: date !== undefined && date.end - date.start > text.length / 2,
    code: /\d/.test(text) && !/\s/.test(text.trim()) && !/\p{Sc}|[.,]\d{1,2}$/u.test(text),
    mark: isMark(text),
    text: /\p{L}{2}/u.test(text),
    measured: isNumber && letters > 0 && !/\p{Sc}/u.test(text),
    length: Math.min(1, letters / longText),
  };
}
