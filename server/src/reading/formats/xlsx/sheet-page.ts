/** Makes a page of a sheet: its name, then its regions, with each word inside its cell. */
import type { BlockKind, Box, Cell, Page, Word } from "../../document.ts";
import { unionOf } from "../../layout/geometry.ts";
import { comparedRows, headerRowsOf } from "../ooxml/header-rows.ts";
import { setText, type TextLines } from "./cell-text.ts";
import { placeOf } from "./references.ts";
import type { SheetCells } from "./sheet.ts";
import { gridOf, type SheetGrid } from "./sheet-grid.ts";
import { regionsOf, type SheetRegion } from "./sheet-regions.ts";
import { type CellSlice, rowsOf, type SheetCell, type SheetRow, usedColumns } from "./sheet-rows.ts";

export interface SheetPart {
  /** Name of the sheet, shown above the cells. Empty if the sheet began on an earlier page. */
  name: string;
  sheet: SheetCells;
  slice: CellSlice;
}

/** Margin of the page, in points. Chosen by hand, 2026-11. */
const margin = 20;
/** Font size of the sheet name, in points. Chosen by hand, 2026-11. */
const nameSize = 14;
/** Font size of cells, in points. Chosen by hand, 2026-11. */
const textSize = 10;

export function pageOfSheet(number: number, { name, sheet, slice }: SheetPart): Page {
  const rows = rowsOf(sheet, slice);
  const top = margin + (name === "" ? 0 : nameSize * 2);
  const maker = new SheetPageMaker(number, gridOf(sheet, rows, top), sheet);
  if (name !== "") maker.addName(name);
  for (const region of regionsOf(rows, sheet.filter)) maker.addRegion(region);
  return maker.page;
}

/**
 * Makes the page. Words are placed first, in reading order, because lines, blocks and cells are
 * ranges of words.
 */
class SheetPageMaker {
  readonly page: Page;
  readonly #grid: SheetGrid;
  readonly #sheet: SheetCells;
  /** Cache of texts that were laid out. A sheet repeats many texts. */
  readonly #known = new Map<string, TextLines>();

  constructor(number: number, grid: SheetGrid, sheet: SheetCells) {
    this.#grid = grid;
    this.#sheet = sheet;
    const { width, height } = grid;
    this.page = {
      ...{ number, width, height, rotation: 0, source: "text", geometry: "flow" },
      ...{ words: [], lines: [], blocks: [], tables: [] },
    };
  }

  addName(name: string): void {
    const box: Box = [margin, margin, Math.max(this.#grid.width - margin, margin + 1), margin + nameSize];
    const start = this.page.lines.length;
    this.#addText(name, box, nameSize, false);
    this.#addLine(0);
    this.#addBlock("heading", start);
  }

  addRegion({ kind, rows }: SheetRegion): void {
    const start = this.page.lines.length;
    if (kind === "table") this.#addTable(rows);
    else {
      for (const { cells } of rows) {
        const first = this.page.words.length;
        for (const cell of cells) this.#addText(cell.text, this.#area(cell, cell), textSize, cell.bold);
        this.#addLine(first);
      }
    }
    this.#addBlock(kind, start);
  }

  #addText(text: string, box: Box, size: number, bold: boolean): void {
    setText(text, box, { size, bold, known: this.#known }, this.page.words);
  }

  /** Adds a line that consists of the words from `start` to the last word added so far. */
  #addLine(start: number): void {
    const { words, lines } = this.page;
    if (words.length > start) lines.push({ box: boxOfWords(words, start), start, end: words.length });
  }

  #addBlock(kind: BlockKind, start: number): void {
    const { lines, blocks } = this.page;
    if (lines.length > start) blocks.push({ kind, box: unionOf(lines.slice(start)), start, end: lines.length });
  }

  #addTable(rows: readonly SheetRow[]): void {
    const columns = usedColumns(rows);
    const frame: TableFrame = { rows: rows.map(({ row }) => row), columns, places: placesOf(columns) };
    const cells: Cell[] = [];
    for (const [index, row] of rows.entries()) {
      const start = this.page.words.length;
      for (const cell of row.cells) cells.push(this.#addCell(cell, index, frame));
      this.#addLine(start);
    }
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return;
    const corner = { row: last.row, column: columns.at(-1) ?? 0 };
    const box = this.#area({ row: first.row, column: columns[0] ?? 0 }, corner);
    const isList = first.row === this.#sheet.filter?.row;
    const headerRows = isList ? 1 : headerRowsOf(rows.slice(0, comparedRows).map(({ cells }) => cells));
    this.page.tables.push({ box, rows: rows.length, columns: columns.length, headerRows, ruled: true, cells });
  }

  /** Adds a cell. A merged cell spans those rows and columns of the table that it covers. */
  #addCell(cell: SheetCell, row: number, { rows, columns, places }: TableFrame): Cell {
    const column = places.get(cell.column) ?? 0;
    const merge = this.#sheet.merges.get(placeOf(cell.row, cell.column));
    if (merge === undefined) {
      const box = this.#area(cell, cell);
      return { row, column, rowSpan: 1, columnSpan: 1, box, words: this.#addCellText(cell, box) };
    }
    const lastRow = lastAtMost(rows, merge.lastRow);
    const lastColumn = lastAtMost(columns, merge.lastColumn);
    const box = this.#area(cell, { row: rows[lastRow] ?? cell.row, column: columns[lastColumn] ?? cell.column });
    const [rowSpan, columnSpan] = [lastRow - row + 1, lastColumn - column + 1];
    return { row, column, rowSpan, columnSpan, box, words: this.#addCellText(cell, box) };
  }

  /** Places the words of a cell. Returns their indices. */
  #addCellText({ text, bold }: SheetCell, box: Box): number[] {
    const start = this.page.words.length;
    this.#addText(text, box, textSize, bold);
    const end = this.page.words.length;
    if (end === start + 1) return [start];
    const words: number[] = [];
    for (let at = start; at < end; at++) words.push(at);
    return words;
  }

  /**
   * Returns the box that extends from cell `first` to cell `last`. The cell `last` must not be
   * above `first`.
   */
  #area(first: CellPlace, last: CellPlace): Box {
    const [one, other] = [this.#grid.column(first.column), this.#grid.column(last.column)];
    const [top, bottom] = [this.#grid.row(first.row), this.#grid.row(last.row)];
    return [Math.min(one.start, other.start), top.start, Math.max(one.end, other.end), bottom.end];
  }
}

interface CellPlace {
  row: number;
  column: number;
}

/** Rows and columns of the sheet that the table contains, in order. */
interface TableFrame {
  rows: readonly number[];
  columns: readonly number[];
  places: ReadonlyMap<number, number>;
}

const placesOf = (columns: readonly number[]): ReadonlyMap<number, number> =>
  new Map(columns.map((column, index) => [column, index]));

/**
 * Returns the index of the last value that is not greater than `most`. The values must be in
 * ascending order.
 */
function lastAtMost(values: readonly number[], most: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function boxOfWords(words: readonly Word[], start: number): Box {
  let [x0, y0, x1, y1] = words[start]?.box ?? [0, 0, 0, 0];
  for (let at = start + 1; at < words.length; at++) {
    const box = words[at]?.box;
    if (box === undefined) break;
    x0 = Math.min(x0, box[0]);
    y0 = Math.min(y0, box[1]);
    x1 = Math.max(x1, box[2]);
    y1 = Math.max(y1, box[3]);
  }
  return [x0, y0, x1, y1];
}
