/** Computes features that show whether a column holds what an item field asks for. */

import { type AskType, askTypes } from "../../../language/ask-types.ts";
import { similarity } from "../../../language/meaning.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { typesAskedBy } from "../labels/field-meaning.ts";
import type { ColumnProfile } from "./column-profile.ts";

/** Facts about a column that are compared with item fields. */
export interface DescribedColumn {
  /** Text of the heading, empty if the column has none. */
  heading: string;
  profile: ColumnProfile;
}

export const columnFeatures = [
  "intercept",
  "words",
  "words margin",
  "meaning",
  "meaning margin",
  "no heading",
  "same text",
  "number for number",
  "no number for number",
  "date for date",
  "no date for date",
  "mark for boolean",
  "no mark for boolean",
  "number for text",
  "date for text",
  "type",
  "filled",
  "position",
  "out of reach",
  "empty",
  "length for text",
  "measured for text",
  "code for text",
] as const;

/**
 * Returns the features of each pair of an item field and a column.
 * @returns for each item field, one vector of `columnFeatures` per column
 */
export function featuresOf(items: readonly AskedField[], columns: readonly DescribedColumn[]): number[][][] {
  const words = items.map((item) => columns.map(({ heading }) => wordScore(heading, item)));
  const meanings = items.map((item) => columns.map(({ heading }) => meaningScore(heading, item)));
  return items.map((item, i) => {
    const types = typesAskedBy(item.meaning).types;
    return columns.map((column, c) => {
      const { profile } = column;
      const isNumber = Number(item.format === "number");
      const isDate = Number(item.format === "date");
      const isBoolean = Number(item.format === "boolean");
      const isText = Number(item.format === "text");
      const word = words[i]?.[c] ?? 0;
      const meaning = meanings[i]?.[c] ?? 0;
      const position = Math.abs((i + 0.5) / items.length - (c + 0.5) / columns.length);
      return [
        1,
        word,
        word - bestOther(words[i] ?? [], c),
        meaning,
        meaning - bestOther(meanings[i] ?? [], c),
        Number(column.heading === ""),
        Number(isSameText(column.heading, item)),
        isNumber * profile.number,
        isNumber * (1 - profile.number),
        isDate * profile.date,
        isDate * (1 - profile.date),
        isBoolean * profile.mark,
        isBoolean * (1 - profile.mark),
        isText * profile.bare,
        isText * profile.date,
        types.reduce((sum, share, at) => sum + share * fit(askTypes[at] as AskType, profile), 0),
        profile.filled,
        position,
        outOfReach(i, c, items.length, columns.length),
        Number(profile.filled === 0),
        isText * profile.length,
        isText * profile.measured,
        isText * profile.code,
      ];
    });
  });
}

/**
 * If item fields and columns are in the same order, an item field can have only certain columns.
 * Returns the distance from `column` to the nearest of these, as a share of the number of columns.
 */
const outOfReach = (item: number, column: number, items: number, columns: number): number =>
  Math.max(0, item - column, column - item - Math.max(0, columns - items)) / columns;

const bestOther = (scores: readonly number[], own: number): number =>
  scores.reduce((best, score, at) => (at === own ? best : Math.max(best, score)), 0);

/** Maximum length of a heading that is compared, in UTF-16 units. Chosen by hand, 2026-11. */
const maxHeading = 140;

/**
 * Returns the best score of several variants of a heading: as printed, without brackets, without
 * the text in brackets, and up to its first comma.
 */
function wordScore(heading: string, item: AskedField): number {
  if (heading === "" || heading.length > maxHeading) return 0;
  const readings = [
    heading,
    heading.replace(/\([^()]{0,60}\)/g, " "),
    heading.replace(/[()]/g, " "),
    heading.split(",")[0] ?? "",
  ];
  return Math.max(...readings.map((reading) => item.scoreByWords(reading)));
}

/**
 * Returns how similar in meaning the heading is to the name and description of the item field, 0 to
 * 1.
 */
const meaningScore = (heading: string, { meaning: { description, both, name } }: AskedField): number =>
  similarity(heading.slice(0, maxHeading), [description, both, name]);

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}%€$£]+/gu, "");

const isSameText = (heading: string, item: AskedField): boolean =>
  heading !== "" && [item.name, item.description].some((text) => plain(text) === plain(heading) && plain(text) !== "");

/**
 * How well (0 to 1) numbers without decimals or currency fit the type "amount". Chosen by hand
 * before the weights of the features were fitted, 2026-11.
 */
const plainAmount = 0.3;
/**
 * How well (0 to 1) plain numbers fit the type "percent". Chosen by hand before the weights of the
 * features were fitted, 2026-11.
 */
const plainPercent = 0.4;
/**
 * How well (0 to 1) words fit the type "duration". Chosen by hand before the weights of the
 * features were fitted, 2026-11.
 */
const writtenDuration = 0.3;

/** Returns how well the cells fit the type, 0 to 1. */
function fit(type: AskType, profile: ColumnProfile): number {
  switch (type) {
    case "amount":
      return Math.min(profile.number, profile.money + plainAmount);
    case "quantity":
      return Math.min(profile.number, profile.whole + profile.measured);
    case "number":
      return profile.number * (1 - profile.money);
    case "percent":
      return Math.max(profile.percent, plainPercent * profile.number);
    case "date":
      return profile.date;
    case "code":
    case "account":
    case "phone":
      return profile.code;
    case "boolean":
      return profile.mark;
    case "duration":
      return Math.max(profile.measured, writtenDuration * profile.text);
    default:
      return profile.text * (1 - profile.date);
  }
}
