/** Reads the rows of a list: assigns the words below a heading to the columns of the heading. */

import type { Table, Cell as TableCell } from "../../../reading/document.ts";
import { centreX, centreY, type PageRuns, type TextRun, textOfWords, wordAt } from "../../page/text-runs.ts";
import { type FoundValue, findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { dateInCell } from "./cell-dates.ts";
import { isCarried, isSum } from "./list-ends.ts";
import type { Column, Head } from "./list-heads.ts";

/** The words of one row in one column. */
export interface Cell {
  words: number[];
  text: string;
}

export interface ListRow {
  page: PageRuns;
  row: number;
  top: number;
  bottom: number;
  height: number;
  /** True if the row is part of a table that the document reader found. */
  fromTable: boolean;
  cells: Map<Column, Cell>;
}

/** Adds words to the cell of a column. */
export function addWords(cells: Map<Column, Cell>, column: Column, page: PageRuns, added: readonly number[]): void {
  const words = [...(cells.get(column)?.words ?? []), ...added];
  cells.set(column, { words, text: textOfWords(page, words) });
}

/** Makes a list row from text runs outside of tables, with the given cells. */
export function rowOfRuns(page: PageRuns, runs: readonly TextRun[], cells: Map<Column, Cell>): ListRow {
  const [first] = runs;
  return {
    page,
    row: first?.row ?? 0,
    top: Math.min(...runs.map((run) => run.box[1])),
    bottom: Math.max(...runs.map((run) => run.box[3])),
    height: first?.height ?? 0,
    fromTable: false,
    cells,
  };
}

/** Returns true for a cell without text, or with only a dash. */
export const isBlank = (text: string): boolean => /^[\s\-–—.]*$/.test(text);

const numericKinds = new Set(["money", "number", "percent"]);
export const isNumeric = (item: AskedField | undefined): boolean => item !== undefined && numericKinds.has(item.kind);

/**
 * Returns the first value of the item field's kind in a cell. For a number field, any number or
 * percentage counts.
 */
export function valueIn(cell: Cell | undefined, item: AskedField | undefined, locale: Locale): FoundValue | undefined {
  if (!cell || !item) return undefined;
  if (item.format === "date") return dateInCell(cell.text, locale);
  if (item.format === "number" && spacedNumber.test(cell.text)) return wholeOf(cell.text);
  const text = item.kind === "money" ? cell.text.replace(perQuantity, "") : cell.text;
  const found = findValues(text, item.kind, locale).find(
    (value) => item.kind !== "money" || value.quality > minQuality,
  );
  if (found || item.format !== "number" || (item.concept?.kind === "money" && !item.description.includes("%")))
    return found;
  const number = item.kind === "money" ? undefined : findValues(text, "number", locale)[0];
  return number ?? findValues(text, "percent", locale)[0];
}

/** Returns true if the row has a value for the item field in the column. */
export function hasValue(row: ListRow, column: Column, item: AskedField | undefined, locale: Locale): boolean {
  const cell = row.cells.get(column);
  if (!cell || isBlank(cell.text)) return false;
  return item?.format === "number" || item?.format === "date" ? valueIn(cell, item, locale) !== undefined : true;
}

/** Matches a cell that contains only a number with spaces between its thousands. */
const spacedNumber = /^-?\d{1,3}(?:[ \u00a0\u202f]\d{3})+$/;

const wholeOf = (text: string): FoundValue => ({
  start: 0,
  end: text.length,
  value: Number(text.replace(/\s/g, "")),
  match: "normalized",
  quality: 1,
});

/**
 * Matches the number of pieces that a price applies to, if it is printed after the price. In
 * "8,05 100", the price 8,05 is for 100 pieces.
 */
const perQuantity = /(?<=\d[.,]\d{1,4}) (?:1|10|100|1000)$/;

/** Minimum quality of an amount in a cell. Chosen by hand, 2026-11. */
const minQuality = 0.3;
/** Maximum gap between two rows of one list, in line heights. Chosen by hand, 2026-11. */
const maxGap = 14;

/**
 * Returns the rows below a heading, down to a sum, another heading or a wide gap. `open` is true if
 * the list may continue on the next page.
 */
export function rowsBelow(
  head: Head,
  page: PageRuns,
  from: number,
  locale: Locale,
  stops: ReadonlySet<number>,
): { rows: ListRow[]; open: boolean } {
  const rows: ListRow[] = [];
  let bottom = page.rows[from - 1]?.[0]?.box[3];
  for (let row = from; row < page.rows.length; row++) {
    const runs = page.rows[row] ?? [];
    const first = runs[0];
    if (!first) continue;
    if (stops.has(row)) return { rows, open: false };
    if (bottom !== undefined && first.box[1] - bottom > maxGap * first.height) return { rows, open: true };
    const table = tableAround(head, page, runs);
    if (!table && isBehindTable(head, page, first)) return { rows, open: true };
    const next = table ? tableRows(head, table, page, row) : [deal(head.columns, page, runs, locale)];
    for (const dealt of next) {
      const carried = isCarried(dealt, head.columns);
      if (!carried && isSum(dealt, head.columns)) return { rows, open: false };
      if (!carried) rows.push(dealt);
      bottom = dealt.bottom;
      row = Math.max(row, dealt.row);
    }
  }
  return { rows, open: true };
}

/**
 * Returns true for a row of text below a ruled table that has no numeric columns. In such a table,
 * only the drawn lines show which rows belong to it.
 */
const isBehindTable = (head: Head, page: PageRuns, run: TextRun): boolean =>
  head.table?.ruled === true &&
  head.page === page &&
  centreY(run.box) > head.table.box[3] &&
  !head.columns.some((column) => isNumeric(column.item));

/**
 * Returns the table of the document reader that contains the row. Undefined if there is no such
 * table, or if its columns differ from those of the heading.
 */
function tableAround(head: Head, page: PageRuns, runs: readonly TextRun[]): Table | undefined {
  return page.page.tables.find((table) => {
    const inside = runs.filter((run) => isIn(table, run)).length * 2 > runs.length;
    return inside && (table === head.table || alike(head, table));
  });
}

const isIn = (table: Table, run: TextRun): boolean =>
  centreY(run.box) > table.box[1] &&
  centreY(run.box) < table.box[3] &&
  centreX(run.box) > table.box[0] &&
  centreX(run.box) < table.box[2];

/** Returns true if the table has as many columns as the heading, at the same positions. */
function alike(head: Head, table: Table): boolean {
  if (!head.table || table.columns !== head.columns.length) return false;
  return table.cells.every((cell) => {
    const box = head.columns[cell.column]?.box;
    return (
      cell.columnSpan > 1 ||
      (box !== undefined &&
        centreX(cell.box) > box[0] - columnTolerance &&
        centreX(cell.box) < box[2] + columnTolerance)
    );
  });
}

/** Maximum distance of a cell's centre from its column, in points. Chosen by hand, 2026-11. */
const columnTolerance = 8;

/** Returns the rows of the table, starting at the text row `from`. */
function tableRows(head: Head, table: Table, page: PageRuns, from: number): ListRow[] {
  const top = Math.min(...(page.rows[from] ?? []).map((run) => run.box[1]));
  const byRow: TableCell[][] = Array.from({ length: table.rows }, () => []);
  for (const cell of table.cells) if (cell.words.length > 0) byRow[cell.row]?.push(cell);
  return byRow.flatMap((cells) => {
    if (cells.length === 0) return [];
    const row = tableRow(head, page, cells);
    return row.bottom <= top ? [] : [row];
  });
}

/** Returns one row of a table. */
export function tableRow(head: Head, page: PageRuns, cells: readonly TableCell[]): ListRow {
  const boxes = cells.flatMap((cell) => cell.words.map((index) => wordAt(page.page, index).box));
  const bottom = Math.max(...boxes.map((box) => box[3]));
  return {
    page,
    row: lastRowAbove(page, bottom),
    top: Math.min(...boxes.map((box) => box[1])),
    bottom,
    height: Math.min(...boxes.map((box) => box[3] - box[1])),
    fromTable: true,
    cells: cellsIn(head, page, cells),
  };
}

/**
 * Returns the cells of one table row by column. If the document reader split a cell within a
 * column, its parts become one text again, in the order of their lines.
 */
function cellsIn(head: Head, page: PageRuns, cells: readonly TableCell[]): Map<Column, Cell> {
  const found = new Map<Column, Cell>();
  for (const cell of [...cells].sort((a, b) => a.box[1] - b.box[1])) {
    const column = head.columns[cell.column];
    if (!column) continue;
    addWords(found, column, page, cell.words);
  }
  partQuantity(head.columns, page, found);
  return found;
}

const numberWord = /^[-+]?\d[\d.,'’]*$/u;
const unitWord = /^\p{L}[\p{L}\d]{0,7}\.?$/u;

/**
 * Splits a cell such as "5 kg" into quantity and unit, if the cell is directly to the right of an
 * empty quantity cell.
 */
function partQuantity(columns: readonly Column[], page: PageRuns, cells: Map<Column, Cell>): void {
  const at = columns.findIndex((column) => column.item?.concept?.key === "quantity");
  const [quantity, unit] = [columns[at], columns[at + 1]];
  const both = unit && cells.get(unit);
  if (at < 0 || !quantity || !unit || !both || unit.item || cells.has(quantity)) return;
  const [number, ...rest] = both.words;
  if (number === undefined || rest.length !== 1 || !numberWord.test(textOfWords(page, [number]))) return;
  if (!unitWord.test(textOfWords(page, rest))) return;
  cells.set(quantity, { words: [number], text: textOfWords(page, [number]) });
  cells.set(unit, { words: rest, text: textOfWords(page, rest) });
}

/** Returns the index of the last text row that begins above `y`. */
const lastRowAbove = (page: PageRuns, y: number): number =>
  page.rows.findLastIndex((runs) => (runs[0]?.box[1] ?? Number.POSITIVE_INFINITY) < y - 1);

/** Assigns the runs of one row to the columns. A run with values of several columns is split. */
function deal(columns: readonly Column[], page: PageRuns, runs: readonly TextRun[], locale: Locale): ListRow {
  const cells = new Map<Column, Cell>();
  for (const run of runs) {
    for (const words of unitsOf(columns, page, run, locale)) {
      const column = columnOf(columns, page, words);
      if (column) addWords(cells, column, page, words);
    }
  }
  partQuantity(columns, page, cells);
  return rowOfRuns(page, runs, cells);
}

/** Returns the words of the run in groups, each of which belongs to one column. */
function unitsOf(columns: readonly Column[], page: PageRuns, run: TextRun, locale: Locale): number[][] {
  const touched = columns.filter((column) => column.box[0] < run.box[2] && run.box[0] < column.box[2]);
  if (touched.length < 2 || run.words.length < 2) return [run.words];
  const numbers = findValues(run.text, "number", locale).concat(findValues(run.text, "percent", locale));
  if (numbers.length === 0 || !touched.some((column) => column.item === undefined || isNumeric(column.item)))
    return [run.words];
  return cutAtNumbers(page, run, numbers, columns);
}

/**
 * Groups the words of a run. The words of one number stay together, and adjacent words of one
 * column are joined.
 */
function cutAtNumbers(
  page: PageRuns,
  run: TextRun,
  numbers: readonly FoundValue[],
  columns: readonly Column[],
): number[][] {
  const units: { words: number[]; number: number; column: Column | undefined }[] = [];
  run.words.forEach((word, at) => {
    const start = run.starts[at] ?? 0;
    const end = start + wordAt(page.page, word).text.length;
    const number = numbers.findIndex((found) => found.start < end && start < found.end);
    const unit = units.at(-1);
    if (unit && number >= 0 && number === unit.number) unit.words.push(word);
    else units.push({ words: [word], number, column: undefined });
  });
  for (const unit of units) unit.column = columnOf(columns, page, unit.words);
  const joined: number[][] = [];
  units.forEach(({ words, column }, at) => {
    if (at > 0 && column === units[at - 1]?.column) joined.at(-1)?.push(...words);
    else joined.push([...words]);
  });
  return joined;
}

/**
 * Maximum distance between words and the column to which they are assigned, in line heights. Chosen
 * by hand, 2026-11.
 */
const maxReach = 6;
/**
 * Cost, in line heights, of assigning a number to a text column or a text to a numeric column.
 * Chosen by hand, 2026-11.
 */
const wrongTypeCost = 0.8;
/**
 * Bonus, in line heights, for assigning words to the column in which they lie. Chosen by hand,
 * 2026-11.
 */
const insideBonus = 0.4;

/**
 * Returns the column that is nearest to the words. Left edges, right edges and centres are
 * compared, and the smallest of these three distances counts.
 */
function columnOf(columns: readonly Column[], page: PageRuns, words: readonly number[]): Column | undefined {
  let x0 = Number.POSITIVE_INFINITY;
  let x1 = Number.NEGATIVE_INFINITY;
  let height = 1;
  for (const index of words) {
    const { box } = wordAt(page.page, index);
    x0 = Math.min(x0, box[0]);
    x1 = Math.max(x1, box[2]);
    height = Math.max(height, box[3] - box[1]);
  }
  const numeric =
    words.some((index) => /^\D{0,3}\d[\d.,'’]*\D{0,3}$/u.test(wordAt(page.page, index).text)) && words.length <= 3;
  let best: Column | undefined;
  let least = Number.POSITIVE_INFINITY;
  columns.forEach((column, at) => {
    const [left, , right] = column.box;
    const apart = Math.max(0, left - x1, x0 - right);
    // The texts of a wide column may begin left of its heading and end right of it, up to the next
    // heading.
    const next = columns[at + 1]?.box[0] ?? Number.POSITIVE_INFINITY;
    const inside = x0 >= left - height && x1 <= next;
    const edges = Math.min(Math.abs(x0 - left), Math.abs(x1 - right), Math.abs((x0 + x1) / 2 - centreX(column.box)));
    const wrongType = isNumeric(column.item) !== numeric && column.item !== undefined ? wrongTypeCost * height : 0;
    const cost = 2 * apart + edges + wrongType - (inside ? insideBonus * height : 0);
    if (apart < maxReach * height && cost < least) [best, least] = [column, cost];
  });
  return best;
}
