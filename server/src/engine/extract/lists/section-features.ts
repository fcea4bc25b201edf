/** Evidence for a section being the list that is asked for. */
import { spellOut } from "../../../language/label-tokens.ts";
import { dot, meaningOf } from "../../../language/meaning.ts";
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Assignment } from "./assign-columns.ts";
import { isBlank } from "./column-profile.ts";
import { isSum } from "./list-ends.ts";
import { type ListRow, valueIn } from "./list-rows.ts";
import { type Section, titleOf } from "./table-sections.ts";

export const sectionFeatures = [
  "mean probability",
  "least probability",
  "assigned",
  "columns used",
  "title",
  "headings",
  "title and headings",
  "cells",
  "rows",
  "full rows",
  "sums",
  "without headings",
  "from table",
  "ruled",
  "heading found by the reader",
  "long cells",
  "mean probability without headings",
  "full rows without headings",
] as const;

/**
 * Maximum rows looked at. The first rows of a list are like the others. Chosen by hand, 2026-11.
 */
const maxRows = 60;
/** Rows of a list that counts as long. Chosen by hand, 2026-11. */
const manyRows = 30;
/** Characters of a cell that is rather a paragraph, in UTF-16 units. Chosen by hand, 2026-11. */
const longCell = 120;

/** Returns the values of `sectionFeatures`. */
export function sectionFeaturesOf(
  query: AskedField,
  section: Section,
  assignment: Assignment,
  locale: Locale,
): number[] {
  const { head } = section;
  const rows = section.rows.slice(0, maxRows);
  const columns = assignment.columns;
  const share = (count: number): number => count / Math.max(1, rows.length);
  const filled = rows.map((row) => columns.filter((each) => hasValue(row, each, locale)).length);
  const headings = head.columns.map((column) => column.text).join(" ");
  const title = titleOf(section);
  const probabilities = columns.map(({ probability }) => probability);
  const full = share(filled.filter((count) => count > 0 && count >= columns.length).length);
  const isBare = Number(headings.trim() === "");
  return [
    assignment.score,
    columns.length < query.items.length ? 0 : Math.min(1, ...probabilities),
    columns.length / query.items.length,
    columns.length / Math.max(1, head.columns.length),
    likeness(query, title),
    likeness(query, headings),
    likeness(query, `${title} ${headings}`),
    share(filled.reduce((sum, count) => sum + count, 0)) / query.items.length,
    Math.min(1, Math.log(1 + rows.length) / Math.log(1 + manyRows)),
    full,
    share(rows.filter((row) => isSum(row, head.columns)).length),
    isBare,
    Number(head.table !== undefined),
    Number(head.table?.ruled === true),
    Number(head.table !== undefined && head.table.headerRows > 0),
    share(rows.filter((row) => [...row.cells.values()].some((cell) => cell.text.length > longCell)).length),
    isBare * assignment.score,
    isBare * full,
  ];
}

function hasValue(row: ListRow, { item, column }: Assignment["columns"][number], locale: Locale): boolean {
  const cell = row.cells.get(column);
  if (!cell || isBlank(cell.text)) return false;
  return item.format === "number" || item.format === "date" ? valueIn(cell, item, locale) !== undefined : true;
}

/** Returns the cosine of the list's words and a text, 0 to 1. */
function likeness(query: AskedField, text: string): number {
  const own = meaningOf(`${spellOut(query.name)} ${query.description}`);
  const vector = meaningOf(text);
  return own && vector ? Math.max(0, dot(own, vector)) : 0;
}
