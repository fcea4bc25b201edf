/** Makes the cells of a table without drawn lines from its rows and column bands. */

import { boundariesOf, type ColumnBand, isNumeric } from "./column-bands.ts";
import { overlap, unionOf } from "./geometry.ts";
import { logicalRows } from "./logical-rows.ts";
import { narrowColumns } from "./narrow-columns.ts";
import type { Ruling } from "./page-content.ts";
import type { PlacedWord } from "./placed-word.ts";
import { condensed, type DraftCell, inReadingOrder, type TableDraft } from "./table-draft.ts";
import type { TextRow, TextRun } from "./text-rows.ts";

export interface AlignedLines {
  header: readonly TextRow[];
  body: readonly TextRow[];
  columnBands: readonly ColumnBand[];
}

/** Returns the table, or undefined if fewer than two columns remain. */
export function alignedDraft(
  { header, body, columnBands }: AlignedLines,
  horizontal: readonly Ruling[],
): TableDraft | undefined {
  const lines = [...header, ...body];
  const box = unionOf(lines);
  const edges = [
    Math.min(box[0], columnBands[0]?.from ?? box[0]),
    ...boundariesOf(columnBands, wordsOf(lines)),
    box[2] + 1,
  ];
  const numeric = columnBands.flatMap((columnBand, index) => (isNumeric(columnBand) ? [index] : []));
  const rows = logicalRows(body, { edges, numeric, rules: rulesAcross(horizontal, box) });
  const groups = header.length > 0 ? [[...header], ...rows] : rows;
  const fine = narrowColumns(edges, rows, wordsOf(header));
  const cells = groups.flatMap((group, row) => cellsOf(group, row, fine));
  const draft = { box, rows: groups.length, columns: fine.length - 1, headerRows: 0, ruled: false, cells };
  const table = condensed(draft, 1);
  return table && header.length > 0 ? { ...table, headerRows: Math.max(table.headerRows, 1) } : table;
}

const wordsOf = (lines: readonly TextRow[]): PlacedWord[] =>
  lines.flatMap((line) => line.runs.flatMap((run) => run.words));

/**
 * Minimum width of a ruled line that separates rows, as a share of the width of the table. Chosen
 * by hand, 2026-11.
 */
const minRuleWidth = 0.7;

/** Returns the y coordinates of ruled lines that cross most of the table. */
function rulesAcross(horizontal: readonly Ruling[], box: TableDraft["box"]): number[] {
  const wide = horizontal.filter(
    ({ from, to }) => overlap(from, to, box[0], box[2]) > minRuleWidth * (box[2] - box[0]),
  );
  return wide.map(({ at }) => at).filter((at) => at > box[1] && at < box[3]);
}

function cellsOf(group: readonly TextRow[], row: number, edges: readonly number[]): DraftCell[] {
  const cells = new Map<number, DraftCell>();
  const [, top, , bottom] = unionOf(group);
  for (const run of group.flatMap((line) => line.runs)) {
    for (const [from, to, words] of partsOf(run, edges)) {
      const key = from * edges.length + to;
      const known = cells.get(key);
      if (known !== undefined) known.words.push(...words);
      else {
        const box = [edges[from] ?? 0, top, edges[to] ?? 0, bottom] as const;
        cells.set(key, { row, column: from, rowSpan: 1, columnSpan: to - from, box, words: [...words] });
      }
    }
  }
  for (const cell of cells.values()) cell.words = inReadingOrder(cell.words);
  return [...cells.values()];
}

type Part = [from: number, to: number, words: TextRun["words"]];

/**
 * Returns the columns that a text run occupies, with the words in each. A run may consist of
 * several narrow cells, or span several columns.
 */
function partsOf(run: TextRun, edges: readonly number[]): Part[] {
  const columnOf = (x: number) => Math.max(0, Math.min(edges.length - 2, edges.findIndex((edge) => edge > x) - 1));
  const first = columnOf(run.box[0] + 1);
  const last = Math.max(first, columnOf(run.box[2] - 1));
  if (first === last) return [[first, last + 1, run.words]];
  const inner = edges.slice(1, -1);
  const clears = ({ box }: PlacedWord) => inner.every((edge) => edge <= box[0] + 1 || edge >= box[2] - 1);
  if (!run.words.every(clears)) return [[first, last + 1, run.words]];
  const parts = Map.groupBy(run.words, ({ box }) => columnOf((box[0] + box[2]) / 2));
  return [...parts].map(([column, words]) => [column, column + 1, words]);
}
