/**
 * Finds tables without drawn lines. Their rows have at least three aligned text runs, some of which
 * are numbers. A table starts from one of these rows, the seed. Rows below the seed that fit its
 * column bands are added. Rows of words above the seed become the header.
 */

import { alignedDraft } from "./aligned-draft.ts";
import {
  type Growing,
  gapBetween,
  growUp,
  isBold,
  isLabel,
  lineHeight,
  maxHeaderGap,
  tightGap,
} from "./aligned-header.ts";
import {
  addRow,
  type BandFit,
  bandsAt,
  type ColumnBand,
  fitOf,
  isNumeric,
  joinHeaderBands,
  splitAlong,
} from "./column-bands.ts";
import { heightOf, horizontalOverlap, verticalOverlap } from "./geometry.ts";
import { hasDigit, isAmount, isNumber } from "./number-words.ts";
import type { Ruling } from "./page-content.ts";
import type { HeaderBand } from "./ruled-tables.ts";
import type { TableDraft } from "./table-draft.ts";
import type { TextRow, TextRun } from "./text-rows.ts";

/**
 * Maximum gap between two rows of a table, in line heights. Chosen by hand, 2026-11.
 */
const maxRowGap = 7;
/**
 * Maximum number of text lines between two rows of a table, such as a long description or a note
 * about an item. Chosen by hand, 2026-11.
 */
const maxLinesBetween = 8;
/** Returns all aligned tables among the text rows of a region, from the top. */
export function alignedTables(
  rows: readonly TextRow[],
  horizontal: readonly Ruling[],
  bands: readonly HeaderBand[],
): TableDraft[] {
  const tables: TableDraft[] = [];
  let from = 0;
  let floor = 0;
  while (from < rows.length) {
    const growing = tableFrom(rows, from, floor, bands);
    const draft = growing && alignedDraft(growing, horizontal);
    if (draft) tables.push(draft);
    if (growing && draft) floor = growing.end;
    from = growing && draft ? growing.end : from + 1;
  }
  return tables;
}

function tableFrom(
  rows: readonly TextRow[],
  seed: number,
  floor: number,
  bands: readonly HeaderBand[],
): Growing | undefined {
  const row = rows[seed];
  if (row === undefined) return undefined;
  const banded = underBand(rows, seed, floor, bands);
  if (!isTabular(row) && !(banded && fits(fitOf(banded.columnBands, row), banded.columnBands))) return undefined;
  const growing = banded ?? growUp(rows, seed, floor);
  growDown(rows, seed, growing);
  if (!isTable(growing, banded !== undefined)) return undefined;
  addContinuation(rows, growing);
  joinHeaderBands(growing.columnBands, growing.header);
  return growing;
}

/** Returns true for a row of at least three runs, of which at least one is a number. */
function isTabular(row: TextRow): boolean {
  return row.runs.length >= 3 && row.runs.some((run) => isNumber(run.text));
}

/**
 * Returns true if a run may be split into these parts. At least one part must be a number. A run
 * without numbers is the text of a single cell, so it is not split.
 */
const hasNumber = (parts: readonly TextRun[]): boolean => parts.some((part) => isNumber(part.text));

/**
 * A text row belongs to a drawn header if at least this share of the row's height is inside the
 * header. Chosen by hand, 2026-11.
 */
const minBandOverlap = 0.4;
/**
 * A row belongs to the table below a drawn header if at least this share of the row's width is
 * below the header. Chosen by hand, 2026-11.
 */
const minBandWidth = 0.5;
/**
 * Minimum ratio of two font sizes for one to count as larger than the other. Chosen by hand,
 * 2026-11.
 */
const largerType = 1.1;

/**
 * Returns a table whose column bands are the cells of a drawn header directly above the row `seed`,
 * or undefined if there is no such header.
 */
function underBand(
  rows: readonly TextRow[],
  seed: number,
  floor: number,
  bands: readonly HeaderBand[],
): Growing | undefined {
  const row = rows[seed];
  const above = rows[seed - 1];
  if (!row || !above || seed <= floor) return undefined;
  const band = bands.find((candidate) => verticalOverlap(candidate.box, above.box) > minBandOverlap * heightOf(above));
  if (!band || verticalOverlap(band.box, row.box) > 0 || gapBetween(above, row) > maxHeaderGap * lineHeight(row))
    return undefined;
  if (horizontalOverlap(band.box, row.box) < minBandWidth * (row.box[2] - row.box[0])) return undefined;
  let first = seed;
  while (first > floor && isWithin(rows[first - 1], band)) first--;
  const columnBands = band.cells.map(([from, to]): ColumnBand => ({ from, to, runs: [] }));
  const header = rows.slice(first, seed).map((line) => splitAlong(line, columnBands));
  for (const line of header) addRow(columnBands, { ...fitOf(columnBands, line), fresh: [] });
  return { columnBands, header, body: [], fullRows: 0, end: seed };
}

const isWithin = (row: TextRow | undefined, { box }: HeaderBand): boolean =>
  row !== undefined &&
  verticalOverlap(box, row.box) > minBandOverlap * heightOf(row) &&
  horizontalOverlap(box, row.box) > 0;

/**
 * Adds rows, from the row `seed` downwards. The last row added is a complete row that fits the
 * column bands. Incomplete rows are added only if such a row follows.
 */
function growDown(rows: readonly TextRow[], seed: number, growing: Growing): void {
  const { columnBands } = growing;
  let pending: TextRow[] = [];
  for (let index = seed; index < rows.length; index++) {
    const row = rows[index];
    const last = growing.body.at(-1);
    if (row === undefined || (last && endsBefore(rows, index, last, pending.length))) return;
    const line = splitAlong(row, columnBands, hasNumber);
    const fit = fitOf(columnBands, line);
    if (last && breaks(fit, line, columnBands)) return;
    pending.push(line);
    if (last && !(isTabular(row) && fits(fit, columnBands))) continue;
    addRow(columnBands, fit);
    for (const between of pending.slice(0, -1)) addRow(columnBands, freshOnly(fitOf(columnBands, between)));
    growing.body.push(...pending);
    growing.fullRows++;
    growing.end = index + 1;
    pending = [];
  }
}

/**
 * Reduces the fit of an incomplete row between complete rows to the runs that begin a new column
 * band. Such a run may be in a column that is empty in all complete rows.
 */
const freshOnly = (fit: BandFit): BandFit => ({
  ...fit,
  placed: new Map(),
  fresh: fit.across.length > 0 ? [] : fit.fresh,
});

function endsBefore(rows: readonly TextRow[], index: number, last: TextRow, between: number): boolean {
  const row = rows[index];
  const above = rows[index - 1];
  if (!row || !above || between > maxLinesBetween) return true;
  return gapBetween(above, row) > maxRowGap * lineHeight(last) || startsAnother(row, above, last);
}

/**
 * Returns true for a complete row that does not fit the column bands. It belongs to another table.
 */
function breaks(fit: BandFit, row: TextRow, columnBands: readonly ColumnBand[]): boolean {
  return row.runs.length >= 3 && !fits(fit, columnBands) && fit.across.length + fit.fresh.length > fit.placed.size;
}

function fits(fit: BandFit, columnBands: readonly ColumnBand[]): boolean {
  if (fit.placed.size < 2 || fit.across.length > 0 || fit.shared.length > 1) return false;
  return fit.fresh.length <= Math.max(1, columnBands.length / 3);
}

/**
 * Returns true for the header of another table. This is a complete row without numbers that is far
 * below the row above, or that is below a heading in larger or bold type.
 */
function startsAnother(row: TextRow, above: TextRow, last: TextRow): boolean {
  if (row.runs.length < 3 || row.runs.some((run) => isNumber(run.text))) return false;
  if (gapBetween(above, row) > 2 * lineHeight(row)) return true;
  const [heading, ...more] = above.runs;
  const [body] = last.runs;
  if (above === last || !heading || !body || more.length > 0) return false;
  return heading.size > body.size * largerType || (isBold(heading) && !isBold(body));
}

function isTable({ fullRows, header, body, columnBands }: Growing, banded: boolean): boolean {
  if (columnBands.length < 3 || fullRows === 0) return false;
  if (banded) return true;
  const fullHeader = header.some((row) => row.runs.length >= 3);
  if (fullRows < 2 && !(fullHeader && header.every(isWithoutDigits)) && !isFullRow(body)) return false;
  const numeric = columnBands.filter(isNumeric);
  if (numeric.length === 0) return false;
  return (
    numeric.length >= 2 || fullHeader || numeric.some((columnBand) => columnBand.runs.some((run) => isAmount(run.text)))
  );
}

/**
 * Returns true for a single row with many numbers. Such a row must belong to a table that began on
 * the previous page.
 */
function isFullRow(body: readonly TextRow[]): boolean {
  const texts = body.flatMap((row) => row.runs.map(({ text }) => text));
  return texts.length >= 5 && texts.some(isAmount) && texts.filter(isNumber).length >= 3;
}

const isWithoutDigits = (row: TextRow): boolean => row.runs.every((run) => !hasDigit(run.text));

/**
 * Adds the rows directly below the last one that only continue its texts or fill its empty cells.
 */
function addContinuation(rows: readonly TextRow[], growing: Growing): void {
  const { columnBands, body } = growing;
  for (let index = growing.end; index < rows.length; index++) {
    const row = rows[index];
    const above = rows[index - 1];
    if (!row || !above || row.runs.length > 2 || gapBetween(above, row) > tightGap * lineHeight(above)) return;
    const line = splitAlong(row, columnBands, hasNumber);
    if (!goesOn(line, body.at(-1) ?? line, columnBands)) return;
    body.push(line);
    growing.end = index + 1;
  }
}

function goesOn(line: TextRow, above: TextRow, columnBands: readonly ColumnBand[]): boolean {
  const filled = new Set(fitOf(columnBands, above).placed.values());
  return line.runs.every((run) => {
    const [columnBand, ...more] = bandsAt(columnBands, run);
    if (columnBand === undefined || run.size > above.size * largerType) return false;
    if (isLabel(run) && (isBold(run) || columnBand === columnBands[0])) return false;
    if (isNumber(run.text) && !wraps(run, above, columnBand)) return more.length === 0 && !filled.has(columnBand);
    return ![columnBand, ...more].some(isNumeric);
  });
}

/**
 * Returns true for a number that is part of a wrapped text: it begins at the left edge of a text in
 * the row above.
 */
const wraps = (run: TextRun, above: TextRow, columnBand: ColumnBand): boolean =>
  !isNumeric(columnBand) && above.runs.some(({ box, text }) => !isNumber(text) && Math.abs(box[0] - run.box[0]) < 1);
