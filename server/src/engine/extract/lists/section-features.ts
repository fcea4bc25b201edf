/** Computes features that show whether a section is the list that the field asks for. */
import { similarity } from "../../../language/meaning.ts";
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Assignment } from "./assign-columns.ts";
import { isSum } from "./list-ends.ts";
import { hasValue } from "./list-rows.ts";
import { type Section, titleOf } from "./table-sections.ts";

export const sectionFeatures = [
  "intercept",
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
 * Only this many rows are read, because the first rows are representative of the rest. Chosen by
 * hand, 2026-11.
 */
const maxRows = 60;
/** Minimum number of rows in a list that counts as long. Chosen by hand, 2026-11. */
const manyRows = 30;
/**
 * Minimum length of a cell that counts as a paragraph, in UTF-16 units. Chosen by hand, 2026-11.
 */
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
  const filled = rows.map((row) => columns.filter((each) => hasValue(row, each.column, each.item, locale)).length);
  const headings = head.columns.map((column) => column.text).join(" ");
  const title = titleOf(section);
  const asked = [query.meaning.both];
  const probabilities = columns.map(({ probability }) => probability);
  const full = share(filled.filter((count) => count > 0 && count >= columns.length).length);
  const isBare = Number(headings.trim() === "");
  return [
    1,
    assignment.score,
    columns.length < query.items.length ? 0 : Math.min(1, ...probabilities),
    columns.length / query.items.length,
    columns.length / Math.max(1, head.columns.length),
    similarity(title, asked),
    similarity(headings, asked),
    similarity(`${title} ${headings}`, asked),
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
