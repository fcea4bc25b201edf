/**
 * Tables without a grid: rows of three fragments or more, some of them numbers, whose fragments stand above one another. Such a row
 * seeds a table, the rows below that fit its lanes extend it, and lines of words above them are its header.
 */

import { alignedDraft } from "./aligned-draft.ts";
import { addRow, type Fit, fitOf, isNumeric, joinHeaderLanes, type Lane, lanesAt, splitAlong } from "./column-bands.ts";
import { heightOf, overlapX, overlapY } from "./geometry.ts";
import { hasDigit, isAmount, isNumber } from "./number-words.ts";
import type { Ruling } from "./page-content.ts";
import type { HeaderBand } from "./ruled-tables.ts";
import type { TableDraft } from "./table-draft.ts";
import type { Fragment, Row } from "./text-runs.ts";

/** Rows of one table stand at most so many line heights apart, or their header above them. */
const maxRowGap = 7;
const maxHeaderGap = 3.5;
const maxHeaderLines = 6;
const maxHeaderWords = 6;
/** Lines of text between two rows of a table: a long description, or a note to an item. */
const maxLinesBetween = 8;
/** Lines nearer than this part of their height belong together. */
const tightGap = 0.6;

/** A table that is growing. */
export interface Growing {
  lanes: Lane[];
  header: Row[];
  /** All lines below the header, cut where they run over several lanes. */
  body: Row[];
  /** How many lines of the body are full rows. */
  fullRows: number;
  /** Behind its last line among those of the region. */
  end: number;
}

/** All tables among the visual lines of a region, from the top. */
export function alignedTables(
  rows: readonly Row[],
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
  rows: readonly Row[],
  seed: number,
  floor: number,
  bands: readonly HeaderBand[],
): Growing | undefined {
  const row = rows[seed];
  if (row === undefined) return undefined;
  const banded = underBand(rows, seed, floor, bands);
  if (!isTabular(row) && !(banded && fits(fitOf(banded.lanes, row), banded.lanes))) return undefined;
  const growing = banded ?? growUp(rows, seed, floor);
  growDown(rows, seed, growing);
  if (!isTable(growing, banded !== undefined)) return undefined;
  addContinuation(rows, growing);
  joinHeaderLanes(growing.lanes, growing.header);
  return growing;
}

/** Three fragments or more, one of them a number at least. */
function isTabular(row: Row): boolean {
  return row.fragments.length >= 3 && row.fragments.some((fragment) => isNumber(fragment.text));
}

/** The words of a value are not cut apart; numbers beside one another are values of their own. */
const hasNumber = (parts: readonly Fragment[]): boolean => parts.some((part) => isNumber(part.text));

const lineHeight = (row: Row): number => Math.max(row.size, heightOf(row) / 1.3, 1);
const gapBetween = (above: Row, below: Row): number => below.box[1] - above.box[3];

/** Lanes from a row of drawn header cells right above the seed. */
function underBand(
  rows: readonly Row[],
  seed: number,
  floor: number,
  bands: readonly HeaderBand[],
): Growing | undefined {
  const row = rows[seed];
  const above = rows[seed - 1];
  if (!row || !above || seed <= floor) return undefined;
  const band = bands.find((candidate) => overlapY(candidate.box, above.box) > 0.4 * heightOf(above));
  if (!band || overlapY(band.box, row.box) > 0 || gapBetween(above, row) > maxHeaderGap * lineHeight(row))
    return undefined;
  if (overlapX(band.box, row.box) < 0.5 * (row.box[2] - row.box[0])) return undefined;
  let first = seed;
  while (first > floor && isWithin(rows[first - 1], band)) first--;
  const lanes = band.cells.map(([from, to]): Lane => ({ from, to, fragments: [] }));
  const header = rows.slice(first, seed).map((line) => splitAlong(line, lanes));
  for (const line of header) addRow(lanes, { ...fitOf(lanes, line), fresh: [] });
  return { lanes, header, body: [], fullRows: 0, end: seed };
}

const isWithin = (row: Row | undefined, { box }: HeaderBand): boolean =>
  row !== undefined && overlapY(box, row.box) > 0.4 * heightOf(row) && overlapX(box, row.box) > 0;

/** Adds lines from the seed on as long as full rows that fit follow. */
function growDown(rows: readonly Row[], seed: number, growing: Growing): void {
  const { lanes } = growing;
  let pending: Row[] = [];
  for (let index = seed; index < rows.length; index++) {
    const row = rows[index];
    const last = growing.body.at(-1);
    if (row === undefined || (last && endsBefore(rows, index, last, pending.length))) return;
    const line = splitAlong(row, lanes, hasNumber);
    const fit = fitOf(lanes, line);
    if (last && breaks(fit, line, lanes)) return;
    pending.push(line);
    if (last && !(isTabular(row) && fits(fit, lanes))) continue;
    addRow(lanes, fit);
    for (const between of pending.slice(0, -1)) addRow(lanes, freshOnly(fitOf(lanes, between)));
    growing.body.push(...pending);
    growing.fullRows++;
    growing.end = index + 1;
    pending = [];
  }
}

/** Lines between full rows show columns that the rows leave empty. */
const freshOnly = (fit: Fit): Fit => ({ ...fit, placed: new Map(), fresh: fit.across.length > 0 ? [] : fit.fresh });

function endsBefore(rows: readonly Row[], index: number, last: Row, between: number): boolean {
  const row = rows[index];
  const above = rows[index - 1];
  if (!row || !above || between > maxLinesBetween) return true;
  return gapBetween(above, row) > maxRowGap * lineHeight(last) || startsAnother(row, above, last);
}

/** A full row that stands across the lanes belongs to another table. */
function breaks(fit: Fit, row: Row, lanes: readonly Lane[]): boolean {
  return row.fragments.length >= 3 && !fits(fit, lanes) && fit.across.length + fit.fresh.length > fit.placed.size;
}

function fits(fit: Fit, lanes: readonly Lane[]): boolean {
  if (fit.placed.size < 2 || fit.across.length > 0 || fit.shared.length > 1) return false;
  return fit.fresh.length <= Math.max(1, lanes.length / 3);
}

/** Another header: a full line without numbers, under a heading that stands alone or far below the last row. */
function startsAnother(row: Row, above: Row, last: Row): boolean {
  if (row.fragments.length < 3 || row.fragments.some((fragment) => isNumber(fragment.text))) return false;
  if (gapBetween(above, row) > 2 * lineHeight(row)) return true;
  const [heading, ...more] = above.fragments;
  const [body] = last.fragments;
  if (above === last || !heading || !body || more.length > 0) return false;
  return heading.size > body.size * 1.1 || (isBold(heading) && !isBold(body));
}

const isBold = (fragment: Fragment): boolean => fragment.words.every((word) => word.bold);

/** The lines above the seed that are its header, and the lanes of both. */
function growUp(rows: readonly Row[], seed: number, floor: number): Growing {
  const row = rows[seed];
  const seedLanes = row ? lanesOf([row]) : [];
  const header: Row[] = [];
  const notes = row ? notesAbove(rows, seed, floor, seedLanes) : 0;
  const first = seed - notes;
  for (let index = first - 1; index >= Math.max(floor, first - maxHeaderLines); index--) {
    const line = rows[index];
    const below = rows[index + 1];
    if (line === undefined || below === undefined) break;
    if (gapBetween(line, below) > (header.length === 0 ? maxHeaderGap : tightGap) * lineHeight(line)) break;
    const split = splitAlong(line, seedLanes);
    if (!isHeaderLine(split, fitOf(seedLanes, split))) break;
    header.unshift(split);
  }
  trimHeader(header);
  const body = header.length > 0 ? rows.slice(first, seed) : [];
  return { lanes: lanesOf(header.length > 0 ? header : row ? [row] : []), header, body, fullRows: 0, end: seed };
}

/** How many lines across the table stand between its header and its first row: a note on all items. */
function notesAbove(rows: readonly Row[], seed: number, floor: number, lanes: readonly Lane[]): number {
  const note = rows[seed - 1];
  const header = rows[seed - 2];
  if (!note || !header || seed - 2 < floor || note.fragments.length > 1 || lanesAt(lanes, note).length < 3) return 0;
  const fit = fitOf(lanes, splitAlong(header, lanes));
  return isHeaderLine(header, fit) && fit.placed.size >= 3 ? 1 : 0;
}

function lanesOf(lines: readonly Row[]): Lane[] {
  const lanes: Lane[] = [];
  for (const line of lines) addRow(lanes, fitOf(lanes, line));
  return lanes;
}

function isHeaderLine(row: Row, fit: Fit): boolean {
  if (fit.across.length > 0 || row.fragments.every(isLabel)) return false;
  return row.fragments.every((fragment) => !isAmount(fragment.text) && fragment.words.length <= maxHeaderWords);
}

const isLabel = (fragment: Fragment): boolean => fragment.text.endsWith(":");

/** A lone fragment on top is a title of the table, unless it is set like the full line of the header. */
function trimHeader(header: Row[]): void {
  const full = header.find((row) => row.fragments.length >= 2);
  if (full === undefined) header.length = 0;
  while (full !== undefined && header[0] !== full) {
    const [only] = header[0]?.fragments ?? [];
    const [like] = full.fragments;
    const isAlike = only && like && isBold(only) === isBold(like) && Math.abs(only.size - like.size) < 0.1 * like.size;
    const below = header[1];
    if (isAlike && header[0] && below && gapBetween(header[0], below) < 0.4 * lineHeight(below)) return;
    header.shift();
  }
}

function isTable({ fullRows, header, body, lanes }: Growing, banded: boolean): boolean {
  if (lanes.length < 3 || fullRows === 0) return false;
  if (banded) return true;
  const fullHeader = header.some((row) => row.fragments.length >= 3);
  if (fullRows < 2 && !(fullHeader && header.every(isWithoutDigits)) && !isFullRow(body)) return false;
  const numeric = lanes.filter(isNumeric);
  if (numeric.length === 0) return false;
  return numeric.length >= 2 || fullHeader || numeric.some((lane) => lane.fragments.some((f) => isAmount(f.text)));
}

/** A single row that can only be one of a table that began on the page before. */
function isFullRow(body: readonly Row[]): boolean {
  const texts = body.flatMap((row) => row.fragments.map(({ text }) => text));
  return texts.length >= 5 && texts.some(isAmount) && texts.filter(isNumber).length >= 3;
}

const isWithoutDigits = (row: Row): boolean => row.fragments.every((fragment) => !hasDigit(fragment.text));

/** Adds the lines right below the last row that only go on with its words, or fill what it left empty. */
function addContinuation(rows: readonly Row[], growing: Growing): void {
  const { lanes, body } = growing;
  for (let index = growing.end; index < rows.length; index++) {
    const row = rows[index];
    const above = rows[index - 1];
    if (!row || !above || row.fragments.length > 2 || gapBetween(above, row) > tightGap * lineHeight(above)) return;
    const line = splitAlong(row, lanes, hasNumber);
    if (!goesOn(line, body.at(-1) ?? line, lanes)) return;
    body.push(line);
    growing.end = index + 1;
  }
}

function goesOn(line: Row, above: Row, lanes: readonly Lane[]): boolean {
  const filled = new Set(fitOf(lanes, above).placed.values());
  return line.fragments.every((fragment) => {
    const [lane, ...more] = lanesAt(lanes, fragment);
    if (lane === undefined || fragment.size > above.size * 1.1) return false;
    if (isLabel(fragment) && (isBold(fragment) || lane === lanes[0])) return false;
    if (isNumber(fragment.text)) return more.length === 0 && !filled.has(lane);
    return ![lane, ...more].some(isNumeric);
  });
}
