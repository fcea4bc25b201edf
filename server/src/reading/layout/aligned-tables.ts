/**
 * Tables without a grid: rows of three fragments or more, some of them numbers, whose fragments stand above one another. Such a row
 * seeds a table, the rows below that fit its lanes extend it, and lines of words above them are its header.
 */
import type { Ruling } from "../pdf/drawings.ts";
import { alignedDraft } from "./aligned-draft.ts";
import { type Fragment, type Row, textOf } from "./fragments.ts";
import { heightOf, overlapX, overlapY } from "./geometry.ts";
import { addRow, type Fit, fitOf, isNumeric, type Lane, splitAlong } from "./lanes.ts";
import { isAmount, isNumber } from "./numbers.ts";
import type { HeaderBand } from "./ruled-tables.ts";
import type { TableDraft } from "./table-draft.ts";

/** Rows of one table stand at most so many line heights apart, or their header above them. */
const maxRowGap = 7;
const maxHeaderGap = 3.5;
const maxHeaderLines = 6;
const maxHeaderWords = 6;
/** Lines of text between two rows of a table: a long description, or a note to an item. */
const maxLinesBetween = 8;
/** Lines nearer than this part of their height belong together. */
const tightGap = 0.6;

/** A table that is growing: indices of its lines among those of the region. */
interface Growing {
  lanes: Lane[];
  header: Row[];
  /** The full rows. */
  members: number[];
  first: number;
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
    const found = tableFrom(rows, from, floor, bands);
    const draft = found && alignedDraft(found.header, found.body, found.lanes, horizontal);
    if (draft) tables.push(draft);
    if (draft) floor = found.end;
    from = draft ? found.end : from + 1;
  }
  return tables;
}

interface Found {
  header: Row[];
  body: Row[];
  lanes: Lane[];
  end: number;
}

function tableFrom(rows: readonly Row[], seed: number, floor: number, bands: readonly HeaderBand[]): Found | undefined {
  const row = rows[seed];
  if (row === undefined) return undefined;
  const growing = underBand(rows, seed, floor, bands) ?? { lanes: [], header: [], members: [], first: seed };
  const banded = growing.header.length > 0;
  if (!isTabular(row) && !(banded && fits(fitOf(growing.lanes, row), growing.lanes))) return undefined;
  growDown(rows, seed, growing);
  if (!banded) growUp(rows, seed, floor, growing);
  if (!isTable(growing, banded)) return undefined;
  const end = continuationEnd(rows, growing.members.at(-1) ?? seed, growing.lanes);
  return { header: growing.header, body: rows.slice(seed, end), lanes: growing.lanes, end };
}

/** Three fragments or more, one of them a number at least. */
function isTabular(row: Row): boolean {
  return row.fragments.length >= 3 && row.fragments.some((fragment) => isNumber(textOf(fragment)));
}

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
  const header = rows.slice(first, seed);
  const lanes = band.cells.map(([from, to]): Lane => ({ from, to, fragments: [] }));
  return { lanes, header, members: [], first };
}

const isWithin = (row: Row | undefined, { box }: HeaderBand): boolean =>
  row !== undefined && overlapY(box, row.box) > 0.4 * heightOf(row) && overlapX(box, row.box) > 0;

/** Adds rows from the seed on as long as they fit. */
function growDown(rows: readonly Row[], seed: number, { lanes, members }: Growing): void {
  for (let index = seed; index < rows.length; index++) {
    const row = rows[index];
    const above = rows[index - 1];
    const last = members.at(-1);
    if (row === undefined) return;
    if (last !== undefined) {
      const lastRow = rows[last] ?? row;
      if (index - last > maxLinesBetween || (above && gapBetween(above, row) > maxRowGap * lineHeight(lastRow))) return;
      if (startsAnother(rows, index, last)) return;
    }
    const fit = fitOf(lanes, row);
    if (last !== undefined && breaks(fit, row, lanes)) return;
    const isFirst = last === undefined;
    if (!isFirst && (!isTabular(row) || !fits(fit, lanes))) continue;
    addRow(lanes, fit);
    members.push(index);
  }
}

/** A full row that stands across the lanes belongs to another table. */
function breaks(fit: Fit, row: Row, lanes: readonly Lane[]): boolean {
  return row.fragments.length >= 3 && !fits(fit, lanes) && fit.across.length + fit.fresh.length > fit.placed.size;
}

function fits(fit: Fit, lanes: readonly Lane[]): boolean {
  return fit.placed.size >= 2 && fit.across.length === 0 && fit.fresh.length <= Math.max(1, lanes.length / 3);
}

/** Another header: a full line without numbers, under a heading that stands alone or far below the last row. */
function startsAnother(rows: readonly Row[], index: number, last: number): boolean {
  const row = rows[index];
  const above = rows[index - 1];
  if (!row || !above || row.fragments.length < 3 || row.fragments.some((fragment) => isNumber(textOf(fragment))))
    return false;
  if (gapBetween(above, row) > 2 * lineHeight(row)) return true;
  const [heading, ...more] = above.fragments;
  const body = rows[last]?.fragments[0];
  if (index - 1 <= last || !heading || !body || more.length > 0) return false;
  return heading.size > body.size * 1.1 || (isBold(heading) && !isBold(body));
}

const isBold = (fragment: Fragment): boolean => fragment.words.every((word) => word.bold);

/** Takes the lines above the seed that are its header. */
function growUp(rows: readonly Row[], seed: number, floor: number, growing: Growing): void {
  const header: Row[] = [];
  for (let index = seed - 1; index >= Math.max(floor, seed - maxHeaderLines); index--) {
    const row = rows[index];
    const below = rows[index + 1];
    if (row === undefined || below === undefined) break;
    if (gapBetween(row, below) > (header.length === 0 ? maxHeaderGap : tightGap) * lineHeight(row)) break;
    const split = splitAlong(row, growing.lanes);
    if (!isHeaderLine(split, fitOf(growing.lanes, split))) break;
    header.unshift(split);
  }
  trimHeader(header);
  for (const row of header) addRow(growing.lanes, { ...fitOf(growing.lanes, row), across: [] });
  growing.header = header;
  growing.first = seed - header.length;
}

function isHeaderLine(row: Row, fit: Fit): boolean {
  if (fit.across.length > 0 || row.fragments.every(isLabel)) return false;
  return row.fragments.every((fragment) => !isAmount(textOf(fragment)) && fragment.words.length <= maxHeaderWords);
}

const isLabel = (fragment: Fragment): boolean => textOf(fragment).endsWith(":");

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

function isTable({ members, header, lanes }: Growing, banded: boolean): boolean {
  if (lanes.length < 3) return false;
  if (banded) return true;
  const fullHeader = header.some((row) => row.fragments.length >= 3);
  if (members.length < 2 && !fullHeader) return false;
  const numeric = lanes.filter(isNumeric);
  if (numeric.length === 0) return false;
  return numeric.length >= 2 || fullHeader || numeric.some((lane) => lane.fragments.some((f) => isAmount(textOf(f))));
}

/** The end of the lines right below the last row that only go on with its words, set as they are. */
function continuationEnd(rows: readonly Row[], last: number, lanes: readonly Lane[]): number {
  let end = last + 1;
  for (; end < rows.length; end++) {
    const row = rows[end];
    const above = rows[end - 1];
    if (!row || !above || row.fragments.length > 2 || gapBetween(above, row) > tightGap * lineHeight(above)) break;
    const fit = fitOf(lanes, row);
    if (fit.across.length + fit.fresh.length > 0) break;
    if (![...fit.placed].every(([fragment, lane]) => goesOn(fragment, lane))) break;
  }
  return end;
}

function goesOn(fragment: Fragment, lane: Lane): boolean {
  if (isNumeric(lane) || isNumber(textOf(fragment)) || isLabel(fragment)) return false;
  const body = lane.fragments.at(-1);
  return body === undefined || fragment.size <= body.size * 1.1;
}
