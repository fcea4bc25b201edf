/** Turns group headings, such as "Heating" above the lines of a quotation, into a column. */
import type { Box } from "../../../reading/document.ts";
import { unionOf, wordAt } from "../../page/text-runs.ts";
import { isSum } from "./list-ends.ts";
import type { Column } from "./list-heads.ts";
import type { Cell, ListRow } from "./list-rows.ts";
import type { Section } from "./table-sections.ts";

/** Maximum number of filled cells in a group heading: its number and its text. */
const maxCells = 2;
/**
 * Group headings become a column only if at least this share of the items is below a group heading.
 * Chosen by hand, 2026-11.
 */
const minShare = 0.6;

/**
 * Returns the section with its group headings as the first column, and without the rows that
 * contained them. Undefined if it has no group headings.
 */
export function withGroupColumn({ head, rows }: Section): Section | undefined {
  const sizes = rows.map((row) => row.cells.size).sort((a, b) => a - b);
  const usual = sizes.at(-1 - (sizes.length >> 2)) ?? 0;
  if (usual <= maxCells) return undefined;
  const column: Column = { box: [0, 0, 0, 0], text: "", item: undefined, score: 0 };
  const boxes: Box[] = [];
  const grouped: ListRow[] = [];
  let group: { row: ListRow; cell: Cell } | undefined;
  let [named, items] = [0, 0];
  for (const [at, row] of rows.entries()) {
    const cell = groupCell(row, at === 0);
    if (cell && !isSum(row, head.columns)) {
      group = { row, cell };
      boxes.push(...cell.words.map((word) => wordAt(row.page.page, word).box));
      continue;
    }
    const isItem = 2 * row.cells.size >= usual && !isSum(row, head.columns);
    // The words of a cell must be on the page of its row, so a group heading is not applied to rows
    // on later pages.
    const own = isItem && group?.row.page === row.page ? group : undefined;
    if (isItem) items++;
    if (own) named++;
    grouped.push(own ? { ...row, cells: new Map([...row.cells, [column, own.cell]]) } : row);
  }
  if (named < 2 || named < minShare * items) return undefined;
  column.box = boxes.reduce(unionOf);
  return { head: { ...head, columns: [column, ...head.columns] }, rows: grouped };
}

/**
 * If the row is a group heading, returns the cell with its text; otherwise, undefined. Only the
 * first row, a bold row or a row in capitals can be a heading, because any other text may continue
 * the row above.
 */
function groupCell(row: ListRow, isFirst: boolean): Cell | undefined {
  const cells = [...row.cells.values()];
  const text = cells.findLast((cell) => /\p{L}{2}/u.test(cell.text));
  if (!text || cells.length > maxCells) return undefined;
  if (cells.some((cell) => cell !== text && !/^[\p{L}\d.]{1,5}$/u.test(cell.text))) return undefined;
  const isBold = text.words.every((word) => wordAt(row.page.page, word).bold === true);
  const isCapital = text.text === text.text.toUpperCase();
  return isFirst || isBold || isCapital ? text : undefined;
}
