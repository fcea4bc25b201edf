/** Puts the text of a table into lines in reading order, row by row. */
import { type DraftLine, lineOf } from "./blocks.ts";
import type { DraftCell, TableDraft } from "./table-draft.ts";
import { rowsOf, wordRows, wordsOf } from "./text-rows.ts";

/**
 * Returns the lines of the table, row by row. If at most one cell of a row has several lines, the
 * row is read across: the first lines of all its cells, then the second lines, and so on. If
 * several cells have several lines, such as address blocks side by side, each cell is read
 * completely before the next one.
 */
export function tableLines({ rows, cells }: TableDraft): DraftLine[] {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const lines: DraftLine[] = [];
  for (let row = 0; row < rows; row++) lines.push(...rowLines(byRow.get(row) ?? []));
  return lines;
}

function rowLines(cells: readonly DraftCell[]): DraftLine[] {
  const tall = cells.filter(({ words }) => wordRows(words).length > 1).length;
  const isAcross = tall <= 1 && cells.length > 1;
  const parts = isAcross ? [cells.flatMap((cell) => cell.words)] : cells.map((cell) => cell.words);
  return parts.flatMap((words) => rowsOf(words, [])).map(({ runs }) => lineOf(wordsOf(runs), runs.length));
}
