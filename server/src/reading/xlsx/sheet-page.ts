/** A page of a sheet: its name, then its regions, each word inside of its cell. */
import type { Page, Word } from "../document.ts";
import { boxOf, type DraftBlock, type DraftCell, type DraftTable, pageOfDraft, wordsOf } from "../ooxml/draft-page.ts";
import { comparedRows, headerRowsOf } from "../ooxml/header-rows.ts";
import { spaceWidth, textWidth } from "../ooxml/text-width.ts";
import { gridOf, type SheetGrid } from "./grid.ts";
import { type CellRange, maxColumns } from "./references.ts";
import { type Region, regionsOf } from "./regions.ts";
import { type CellSpan, rowsOf, type SheetCell, type SheetRow } from "./rows.ts";
import type { SheetCells } from "./sheet.ts";

export interface SheetPart {
  /** Shown above; empty where the sheet goes on from the page before. */
  name: string;
  sheet: SheetCells;
  span: CellSpan;
}

const margin = 20;
const nameSize = 14;
const textSize = 10;
const padding = 2;
const lineSpacing = 1.2;

export function pageOfSheet(number: number, { name, sheet, span }: SheetPart): Page {
  const rows = rowsOf(sheet, span);
  const top = margin + (name === "" ? 0 : nameSize * 2);
  const maker = new SheetPageMaker(gridOf(sheet, rows, top), mergesOf(sheet.merges));
  if (name !== "") maker.addName(name);
  for (const region of regionsOf(rows, sheet.filter)) maker.addRegion(region, sheet.filter);
  const { blocks, tables, grid } = maker;
  return pageOfDraft({ number, width: grid.width, height: grid.height, blocks, tables });
}

/** By the place of the first cell of each. */
const mergesOf = (merges: readonly CellRange[]): ReadonlyMap<number, CellRange> =>
  new Map(merges.map((merge) => [merge.row * maxColumns + merge.column, merge]));

class SheetPageMaker {
  readonly blocks: DraftBlock[] = [];
  readonly tables: DraftTable[] = [];
  readonly grid: SheetGrid;
  readonly #merges: ReadonlyMap<number, CellRange>;

  constructor(grid: SheetGrid, merges: ReadonlyMap<number, CellRange>) {
    this.grid = grid;
    this.#merges = merges;
  }

  addName(name: string): void {
    const area = { x0: margin, y0: margin, x1: Math.max(this.grid.width - margin, margin + 1), y1: margin + nameSize };
    this.blocks.push({ kind: "heading", lines: [setText(name, area, nameSize, false)] });
  }

  addRegion({ kind, rows }: Region, filter: CellRange | undefined): void {
    if (kind === "table") return void this.#addTable(rows, filter);
    const lines = rows.map(({ cells }) => cells.flatMap((cell) => this.#wordsOf(cell, cell.row, cell.column)));
    this.blocks.push({ kind, lines });
  }

  #addTable(rows: readonly SheetRow[], filter: CellRange | undefined): void {
    const used = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
    const places = new Map(used.map((column, index) => [column, index]));
    const cells: DraftCell[] = [];
    const lines: Word[][] = [];
    for (const [index, row] of rows.entries()) {
      const placed = row.cells.map((cell) => this.#cellOf(cell, index, rows, used, places));
      lines.push(placed.flatMap(({ words }) => words));
      for (const cell of placed) cells.push(cell);
    }
    const [top, bottom] = [this.grid.row(rows[0]?.row ?? 0).start, this.grid.row(rows.at(-1)?.row ?? 0).end];
    const sides = [this.grid.column(used[0] ?? 0), this.grid.column(used.at(-1) ?? 0)];
    const box = boxOf(
      Math.min(...sides.map(({ start }) => start)),
      top,
      Math.max(...sides.map(({ end }) => end)),
      bottom,
    );
    const headerRows =
      rows[0]?.row === filter?.row ? 1 : headerRowsOf(rows.slice(0, comparedRows).map(({ cells }) => cells));
    this.blocks.push({ kind: "table", lines });
    this.tables.push({ box, rows: rows.length, columns: used.length, headerRows, ruled: true, cells });
  }

  /** A merged cell spans the rows and columns of the table that lie under it. */
  #cellOf(
    cell: SheetCell,
    row: number,
    rows: readonly SheetRow[],
    used: readonly number[],
    places: ReadonlyMap<number, number>,
  ): DraftCell {
    const column = places.get(cell.column) ?? 0;
    const merge = this.#merges.get(cell.row * maxColumns + cell.column);
    let [lastRow, lastColumn] = [row, column];
    if (merge !== undefined) {
      while ((rows[lastRow + 1]?.row ?? Infinity) <= merge.lastRow) lastRow++;
      while ((used[lastColumn + 1] ?? Infinity) <= merge.lastColumn) lastColumn++;
    }
    const { x0, y0, x1, y1 } = this.#area(cell, rows[lastRow]?.row ?? cell.row, used[lastColumn] ?? cell.column);
    const box = boxOf(x0, y0, x1, y1);
    const words = setText(cell.text, { x0, y0, x1, y1 }, textSize, cell.bold);
    return { row, column, rowSpan: lastRow - row + 1, columnSpan: lastColumn - column + 1, box, words };
  }

  #wordsOf(cell: SheetCell, lastRow: number, lastColumn: number): Word[] {
    return setText(cell.text, this.#area(cell, lastRow, lastColumn), textSize, cell.bold);
  }

  #area({ row, column }: SheetCell, lastRow: number, lastColumn: number): Area {
    const [first, last] = [this.grid.column(column), this.grid.column(lastColumn)];
    return {
      x0: Math.min(first.start, last.start),
      y0: this.grid.row(row).start,
      x1: Math.max(first.end, last.end),
      y1: this.grid.row(lastRow).end,
    };
  }
}

interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const isNumber = /^[-+(]?[\p{Sc}\s]*\d[\d.,\s%)]*$/u;

/** The words of a cell inside of its edges, narrowed where they need more room. Numbers stand at the right edge. */
function setText(text: string, area: Area, size: number, bold: boolean): Word[] {
  const lines = text.includes("\n") || text.includes("\r") ? text.split(/\r\n?|\n/u).map(wordsOf) : [wordsOf(text)];
  const height = Math.min(size * lineSpacing, (area.y1 - area.y0) / lines.length);
  const words: Word[] = [];
  let bottom = area.y0;
  for (const line of lines) {
    bottom += height;
    if (line.length > 0) setLine(line, { area, bottom, height, size, bold, atEnd: isNumber.test(text) }, words);
  }
  return words;
}

interface LinePlace {
  area: Area;
  bottom: number;
  height: number;
  size: number;
  bold: boolean;
  atEnd: boolean;
}

function setLine(line: readonly string[], { area, bottom, height, size, bold, atEnd }: LinePlace, words: Word[]): void {
  const room = Math.max(area.x1 - area.x0 - 2 * padding, 1);
  let width = (line.length - 1) * spaceWidth * size;
  for (const text of line) width += textWidth(text, size);
  const scale = Math.min(1, room / width);
  let x = area.x0 + padding + (atEnd ? room - width * scale : 0);
  const top = bottom - Math.min(size, height);
  for (const text of line) {
    const end = x + textWidth(text, size) * scale;
    const box = boxOf(x, top, end, bottom);
    words.push(bold ? { text, box, size, bold } : { text, box, size });
    x = end + spaceWidth * size * scale;
  }
}
