/**
 * Finds the header of a table without drawn lines: rows of words above the first row of numbers.
 */
import { addRow, type BandFit, bandsAt, type ColumnBand, fitOf, splitAlong } from "./column-bands.ts";
import { heightOf, middleY } from "./geometry.ts";
import { isAmount } from "./number-words.ts";
import type { TextRow, TextRun } from "./text-rows.ts";

/** A table while rows are being added. */
export interface Growing {
  columnBands: ColumnBand[];
  header: TextRow[];
  /** All rows below the header. A run that covers several column bands is split. */
  body: TextRow[];
  /** Number of rows of the body that are complete. */
  fullRows: number;
  /** Index after the last row of the table, in the rows of the region. */
  end: number;
}

/** Maximum gap between header and first row, in line heights. Chosen by hand, 2026-11. */
export const maxHeaderGap = 3.5;
/** Maximum number of lines of a header. Chosen by hand, 2026-11. */
const maxHeaderLines = 6;
/** Maximum number of words of a text run in a header line. Chosen by hand, 2026-11. */
const maxHeaderWords = 6;
/**
 * Maximum gap between lines that belong together, as a share of their height. Chosen by hand,
 * 2026-11.
 */
export const tightGap = 0.6;

/**
 * Height of a line with ascenders and descenders, as a multiple of the type size. Chosen by hand,
 * 2026-11.
 */
const heightOfSize = 1.3;
/**
 * Maximum difference between type sizes that count as equal, as a share of the size. Chosen by
 * hand, 2026-11.
 */
const sameSize = 0.1;
/** Maximum gap below the first line of a header, in line heights. Chosen by hand, 2026-11. */
const maxTitleGap = 0.4;

export const lineHeight = (row: TextRow): number => Math.max(row.size, heightOf(row) / heightOfSize, 1);
export const gapBetween = (above: TextRow, below: TextRow): number => below.box[1] - above.box[3];

export const isBold = (run: TextRun): boolean => run.words.every((word) => word.bold);

/**
 * Returns the header rows above the row `seed`, and the column bands of the header. If there is no
 * header, returns the column bands of the row `seed`.
 */
export function growUp(rows: readonly TextRow[], seed: number, floor: number): Growing {
  const row = rows[seed];
  const seedBands = row ? columnBandsOf([row]) : [];
  const header: TextRow[] = [];
  const notes = row ? notesAbove(rows, seed, floor, seedBands) : 0;
  const first = seed - notes;
  for (let index = first - 1; index >= Math.max(floor, first - maxHeaderLines); index--) {
    const line = rows[index];
    const below = rows[index + 1];
    if (line === undefined || below === undefined) break;
    if (gapBetween(line, below) > (header.length === 0 ? maxHeaderGap : tightGap) * lineHeight(line)) break;
    const split = splitAlong(line, seedBands);
    if (!isHeaderLine(split, fitOf(seedBands, split))) break;
    header.unshift(split);
  }
  trimHeader(header);
  const body = header.length > 0 ? rows.slice(first, seed) : [];
  return {
    columnBands: columnBandsOf(header.length > 0 ? header : row ? [row] : []),
    header,
    body,
    fullRows: 0,
    end: seed,
  };
}

/**
 * A row with a single text may stand between the header and the first row of the table. The gap
 * above it must be at least this share of the gap below it. With a smaller gap above, the row would
 * be a line of the header. Chosen by hand, 2026-11.
 */
const ownGapShare = 0.8;
/**
 * Minimum gap, in line heights, above a row with a single text between the header and the first row
 * of the table. Chosen by hand, 2026-11.
 */
const minOwnGap = 0.2;

/**
 * Returns 1 if a row with a single text stands between the header and the first row, otherwise 0.
 * Such a row is a note about all items, or the heading of the first group.
 */
function notesAbove(rows: readonly TextRow[], seed: number, floor: number, columnBands: readonly ColumnBand[]): number {
  const note = rows[seed - 1];
  const header = rows[seed - 2];
  const row = rows[seed];
  if (!row || !note || !header || seed - 2 < floor || note.runs.length > 1) return 0;
  // Boxes of bold type may be taller than those of regular type in the same font. Gaps are compared
  // as if all boxes were as tall as the smallest one.
  const height = Math.min(...[header, note, row].map(heightOf));
  const gapOf = (above: TextRow, below: TextRow): number => middleY(below) - middleY(above) - height;
  const gap = gapOf(header, note);
  const isLeft = note.box[0] < Math.min(header.box[0], row.box[0]) + lineHeight(note);
  const isOwn = isLeft && gap > minOwnGap * lineHeight(note) && gap >= ownGapShare * gapOf(note, row);
  if (!isOwn && bandsAt(columnBands, note).length < 3) return 0;
  // If header cells wrap, the last line of the header contains only the ends of the longest cells.
  // So the lines above it are checked too.
  for (let at = seed - 2; at >= Math.max(floor, seed - 1 - maxHeaderLines); at--) {
    const line = rows[at];
    const below = rows[at + 1];
    if (!line || !below || (at < seed - 2 && gapBetween(line, below) > tightGap * lineHeight(line))) return 0;
    const fit = fitOf(columnBands, splitAlong(line, columnBands));
    if (!isHeaderLine(line, fit)) return 0;
    if (fit.placed.size >= 3) return 1;
  }
  return 0;
}

function columnBandsOf(lines: readonly TextRow[]): ColumnBand[] {
  const columnBands: ColumnBand[] = [];
  for (const line of lines) addRow(columnBands, fitOf(columnBands, line));
  return columnBands;
}

function isHeaderLine(row: TextRow, fit: BandFit): boolean {
  if (fit.across.length > 0 || row.runs.every(isLabel)) return false;
  return row.runs.every((run) => !isAmount(run.text) && run.words.length <= maxHeaderWords);
}

export const isLabel = (run: TextRun): boolean => run.text.endsWith(":");

/**
 * Removes rows with a single run above the header row, because they are the title of the table. A
 * run in the same type as the header row and close to it is kept.
 */
function trimHeader(header: TextRow[]): void {
  const full = header.find((row) => row.runs.length >= 2);
  if (full === undefined) header.length = 0;
  while (full !== undefined && header[0] !== full) {
    const [only] = header[0]?.runs ?? [];
    const [like] = full.runs;
    const isAlike =
      only && like && isBold(only) === isBold(like) && Math.abs(only.size - like.size) < sameSize * like.size;
    const below = header[1];
    if (isAlike && header[0] && below && gapBetween(header[0], below) < maxTitleGap * lineHeight(below)) return;
    header.shift();
  }
}
