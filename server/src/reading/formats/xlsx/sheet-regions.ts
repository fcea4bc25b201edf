/** Splits a sheet into regions: tables and single rows. */
import type { CellRange } from "./references.ts";
import { type SheetRow, usedColumns } from "./sheet-rows.ts";

export interface SheetRegion {
  kind: "table" | "heading" | "paragraph";
  rows: SheetRow[];
}

/**
 * Returns the regions in reading order. A group of rows without an empty row between them is a
 * table, several tables side by side, or single rows.
 */
export function regionsOf(rows: readonly SheetRow[], filter: CellRange | undefined): SheetRegion[] {
  return bandsOf(rows, filter).flatMap((band) => sideBySide(band).flatMap(tableWithTitle));
}

/**
 * Groups rows. A new group begins after an empty row, and at the first row of the auto-filter
 * range, because that row is the header of a list.
 */
function bandsOf(rows: readonly SheetRow[], filter: CellRange | undefined): SheetRow[][] {
  const bands: SheetRow[][] = [];
  for (const row of rows) {
    const band = bands.at(-1);
    const follows = band !== undefined && row.row - (band.at(-1)?.row ?? 0) === 1;
    if (follows && row.row !== filter?.row) band.push(row);
    else bands.push([row]);
  }
  return bands;
}

/** Maximum number of tables side by side. Chosen by hand, 2026-11. */
const maxSideBySide = 20;

/**
 * Splits a group of rows at empty columns into tables side by side. The group is not split if one
 * of the parts can't be a table. For example, labels are not separated from their values.
 */
function sideBySide(band: SheetRow[]): SheetRow[][] {
  const used = usedColumns(band);
  const groups: number[][] = [];
  for (const column of used) {
    const group = groups.at(-1);
    if (group !== undefined && column - (group.at(-1) ?? 0) === 1) group.push(column);
    else groups.push([column]);
  }
  if (groups.length < 2 || groups.length > maxSideBySide) return [band];
  const parts = groups.map((columns) => within(band, columns[0] ?? 0, columns.at(-1) ?? 0));
  return parts.every(isFull) ? parts : [band];
}

function within(band: readonly SheetRow[], first: number, last: number): SheetRow[] {
  return band.flatMap(({ row, cells }) => {
    const inside = cells.filter(({ column }) => column >= first && column <= last);
    return inside.length === 0 ? [] : [{ row, cells: inside }];
  });
}

/**
 * Returns true for rows that can be a separate table: several rows, most of which have several
 * cells.
 */
function isFull(rows: readonly SheetRow[]): boolean {
  return rows.length >= 3 && rows.filter(({ cells }) => cells.length >= 2).length > rows.length / 2;
}

/** Separates the title from a table. The title consists of the single-cell rows above the table. */
function tableWithTitle(rows: SheetRow[]): SheetRegion[] {
  const start = rows.findIndex(({ cells }) => cells.length > 1);
  const body = start < 0 ? [] : rows.slice(start);
  const isTable = body.length >= 2;
  const loose = (isTable ? rows.slice(0, start) : rows).map(
    (row): SheetRegion => ({
      kind: row.cells.length === 1 && row.cells[0]?.bold ? "heading" : "paragraph",
      rows: [row],
    }),
  );
  return isTable ? [...loose, { kind: "table", rows: body }] : loose;
}
