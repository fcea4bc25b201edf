/**
 * Tables without a grid: rows of three fragments or more, some of them numbers, whose fragments stand above one another. Such a row
 * seeds a table, the rows below that fit its lanes extend it, and a row of words above them is its header.
 */
import type { Ruling } from "../pdf/drawings.ts";
import { type Fragment, type Row, textOf } from "./fragments.ts";
import { heightOf, overlap, unionOf } from "./geometry.ts";
import { addRow, boundariesOf, type Fit, fitOf, type Lane } from "./lanes.ts";
import { logicalRows } from "./logical-rows.ts";
import { isAmount, isNumber } from "./numbers.ts";
import { condensed, type DraftCell, inReadingOrder, type TableDraft } from "./table-draft.ts";

/** Rows of one table stand at most so many line heights apart, or their header above them. */
const maxRowGap = 7;
const maxHeaderGap = 3.5;
const maxHeaderLines = 4;
/** Lines of text between two rows of a table: a long description, or a note to an item. */
const maxLinesBetween = 8;

export interface AlignedTable {
  draft: TableDraft;
  /** Indices of the rows that the table takes: `[first, end)`. */
  first: number;
  end: number;
}

/** All tables among the visual lines of a page, from the top. */
export function alignedTables(rows: readonly Row[], horizontal: readonly Ruling[]): AlignedTable[] {
  const tables: AlignedTable[] = [];
  let from = 0;
  while (from < rows.length) {
    const table = isTabular(rows[from]) ? tableFrom(rows, from, tables.at(-1)?.end ?? 0, horizontal) : undefined;
    if (table !== undefined) tables.push(table);
    from = table?.end ?? from + 1;
  }
  return tables;
}

/** Three fragments or more, one of them a number at least, and no sentence among them. */
function isTabular(row: Row | undefined): boolean {
  return row !== undefined && row.fragments.length >= 3 && row.fragments.some((fragment) => isNumber(textOf(fragment)));
}

const lineHeight = (row: Row): number => Math.max(row.size, heightOf(row) / 1.3, 1);

function tableFrom(
  rows: readonly Row[],
  seed: number,
  floor: number,
  horizontal: readonly Ruling[],
): AlignedTable | undefined {
  const lanes: Lane[] = [];
  const members = growDown(rows, seed, lanes);
  const first = growUp(rows, seed, floor, lanes);
  const header = rows.slice(first, seed);
  if (!isTable(members, header, lanes)) return undefined;
  const last = members.at(-1) ?? seed;
  const end = continuationEnd(rows, last, lanes);
  const body = rows.slice(seed, end);
  const draft = draftOf(header, body, lanes, horizontal);
  return draft && { draft, first, end };
}

/** Adds rows from the seed on as long as they fit; returns the indices of the tabular ones. */
function growDown(rows: readonly Row[], seed: number, lanes: Lane[]): number[] {
  const members: number[] = [];
  for (let index = seed; index < rows.length; index++) {
    const row = rows[index];
    const last = rows[members.at(-1) ?? seed];
    if (row === undefined || last === undefined) break;
    const between = index - (members.at(-1) ?? seed);
    const gap = row.box[1] - (rows[index - 1] ?? row).box[3];
    if (between > maxLinesBetween || gap > maxRowGap * lineHeight(last)) break;
    const fit = fitOf(lanes, row);
    if (members.length > 0 && breaks(fit, row, lanes)) break;
    if (!isTabular(row) || (members.length > 0 && !fits(fit, lanes))) continue;
    addRow(lanes, fit);
    members.push(index);
  }
  return members;
}

/** A full row that stands across the lanes belongs to another table. */
function breaks(fit: Fit, row: Row, lanes: readonly Lane[]): boolean {
  return row.fragments.length >= 3 && !fits(fit, lanes) && fit.across.length + fit.fresh.length > fit.placed.size;
}

function fits(fit: Fit, lanes: readonly Lane[]): boolean {
  return fit.placed.size >= 2 && fit.across.length === 0 && fit.fresh.length <= Math.max(1, lanes.length / 3);
}

/** The first of the lines above the seed that are its header. */
function growUp(rows: readonly Row[], seed: number, floor: number, lanes: Lane[]): number {
  let first = seed;
  for (let index = seed - 1; index >= Math.max(floor, seed - maxHeaderLines); index--) {
    const row = rows[index];
    const below = rows[index + 1];
    if (row === undefined || below === undefined) break;
    const gap = below.box[1] - row.box[3];
    if (gap > (first === seed ? maxHeaderGap : 0.8) * lineHeight(row)) break;
    const fit = fitOf(lanes, row);
    if (!isHeaderLine(row, fit)) break;
    if (row.fragments.length >= 2 || first < seed) first = index;
    addRow(lanes, { ...fit, across: [] });
  }
  return first;
}

function isHeaderLine(row: Row, fit: Fit): boolean {
  const words = row.fragments.every((fragment) => !isAmount(textOf(fragment)) && fragment.words.length <= 5);
  return words && fit.across.length === 0 && fit.placed.size >= fit.fresh.length && !row.fragments.every(isLabel);
}

const isLabel = (fragment: Fragment): boolean => textOf(fragment).endsWith(":");

function isTable(members: readonly number[], header: readonly Row[], lanes: readonly Lane[]): boolean {
  if (lanes.length < 3) return false;
  const fullHeader = header.some((row) => row.fragments.length >= 3);
  if (members.length < 2 && !fullHeader) return false;
  const numeric = lanes.filter(isNumeric);
  return (
    numeric.length >= (fullHeader ? 1 : 2) || numeric.some((lane) => lane.fragments.some((f) => isAmount(textOf(f))))
  );
}

function isNumeric(lane: Lane): boolean {
  const numbers = lane.fragments.filter((fragment) => isNumber(textOf(fragment))).length;
  return numbers > 0 && numbers >= (lane.fragments.length - 1) * 0.6;
}

/** Lines right below the last row that only go on with its words. */
function continuationEnd(rows: readonly Row[], last: number, lanes: readonly Lane[]): number {
  let end = last + 1;
  for (; end < rows.length; end++) {
    const row = rows[end];
    const above = rows[end - 1];
    if (row === undefined || above === undefined || row.fragments.length > 2) break;
    const fit = fitOf(lanes, row);
    const tight = row.box[1] - above.box[3] <= 0.6 * lineHeight(above);
    if (!tight || fit.across.length + fit.fresh.length > 0 || !fit.placed.keys().every(isWords)) break;
    if (fit.placed.values().some(isNumeric)) break;
  }
  return end;
}

const isWords = (fragment: Fragment): boolean => !isNumber(textOf(fragment));

function draftOf(
  header: readonly Row[],
  body: readonly Row[],
  lanes: readonly Lane[],
  horizontal: readonly Ruling[],
): TableDraft | undefined {
  const box = unionOf([...header, ...body]);
  const words = [...header, ...body].flatMap((row) => row.fragments.flatMap((fragment) => fragment.words));
  const edges = [box[0], ...boundariesOf(lanes, words), box[2]];
  const numeric = lanes.map((lane, index) => (isNumeric(lane) ? index : -1)).filter((index) => index >= 0);
  const groups = [
    ...(header.length > 0 ? [[...header]] : []),
    ...logicalRows(body, { edges, numeric, rules: rulesAcross(horizontal, box) }),
  ];
  const cells = groups.flatMap((group, row) => cellsOf(group, row, edges));
  const draft = { box, rows: groups.length, columns: lanes.length, headerRows: 0, ruled: false, cells };
  const table = condensed(draft);
  return table && header.length > 0 ? { ...table, headerRows: Math.max(table.headerRows, 1) } : table;
}

/** Places of lines that run over most of the table. */
function rulesAcross(horizontal: readonly Ruling[], box: TableDraft["box"]): number[] {
  const wide = horizontal.filter(({ from, to }) => overlap(from, to, box[0], box[2]) > 0.7 * (box[2] - box[0]));
  return wide.map(({ at }) => at).filter((at) => at > box[1] && at < box[3]);
}

function cellsOf(group: readonly Row[], row: number, edges: readonly number[]): DraftCell[] {
  const cells = new Map<string, DraftCell>();
  const top = Math.min(...group.map(({ box }) => box[1]));
  const bottom = Math.max(...group.map(({ box }) => box[3]));
  for (const fragment of group.flatMap((line) => line.fragments)) {
    for (const [from, to, words] of partsOf(fragment, edges)) {
      const key = `${from} ${to}`;
      const known = cells.get(key);
      if (known !== undefined) known.words.push(...words);
      else {
        const box = [edges[from] ?? 0, top, edges[to] ?? 0, bottom] as const;
        cells.set(key, { row, column: from, rowSpan: 1, columnSpan: to - from, box, words: [...words] });
      }
    }
  }
  return [...cells.values()].map((cell) => ({ ...cell, words: inReadingOrder(cell.words) }));
}

/** The columns of a fragment, and its words there: a fragment may hold two narrow cells, or span several. */
function partsOf(fragment: Fragment, edges: readonly number[]): [from: number, to: number, words: Fragment["words"]][] {
  const columnOf = (x: number) => Math.max(0, Math.min(edges.length - 2, edges.findIndex((edge) => edge > x) - 1));
  const clears = (word: Fragment["words"][number]) =>
    edges.slice(1, -1).every((edge) => edge <= word.box[0] + 1 || edge >= word.box[2] - 1);
  const first = columnOf(fragment.box[0] + 0.5);
  const last = columnOf(fragment.box[2] - 0.5);
  if (first === last || !fragment.words.every(clears)) return [[first, Math.max(first, last) + 1, fragment.words]];
  const parts = Map.groupBy(fragment.words, (word) => columnOf((word.box[0] + word.box[2]) / 2));
  return [...parts].map(([column, words]) => [column, column + 1, words]);
}
