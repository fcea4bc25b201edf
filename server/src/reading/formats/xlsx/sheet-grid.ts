/** Computes where the rows and columns of a sheet are on its page, in points. */
import { hundredth } from "../ooxml/draft-page.ts";
import type { SheetCells } from "./sheet.ts";
import { type SheetRow, usedColumns } from "./sheet-rows.ts";

export interface Edges {
  start: number;
  end: number;
}

export interface SheetGrid {
  width: number;
  height: number;
  column(column: number): Edges;
  row(row: number): Edges;
}

/** Margin of the page, in points. Chosen by hand, 2026-11. */
const margin = 20;
/**
 * Maximum width of a column, in points. Wider columns are reduced to it. Chosen by hand, 2026-11.
 */
const maxWidth = 400;
/**
 * Maximum width of a page, in points. All columns of a wider page are made narrower. Chosen by
 * hand, 2026-11.
 */
const maxPageWidth = 100_000;
/**
 * Maximum size of the gap that replaces empty rows or columns, in points. Chosen by hand, 2026-11.
 */
const maxGap = 40;

export function gridOf(sheet: SheetCells, rows: readonly SheetRow[], top: number): SheetGrid {
  const used = usedColumns(rows);
  const widthOf = (column: number) => Math.min(sheet.columnWidths.get(column) ?? sheet.defaultWidth, maxWidth);
  const total = used.reduce((sum, column) => sum + widthOf(column), 0);
  const scale = Math.min(1, maxPageWidth / total);
  const columns = spread(used, (column) => widthOf(column) * scale, sheet.defaultWidth * scale, margin);
  const heightOf = (row: number) => sheet.rowHeights.get(row) ?? sheet.defaultHeight;
  const lines = spread(
    rows.map(({ row }) => row),
    heightOf,
    sheet.defaultHeight,
    top,
  );
  const width = hundredth(columns.end + margin);
  const mirrored = ({ start, end }: Edges): Edges => ({ start: hundredth(width - end), end: hundredth(width - start) });
  return {
    width,
    height: hundredth(lines.end + margin),
    column: (column) => (sheet.rightToLeft ? mirrored(columns.at(column)) : columns.at(column)),
    row: lines.at,
  };
}

/**
 * Computes the positions of the used rows or columns, which must be in order. Empty rows or columns
 * between them become a gap.
 */
function spread(used: readonly number[], sizeOf: (index: number) => number, emptySize: number, from: number) {
  const places = new Map<number, Edges>();
  let edge = from;
  let next = 0;
  for (const index of used) {
    edge += Math.min((index - next) * emptySize, maxGap);
    const end = edge + sizeOf(index);
    places.set(index, { start: hundredth(edge), end: hundredth(end) });
    edge = end;
    next = index + 1;
  }
  return { end: edge, at: (index: number): Edges => places.get(index) ?? { start: from, end: from } };
}
