/**
 * Extends a section by the rows below it that are aligned with its columns, including rows on later
 * pages. This is needed if the document reader ended a table too early, or found different columns
 * on the next page.
 */

import { centreY, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import type { Locale } from "../../values/locale.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { Column } from "./list-heads.ts";
import { addWords, type Cell, isBlank, type ListRow, rowOfRuns, valueIn } from "./list-rows.ts";
import type { Section } from "./table-sections.ts";

/**
 * Maximum gap to the next row: `maxGap` line heights, or `maxUsualGaps` times the usual gap if that
 * is more. Chosen by hand, 2026-11.
 */
const maxGap = 1.6;
const maxUsualGaps = 2;
/**
 * A list can continue on the next page only if fewer rows than this, such as footers, are below it
 * on its page. Chosen by hand, 2026-11.
 */
const maxFooterRows = 6;
/**
 * When a list continues on the next page, at most this many rows, such as page headers and
 * headings, may be above its continuation. Chosen by hand, 2026-11.
 */
const maxHeaderRows = 14;
/**
 * Maximum number of consecutive rows that do not look like rows of the list, such as group
 * headings. Chosen by hand, 2026-11.
 */
const maxOthers = 2;
/** Distance by which a text may extend beyond its column, in points. Chosen by hand, 2026-11. */
const tolerance = 3;

/**
 * Extends each section by the rows between it and the next section. The sections must be in
 * document order.
 */
export function extendSections(sections: readonly Section[], view: DocumentView): Section[] {
  return sections.map((section, at) => {
    const next = sections[at + 1]?.rows[0];
    const added = rowsAfter(section, view, next);
    return added.length === 0 ? section : { ...section, rows: [...section.rows, ...added] };
  });
}

function rowsAfter(section: Section, view: DocumentView, next: ListRow | undefined): ListRow[] {
  const last = section.rows.at(-1);
  if (!last) return [];
  const shape = shapeOf(section, view.locale);
  const { pages } = view.layout;
  const added: ListRow[] = [];
  let from = last.row + 1;
  let bottom: number | undefined = last.bottom;
  for (let at = pages.indexOf(last.page); at < pages.length; at++) {
    const page = pages[at] as PageRuns;
    const end = next?.page === page ? firstRowOf(next) : page.rows.length;
    const found = rowsOnPage(page, from, end, bottom, shape, view.locale);
    added.push(...found.rows);
    const isLast = next?.page === page || found.last < page.rows.length - maxFooterRows;
    if (isLast || (at > pages.indexOf(last.page) && found.rows.length === 0)) break;
    [from, bottom] = [0, undefined];
  }
  return added;
}

/** Returns the index of the first text row that is part of the table row. */
function firstRowOf({ page, row, top }: ListRow): number {
  let first = row;
  while (first > 0 && (page.rows[first - 1] ?? []).some((run) => centreY(run.box) > top)) first--;
  return first;
}

interface Shape {
  columns: readonly Column[];
  /**
   * Left and right limits of each column, each halfway between the column's edge and the edge of
   * the neighbouring column.
   */
  zones: readonly (readonly [number, number])[];
  /** Median number of filled cells per row, counting only columns that have an item field. */
  usual: number;
  /**
   * True if at least one item field with a column has a format other than text, such as number or
   * date.
   */
  typed: boolean;
  /** True if some rows contain a label with a colon. */
  labelled: boolean;
  /** Median gap between two rows. */
  gap: number;
  height: number;
}

function shapeOf({ head, rows }: Section, locale: Locale): Shape {
  const { columns } = head;
  const zones = columns.map(({ box }, at): [number, number] => {
    const [left, right] = [columns[at - 1]?.box[2], columns[at + 1]?.box[0]];
    return [
      left === undefined ? box[0] - 4 * tolerance : (left + box[0]) / 2,
      right === undefined ? box[2] + 4 * tolerance : (right + box[2]) / 2,
    ];
  });
  const gaps = rows.flatMap((row, at) =>
    rows[at - 1]?.page === row.page ? [row.top - (rows[at - 1]?.bottom ?? 0)] : [],
  );
  return {
    columns,
    zones,
    usual: median(rows.map((row) => valuesIn(row, columns, locale).all)),
    typed: columns.some(({ item }) => item !== undefined && item.format !== "text"),
    labelled: rows.some(hasLabel),
    gap: Math.max(0, median(gaps)),
    height: rows[0]?.height ?? 1,
  };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

function rowsOnPage(
  page: PageRuns,
  from: number,
  end: number,
  above: number | undefined,
  shape: Shape,
  locale: Locale,
): { rows: ListRow[]; last: number } {
  const rows: ListRow[] = [];
  let waiting: ListRow[] = [];
  let bottom = above;
  let last = from - 1;
  for (let at = from; at < end; at++) {
    const runs = page.rows[at] ?? [];
    const first = runs[0];
    if (!first) continue;
    const isTop = above === undefined && rows.length === 0;
    if (isTop ? at > from + maxHeaderRows : startsTable(page, runs)) break;
    if (
      !isTop &&
      bottom !== undefined &&
      first.box[1] - bottom > Math.max(maxGap * first.height, maxUsualGaps * shape.gap)
    )
      break;
    const row = rowInColumns(page, runs, shape);
    const values = row && valuesIn(row, shape.columns, locale);
    const fits =
      values !== undefined &&
      isAlike(row, shape) &&
      values.all >= Math.max(2, shape.usual / 2) &&
      (!shape.typed || values.typed > 0);
    bottom = Math.max(...runs.map((run) => run.box[3]));
    if (row && fits) {
      rows.push(...waiting, row);
      waiting = [];
      last = at;
    } else if (!isTop) {
      if (row === undefined || waiting.length >= maxOthers) break;
      waiting.push(row);
    }
  }
  const wrapped = waiting.findIndex((row, at) => !isWrapped(row, waiting[at - 1] ?? rows.at(-1), shape));
  return { rows: [...rows, ...waiting.slice(0, wrapped < 0 ? waiting.length : wrapped)], last };
}

/** Maximum gap between the lines of one cell, in line heights. Chosen by hand, 2026-11. */
const maxWrapGap = 0.6;

/**
 * Returns true for a line that continues the row directly above it: the gap is small, and all its
 * words are in text columns.
 */
const isWrapped = (row: ListRow, above: ListRow | undefined, { columns }: Shape): boolean =>
  above !== undefined &&
  row.top - above.bottom < maxWrapGap * row.height &&
  columns.every((column) => !row.cells.has(column) || column.item?.format === "text");

/**
 * Returns true for a row that may belong to the section. A row that contains a label with a colon
 * may belong only if other rows of the section contain such a label too.
 */
const isAlike = (row: ListRow | undefined, { labelled }: Shape): boolean =>
  labelled || (row !== undefined && !hasLabel(row));

const hasLabel = (row: ListRow): boolean => [...row.cells.values()].some(({ text }) => /:(?:\s|$)/.test(text));

/** Returns true if the runs belong to a table that has a heading. */
const startsTable = (page: PageRuns, runs: readonly TextRun[]): boolean =>
  page.page.tables.some(
    ({ box, headerRows, rows }) =>
      headerRows > 0 && rows > 2 && runs.some((run) => centreY(run.box) > box[1] && centreY(run.box) < box[3]),
  );

/**
 * Assigns each text run to the column that contains it and returns the resulting row. Undefined if
 * a run does not lie within one column.
 */
function rowInColumns(page: PageRuns, runs: readonly TextRun[], { columns, zones }: Shape): ListRow | undefined {
  const cells = new Map<Column, Cell>();
  for (const run of runs) {
    const at = zones.findIndex(([left, right]) => run.box[0] >= left - tolerance && run.box[2] <= right + tolerance);
    const column = columns[at];
    if (!column) return undefined;
    addWords(cells, column, page, run.words);
  }
  return rowOfRuns(page, runs, cells);
}

/**
 * Counts the filled cells in columns that have an item field (`all`), and how many of these cells
 * contain a number or date (`typed`).
 */
function valuesIn(row: ListRow, columns: readonly Column[], locale: Locale): { all: number; typed: number } {
  const filled = columns.filter((column) => column.item !== undefined && !isBlank(row.cells.get(column)?.text ?? ""));
  const typed = filled.filter(
    (column) => column.item?.format !== "text" && valueIn(row.cells.get(column), column.item, locale) !== undefined,
  );
  return { all: filled.length, typed: typed.length };
}
