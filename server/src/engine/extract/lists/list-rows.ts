/** Rows of a list: the words below a head, dealt to its columns and gathered into items. */

import type { Table, Cell as TableCell } from "../../../reading/document.ts";
import { centreX, centreY, type PageRuns, type TextRun, wordAt } from "../../page/text-runs.ts";
import { type FoundValue, findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { isCarried, isSum } from "./list-ends.ts";
import type { Column, Head } from "./list-heads.ts";

/** What stands in one column on one row. */
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
  /** True for a row of the reader's own table. */
  fromTable: boolean;
  cells: Map<Column, Cell>;
}

const numericKinds = new Set(["money", "number", "percent"]);
export const isNumeric = (item: AskedField | undefined): boolean => item !== undefined && numericKinds.has(item.kind);

/** The first value of the item's kind in a cell. */
export function valueIn(cell: Cell | undefined, item: AskedField | undefined, locale: Locale): FoundValue | undefined {
  if (!cell || !item) return undefined;
  const text = item.kind === "money" ? cell.text.replace(perQuantity, "") : cell.text;
  return findValues(text, item.kind, locale).find((found) => item.kind !== "money" || found.quality > minQuality);
}

/** "8,05 100": a price and the quantity that it is for. */
const perQuantity = /(?<=\d[.,]\d{1,4}) (?:1|10|100|1000)$/;

const minQuality = 0.3;
const maxGap = 14;

/** The rows below a head until a sum, another head, or a wide gap. `open` tells whether the page ended first. */
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

/** True below a table of drawn lines whose rows nothing but those lines tells from other text. */
const isBehindTable = (head: Head, page: PageRuns, run: TextRun): boolean =>
  head.table?.ruled === true &&
  head.page === page &&
  centreY(run.box) > head.table.box[3] &&
  !head.columns.some((column) => isNumeric(column.item));

/** The reader's table that the row stands in, if its columns are the head's. */
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

/** True if the table has as many columns as the head, in the same places. */
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

const columnTolerance = 8;

/** The table's rows from the visual row `from` on. */
function tableRows(head: Head, table: Table, page: PageRuns, from: number): ListRow[] {
  const top = Math.min(...(page.rows[from] ?? []).map((run) => run.box[1]));
  const rows: ListRow[] = [];
  for (let at = 0; at < table.rows; at++) {
    const cells = table.cells.filter((cell) => cell.row === at && cell.words.length > 0);
    const words = cells.flatMap((cell) => cell.words);
    const boxes = words.map((index) => wordAt(page.page, index).box);
    const lowest = Math.max(...boxes.map((box) => box[3]));
    if (cells.length === 0 || lowest <= top) continue;
    rows.push({
      page,
      row: lastRowAbove(page, lowest),
      top: Math.min(...boxes.map((box) => box[1])),
      bottom: lowest,
      height: Math.min(...boxes.map((box) => box[3] - box[1])),
      fromTable: true,
      cells: cellsIn(head, page, cells),
    });
  }
  return rows;
}

/** The table's cells of one row by columns; what the reader parted in one column is one text, in the order of the lines. */
function cellsIn(head: Head, page: PageRuns, cells: readonly TableCell[]): Map<Column, Cell> {
  const found = new Map<Column, Cell>();
  for (const cell of [...cells].sort((a, b) => a.box[1] - b.box[1])) {
    const column = head.columns[cell.column];
    if (!column) continue;
    const words = [...(found.get(column)?.words ?? []), ...cell.words];
    found.set(column, { words, text: textOf(page, words) });
  }
  partQuantity(head.columns, page, found);
  return found;
}

const textOf = (page: PageRuns, words: readonly number[]): string =>
  words.map((index) => wordAt(page.page, index).text).join(" ");

const numberWord = /^[-+]?\d[\d.,'’]*$/u;
const unitWord = /^\p{L}[\p{L}\d]{0,7}\.?$/u;

/** "5 kg" in the column right of an empty quantity is the quantity and its unit, set close to each other. */
function partQuantity(columns: readonly Column[], page: PageRuns, cells: Map<Column, Cell>): void {
  const at = columns.findIndex((column) => column.item?.concept?.key === "quantity");
  const [quantity, unit] = [columns[at], columns[at + 1]];
  const both = unit && cells.get(unit);
  if (at < 0 || !quantity || !unit || !both || unit.item || cells.has(quantity)) return;
  const [number, ...rest] = both.words;
  if (number === undefined || rest.length !== 1 || !numberWord.test(textOf(page, [number]))) return;
  if (!unitWord.test(textOf(page, rest))) return;
  cells.set(quantity, { words: [number], text: textOf(page, [number]) });
  cells.set(unit, { words: rest, text: textOf(page, rest) });
}

/** The last visual row that begins above `y`. */
const lastRowAbove = (page: PageRuns, y: number): number =>
  page.rows.findLastIndex((runs) => (runs[0]?.box[1] ?? Number.POSITIVE_INFINITY) < y - 1);

/** Deals the runs of one row to the columns; a run that holds the values of several columns is cut. */
function deal(columns: readonly Column[], page: PageRuns, runs: readonly TextRun[], locale: Locale): ListRow {
  const cells = new Map<Column, Cell>();
  for (const run of runs) {
    for (const words of unitsOf(columns, page, run, locale)) {
      const column = columnOf(columns, page, words);
      if (!column) continue;
      const cell = cells.get(column) ?? { words: [], text: "" };
      cell.words.push(...words);
      cell.text = textOf(page, cell.words);
      cells.set(column, cell);
    }
  }
  partQuantity(columns, page, cells);
  const first = runs[0] as TextRun;
  return {
    page,
    row: first.row,
    top: Math.min(...runs.map((run) => run.box[1])),
    bottom: Math.max(...runs.map((run) => run.box[3])),
    height: first.height,
    fromTable: false,
    cells,
  };
}

/** The run's words, in groups that belong to one column each. */
function unitsOf(columns: readonly Column[], page: PageRuns, run: TextRun, locale: Locale): number[][] {
  const touched = columns.filter((column) => column.box[0] < run.box[2] && run.box[0] < column.box[2]);
  if (touched.length < 2 || run.words.length < 2) return [run.words];
  const numbers = findValues(run.text, "number", locale).concat(findValues(run.text, "percent", locale));
  if (numbers.length === 0 || !touched.some((column) => column.item === undefined || isNumeric(column.item)))
    return [run.words];
  return cutAtNumbers(page, run, numbers, columns);
}

/** Words of one number stay together; neighbours that belong to the same column are joined again. */
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

const maxReach = 6;

/** The column whose left edge, right edge or middle the words keep to best. */
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
    // A wide column of text may begin left of its head and end right of it, up to the next head.
    const next = columns[at + 1]?.box[0] ?? Number.POSITIVE_INFINITY;
    const inside = x0 >= left - height && x1 <= next;
    const edges = Math.min(Math.abs(x0 - left), Math.abs(x1 - right), Math.abs((x0 + x1) / 2 - centreX(column.box)));
    const wrongType = isNumeric(column.item) !== numeric && column.item !== undefined ? 0.8 * height : 0;
    const cost = 2 * apart + edges + wrongType - (inside ? 0.4 * height : 0);
    if (apart < maxReach * height && cost < least) [best, least] = [column, cost];
  });
  return best;
}
