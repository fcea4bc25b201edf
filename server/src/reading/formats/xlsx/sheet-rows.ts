/** Groups cells by row, and rows of a sheet by page. */

import { columnOf, maxColumns, rowOf } from "./references.ts";
import type { SheetCells } from "./sheet.ts";

export interface SheetCell {
  row: number;
  column: number;
  text: string;
  bold: boolean;
}

export interface SheetRow {
  row: number;
  cells: SheetCell[];
}

/**
 * Maximum number of cells of a page. A longer sheet continues on the next page. Chosen by hand,
 * 2026-11.
 */
const maxPageCells = 20_000;
/** Maximum number of characters of a page. Chosen by hand, 2026-11. */
const maxPageCharacters = 1_000_000;
/** Maximum height of a page, in points. Chosen by hand, 2026-11. */
const maxPageHeight = 200_000;

export interface CellSlice {
  start: number;
  end: number;
}

/** Returns one range of cells per page. Each range ends at the end of a row. */
export function pageSlices({ places, texts, rowHeights, defaultHeight }: SheetCells): CellSlice[] {
  const slices: CellSlice[] = [];
  let [start, rowStart, characters, height] = [0, 0, 0, 0];
  for (let at = 0; at < places.length; at++) {
    const row = rowOf(places[at] ?? 0);
    if (at > 0 && row !== rowOf(places[at - 1] ?? 0)) {
      rowStart = at;
      height += rowHeights.get(row) ?? defaultHeight;
    }
    characters += texts[at]?.length ?? 0;
    const isFull = at - start >= maxPageCells || characters > maxPageCharacters || height > maxPageHeight;
    if (!isFull || rowStart === start) continue;
    slices.push({ start, end: rowStart });
    [start, characters, height] = [rowStart, texts[at]?.length ?? 0, 0];
  }
  if (start < places.length || slices.length === 0) slices.push({ start, end: places.length });
  return slices;
}

export function rowsOf({ places, texts, bold }: SheetCells, { start, end }: CellSlice): SheetRow[] {
  const rows: SheetRow[] = [];
  for (let at = start; at < end; at++) {
    const place = places[at] ?? 0;
    const row = rowOf(place);
    let last = rows.at(-1);
    if (last?.row !== row) {
      last = { row, cells: [] };
      rows.push(last);
    }
    last.cells.push({ row, column: columnOf(place), text: texts[at] ?? "", bold: bold[at] === 1 });
  }
  return rows;
}

const seen = new Uint8Array(maxColumns);

/** Returns the columns in which at least one of the rows has a cell, in order. */
export function usedColumns(rows: readonly SheetRow[]): number[] {
  const used: number[] = [];
  for (const { cells } of rows) {
    for (const { column } of cells) {
      if (seen[column] === 1) continue;
      seen[column] = 1;
      used.push(column);
    }
  }
  for (const column of used) seen[column] = 0;
  return used.sort((a, b) => a - b);
}
