/**
 * Finds column bands, which are the columns of a table without drawn lines. They are recognized by
 * the alignment of texts.
 */

import type { Box } from "../document.ts";
import { type Boxed, overlap } from "./geometry.ts";
import { isNumber } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";
import { type TextRow, type TextRun, textRunOf } from "./text-rows.ts";

/** A range of x coordinates in which several rows have a text run. */
export interface ColumnBand {
  from: number;
  to: number;
  runs: TextRun[];
}

/**
 * Minimum overlap of a run and a band, as a share of the width of the narrower of the two. Chosen
 * by hand, 2026-11.
 */
const minShare = 0.35;

/**
 * Returns the column bands that a run overlaps. The band whose edge or middle is closest to that of
 * the run comes first.
 */
export function bandsAt(columnBands: readonly ColumnBand[], { box }: Boxed): ColumnBand[] {
  const at = columnBands.filter((columnBand) => isAt(columnBand, box));
  return at.length < 2 ? at : at.sort((a, b) => edgeDistance(a, box) - edgeDistance(b, box));
}

function isAt({ from, to }: ColumnBand, box: Box): boolean {
  const shared = overlap(from, to, box[0], box[2]);
  const narrow = Math.min(to - from, box[2] - box[0]);
  return shared > Math.min(1, narrow) && shared >= minShare * narrow;
}

function isOverSeveral(columnBands: readonly ColumnBand[], { box }: Boxed): boolean {
  let count = 0;
  for (const columnBand of columnBands) if (isAt(columnBand, box) && ++count > 1) return true;
  return false;
}

function edgeDistance(columnBand: ColumnBand, [x0, , x1]: TextRun["box"]): number {
  return Math.min(
    Math.abs(columnBand.from - x0),
    Math.abs(columnBand.to - x1),
    Math.abs((columnBand.from + columnBand.to - x0 - x1) / 2),
  );
}

/**
 * How a row fits column bands: runs that are alone in a band (`placed`), runs that share a band
 * (`shared`), runs in no band (`fresh`), and runs across several bands (`across`).
 */
export interface BandFit {
  placed: Map<TextRun, ColumnBand>;
  shared: TextRun[];
  fresh: TextRun[];
  across: TextRun[];
}

export function fitOf(columnBands: readonly ColumnBand[], row: TextRow): BandFit {
  const fit: BandFit = { placed: new Map(), shared: [], fresh: [], across: [] };
  const used: ColumnBand[] = [];
  for (const run of row.runs) {
    const at = bandsAt(columnBands, run);
    const columnBand = at.find((candidate) => !used.includes(candidate));
    if (at.length === 0) fit.fresh.push(run);
    else if (at.length > 2) fit.across.push(run);
    else if (columnBand === undefined) fit.shared.push(run);
    else {
      used.push(columnBand);
      fit.placed.set(run, columnBand);
    }
  }
  return fit;
}

/**
 * Widens the column bands to include the runs of a row that fits. Adds a band for each run that is
 * in no band.
 */
export function addRow(columnBands: ColumnBand[], fit: BandFit): void {
  for (const [run, columnBand] of fit.placed) {
    columnBand.from = Math.min(columnBand.from, run.box[0]);
    columnBand.to = Math.max(columnBand.to, run.box[2]);
    columnBand.runs.push(run);
  }
  for (const run of fit.fresh) columnBands.push({ from: run.box[0], to: run.box[2], runs: [run] });
  columnBands.sort((a, b) => a.from + a.to - b.from - b.to);
}

/**
 * Joins two neighbouring bands if one has only header runs and the other only body runs. A header
 * may be offset from its values so far that the two do not overlap.
 */
export function joinHeaderBands(columnBands: ColumnBand[], header: readonly TextRow[]): void {
  const names = new Set(header.flatMap((row) => row.runs));
  const isName = (columnBand: ColumnBand) => columnBand.runs.every((run) => names.has(run));
  const isBody = (columnBand: ColumnBand) => !columnBand.runs.some((run) => names.has(run));
  for (let index = 0; index + 1 < columnBands.length; index++) {
    const left = columnBands[index];
    const right = columnBands[index + 1];
    if (!left || !right || !((isName(left) && isBody(right)) || (isBody(left) && isName(right)))) continue;
    const joined: ColumnBand = {
      from: left.from,
      to: Math.max(left.to, right.to),
      runs: [...left.runs, ...right.runs],
    };
    columnBands.splice(index, 2, joined);
  }
}

/**
 * Returns the x coordinate of the boundary between each band and the next. This is the middle of
 * the gap between the two bands. If they overlap, it is the x coordinate that the fewest words
 * cross.
 */
export function boundariesOf(columnBands: readonly ColumnBand[], words: readonly Boxed[]): number[] {
  return columnBands.slice(1).map((right, index) => {
    const left = columnBands[index] ?? right;
    if (right.from >= left.to) return (left.to + right.from) / 2;
    return quietest(right.from, left.to, words);
  });
}

function quietest(from: number, to: number, words: readonly Boxed[]): number {
  let best = (from + to) / 2;
  let fewest = Number.POSITIVE_INFINITY;
  const near = words.filter(({ box }) => box[0] < to && box[2] > from);
  for (let x = from; x <= to; x += 1) {
    const crossing = near.filter(({ box }) => box[0] < x && box[2] > x).length;
    if (crossing < fewest) {
      fewest = crossing;
      best = x;
    }
  }
  return best;
}

/** Minimum share of numbers among the texts of a numeric column. Chosen by hand, 2026-11. */
const minNumeric = 0.6;

/**
 * Returns true if most texts of a band are numbers. One text that is not a number is ignored,
 * because it may be a header.
 */
export function isNumeric(columnBand: ColumnBand): boolean {
  const numbers = columnBand.runs.filter((run) => isNumber(run.text)).length;
  return numbers > 0 && numbers >= (columnBand.runs.length - 1) * minNumeric;
}

/**
 * Splits runs that cover several bands, such as the headers of narrow columns with only a space
 * between them. A run stays whole if one of its words is in two bands, or if `wanted` returns false
 * for its parts.
 */
export function splitAlong(
  row: TextRow,
  columnBands: readonly ColumnBand[],
  wanted?: (parts: readonly TextRun[]) => boolean,
): TextRow {
  if (!row.runs.some((run) => isOverSeveral(columnBands, run))) return row;
  const runs = row.runs.flatMap((run) => {
    if (!isOverSeveral(columnBands, run)) return [run];
    const parts = partsAlong(run, columnBands);
    return wanted === undefined || wanted(parts) ? parts : [run];
  });
  return { ...row, runs };
}

function partsAlong(run: TextRun, columnBands: readonly ColumnBand[]): TextRun[] {
  const owners = run.words.map((word) => bandsUnder(columnBands, word));
  if (owners.some((under) => under.length > 1)) return [run];
  const parts: PlacedWord[][] = [];
  let owner: ColumnBand | undefined;
  for (const [index, word] of run.words.entries()) {
    const under = owners[index]?.[0];
    if (parts.length === 0 || (under !== undefined && owner !== undefined && under !== owner)) parts.push([]);
    parts.at(-1)?.push(word);
    owner = under ?? owner;
  }
  return parts.map(textRunOf);
}

const bandsUnder = (columnBands: readonly ColumnBand[], { box }: Boxed): ColumnBand[] =>
  columnBands.filter((columnBand) => Math.min(columnBand.to, box[2]) - Math.max(columnBand.from, box[0]) > 1);
