/**
 * Converts the tables of the document reader to sections. A section has columns with headings, and
 * rows.
 */
import type { Box, Table, Cell as TableCell } from "../../../reading/document.ts";
import { centreY, type PageRuns, textOfWords, unionOf } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { maxUnitLetters } from "./column-profile.ts";
import { isHeadingText, withHeadingsAbove } from "./headings-above.ts";
import type { Column, Head } from "./list-heads.ts";
import { type ListRow, tableRow } from "./list-rows.ts";

/** A heading and the rows below it. */
export interface Section {
  head: Head;
  rows: ListRow[];
}

/** Maximum number of rows in a table's heading. Chosen by hand, 2026-11. */
const maxHeadRows = 4;

/**
 * Returns the possible sections of a table. They differ in the number of heading rows: as many as
 * the document reader found, one more, or only one. Further sections begin below a heading within
 * the table, or take their headings from the text above the table.
 */
export function sectionsOfTable(page: PageRuns, table: Table, items: readonly AskedField[]): Section[] {
  const rows = cellsByRow(table);
  const sectionOf = (first: number, end: number, columns: Column[]): Section[] => {
    const body = rows.slice(first, end).filter((cells) => cells.length > 0);
    if (body.length === 0) return [];
    const head: Head = { page, row: -1, columns, items, options: [], score: 0, table };
    return [{ head, rows: body.map((cells) => tableRow(head, page, cells)) }];
  };
  const counts = headCounts(page, table, rows);
  const plain = counts.flatMap((count) => sectionOf(count, rows.length, columnsOf(page, table, rows, 0, count)));
  const heads = innerHeads(page, rows);
  const inner = heads.flatMap((at, index) =>
    sectionOf(at + 1, heads[index + 1] ?? rows.length, columnsOf(page, table, rows, at, at + 1)),
  );
  const bare = counts.includes(0) ? columnsOf(page, table, rows, 0, 0) : undefined;
  const named = bare && withHeadingsAbove(page, table.box[1], bare);
  return [...plain, ...inner, ...(named ? sectionOf(0, rows.length, named) : [])];
}

/** Maximum number of headings that are tried within a table. Chosen by hand, 2026-11. */
const maxInnerHeads = 6;

/**
 * Returns the indices of rows below the first row of the table that may be headings: rows of texts
 * above a row with numbers. There may be such rows because the document reader may have taken a
 * title or another table above the heading for a part of the table.
 */
function innerHeads(page: PageRuns, rows: readonly (readonly TableCell[])[]): number[] {
  const isText = (cell: TableCell): boolean => isHeadingText(textOfWords(page, cell.words));
  const isYear = (cell: TableCell): boolean => /^(?:19|20)\d\d$/.test(textOfWords(page, cell.words));
  return rows
    .flatMap((cells, at) => {
      const below = rows[at + 1] ?? [];
      const isNamed = cells.some(isText) && cells.every((cell) => isText(cell) || isYear(cell));
      const isHead = at > 0 && cells.length > 1 && cells.length >= below.length / 2 && isNamed;
      return isHead && below.length > 1 && !below.every(isText) ? [at] : [];
    })
    .slice(0, maxInnerHeads);
}

/** Returns the table's filled cells by row. */
function cellsByRow(table: Table): TableCell[][] {
  const rows: TableCell[][] = Array.from({ length: table.rows }, () => []);
  for (const cell of table.cells) if (cell.words.length > 0) rows[cell.row]?.push(cell);
  return rows;
}

/**
 * Returns the possible numbers of rows in the heading. A row with a number in a numeric column is
 * not a heading. One more row may belong to the heading if the last heading row has empty cells or
 * cells that span several columns.
 */
function headCounts(page: PageRuns, table: Table, rows: readonly TableCell[][]): number[] {
  const numeric = numericColumns(page, table, rows);
  const isHead = (row: number): boolean =>
    rows[row] !== undefined &&
    rows[row].length > 1 &&
    !rows[row].some((cell) => numeric.has(cell.column) && isNumber(page, cell));
  const isPartial = (row: number): boolean =>
    rows[row] !== undefined && (rows[row].length < table.columns || rows[row].some((cell) => cell.columnSpan > 1));
  const counts = new Set<number>();
  const first = table.headerRows;
  if (first === 0 || isHead(first - 1)) counts.add(first);
  if (first === 0 ? isHead(0) : isPartial(first - 1) && isHead(first) && first < maxHeadRows) counts.add(first + 1);
  if (first > 1) counts.add(1);
  if (counts.size === 0) counts.add(0);
  return [...counts];
}

/** Minimum share of the rows that have a number in a numeric column. Chosen by hand, 2026-11. */
const minNumeric = 0.5;

function numericColumns(page: PageRuns, table: Table, rows: readonly TableCell[][]): Set<number> {
  const counts = new Map<number, number>();
  for (const cell of rows.slice(1).flat())
    if (isNumber(page, cell)) counts.set(cell.column, (counts.get(cell.column) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= minNumeric * (table.rows - 1)).map(([column]) => column));
}

const isNumber = (page: PageRuns, cell: TableCell): boolean => {
  const text = textOfWords(page, cell.words);
  return /\d/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) <= maxUnitLetters;
};

function columnsOf(page: PageRuns, table: Table, rows: readonly TableCell[][], first: number, end: number): Column[] {
  return Array.from({ length: table.columns }, (_, at): Column => {
    const own = rows
      .slice(first, end)
      .flat()
      .filter((cell) => cell.column <= at && at < cell.column + cell.columnSpan)
      // A cell that spans all columns is the title of the table.
      .filter((cell) => cell.columnSpan < table.columns || table.columns === 1);
    const text = textOfWords(
      page,
      own.flatMap((cell) => cell.words),
    );
    const body = table.cells.filter((cell) => cell.column === at && cell.columnSpan === 1).map((cell) => cell.box);
    const box: Box = body.length > 0 ? body.reduce(unionOf) : (own[0]?.box ?? table.box);
    return { box, text, item: undefined, score: 0 };
  });
}

/** Maximum gap between a title and the table below it, in line heights. Chosen by hand, 2026-11. */
const maxTitleGap = 4;

/** Returns the text above the section if it may be the section's title. */
export function titleOf({ head, rows }: Section): string {
  const { page, table } = head;
  const top = table?.box[1] ?? page.rows[head.row + 1]?.[0]?.box[1] ?? rows[0]?.top ?? 0;
  const above = page.rows.findLast((runs) => runs.every((run) => run.box[3] <= top + run.height / 2));
  const [only, more] = above ?? [];
  return only && !more && top - centreY(only.box) < maxTitleGap * only.height ? only.text : "";
}
