/**
 * Groups the lines of text of a table body into table rows. A line that only continues the cells of
 * a row belongs to that row.
 */

import { heightOf, median, middleY, overlap } from "./geometry.ts";
import { isNumber } from "./number-words.ts";
import type { TextRow } from "./text-rows.ts";

export interface BodyShape {
  /** Left edge, boundaries between columns, and right edge. */
  edges: readonly number[];
  /** Indices of the columns with numbers. */
  numeric: readonly number[];
  /** The y coordinates of ruled lines across the table. */
  rules: readonly number[];
}

/** Returns the lines in groups. Each group is one table row. */
export function logicalRows(lines: readonly TextRow[], shape: BodyShape): TextRow[][] {
  const numbered: boolean[] = [];
  for (const index of lines.keys())
    numbered.push(isAnchor(lines, index, shape) && !isBesideAnchor(lines, index, shape, numbered));
  // Bold text may have taller boxes than regular text in the same font. Gaps between rows are
  // therefore computed as if all lines had the median height.
  const height = median(lines.map(heightOf));
  const rowGap = usualGap(lines, numbered, height);
  const anchors = numbered.map((isNumbered, index) => isNumbered || isSeparate(lines, index, rowGap, height));
  const rows: TextRow[][] = [];
  for (const band of bandsOf(lines, anchors, shape.rules)) rows.push(...splitBand(lines, anchors, band));
  return rows;
}

type Band = readonly [from: number, to: number];

/**
 * Groups the lines of text into bands between ruled lines. Without ruled lines, all lines of text
 * are in one band.
 */
function bandsOf(lines: readonly TextRow[], anchors: readonly boolean[], rules: readonly number[]): Band[] {
  const bands: [number, number][] = [];
  let from = 0;
  for (let index = 1; index <= lines.length; index++) {
    const above = lines[index - 1];
    const below = lines[index];
    if (below !== undefined && above !== undefined && !rules.some((at) => isBetween(at, above, below))) continue;
    bands.push([from, index]);
    from = index;
  }
  return bands.length > 0 && anchors.length > 0 ? bands : [[0, lines.length]];
}

const isBetween = (at: number, above: TextRow, below: TextRow): boolean => at > middleY(above) && at < middleY(below);

function splitBand(lines: readonly TextRow[], anchors: readonly boolean[], [from, to]: Band): TextRow[][] {
  const starts: number[] = [];
  for (let index = from; index < to; index++) if (anchors[index]) starts.push(index);
  if (starts.length <= 1) return [lines.slice(from, to)];
  // Lines between two lines that start a row belong to the upper row, unless they are nearer to the
  // lower one.
  const cuts = starts.slice(1).map((next, index) => cutBetween(lines, starts[index] ?? from, next));
  return [from, ...cuts].map((cut, index) => lines.slice(cut, cuts[index] ?? to));
}

/** Maximum difference between two gaps that count as equal, in points. */
const rounding = 0.01;
/**
 * A gap counts as clearly wider than another if it is wider by more than this, in line heights.
 * Chosen by hand, 2026-11.
 */
const clearlyWider = 0.25;
/** Maximum gap between lines of one cell, in line heights. Chosen by hand, 2026-11. */
const maxCellGap = 0.3;
/**
 * Minimum vertical overlap of neighbouring lines in a row whose cells are centred vertically, as a
 * share of the line height. Chosen by hand, 2026-11.
 */
const minLineOverlap = 0.25;
/**
 * For rows whose cells are centred vertically: maximum number of lines from a line up to the line
 * that starts its row. Chosen by hand, 2026-11.
 */
const maxCentred = 4;
/**
 * Minimum horizontal overlap of a text run and a column, in points, for the run to count as being
 * in that column. Chosen by hand, 2026-11.
 */
const minOverlap = 1.5;

function cutBetween(lines: readonly TextRow[], anchor: number, next: number): number {
  let cut = next;
  let widest = gapAbove(lines, next) + rounding;
  for (let index = next - 1; index > anchor; index--) {
    const gap = gapAbove(lines, index);
    if (gap > widest + clearlyWider * heightOf(lines[index] ?? { box: [0, 0, 0, 0] })) {
      widest = gap;
      cut = index;
    }
  }
  return cut;
}

const gapAbove = (lines: readonly TextRow[], index: number): number =>
  (lines[index]?.box[1] ?? 0) - (lines[index - 1]?.box[3] ?? 0);

/**
 * Returns the vertical distance between the middle of a line and the middle of the line above it.
 */
const pitchAbove = (lines: readonly TextRow[], index: number): number => {
  const [above, line] = [lines[index - 1], lines[index]];
  return above && line ? middleY(line) - middleY(above) : 0;
};

/**
 * Returns true if a line starts a row. Such a line has a number in a column of numbers, has at
 * least three runs of which one is in a column of numbers, or consists of a single run across at
 * least three columns. A line of one or two runs with a number does not start a row if it is close
 * to the line above and fills only cells that are empty there. Such lines occur in rows whose cells
 * are centred vertically.
 */
function isAnchor(lines: readonly TextRow[], index: number, shape: BodyShape): boolean {
  const line = lines[index];
  if (line === undefined) return false;
  const above = lines[index - 1];
  const hasNumber = line.runs.some(
    (run) => shape.numeric.includes(columnsOf(run, shape)[0] ?? -1) && (isNumber(run.text) || line.runs.length >= 3),
  );
  if (!hasNumber) return isAcross(line, shape);
  if (above === undefined || line.runs.length > 2 || gapAbove(lines, index) > maxCellGap * heightOf(line)) return true;
  const filled = new Set(above.runs.flatMap((run) => columnsOf(run, shape)));
  return line.runs.some((run) => columnsOf(run, shape).some((column) => filled.has(column)));
}

/**
 * Returns true if a line belongs to the row of a line above. It does if it overlaps the lines above
 * and fills only cells that are empty in them. Such lines occur in rows whose cells are centred
 * vertically.
 * @param anchors for each line above, whether it starts a row
 */
function isBesideAnchor(
  lines: readonly TextRow[],
  index: number,
  shape: BodyShape,
  anchors: readonly boolean[],
): boolean {
  const line = lines[index];
  if (line === undefined) return false;
  const own = new Set(line.runs.flatMap((run) => columnsOf(run, shape)));
  for (let at = index; at > 0 && index - at < maxCentred; at--) {
    if (gapAbove(lines, at) > -minLineOverlap * heightOf(line)) return false;
    if (lines[at - 1]?.runs.some((run) => columnsOf(run, shape).some((column) => own.has(column)))) return false;
    if (anchors[at - 1]) return true;
  }
  return false;
}

/**
 * Minimum number of gaps between rows that are needed to compute the usual gap. Chosen by hand,
 * 2026-11.
 */
const minGaps = 3;
/**
 * Minimum usual gap between rows, in line heights. If it is smaller, it can't be distinguished from
 * the gap between lines of one cell. Chosen by hand, 2026-11.
 */
const minRowGap = 0.2;
/**
 * Minimum gap above and below a separate row, as a share of the usual gap. Chosen by hand, 2026-11.
 */
const ownGapShare = 0.8;

/**
 * Returns the median gap between two neighbouring rows of one line each. Returns 0 if there are too
 * few such rows.
 */
function usualGap(lines: readonly TextRow[], anchors: readonly boolean[], height: number): number {
  const gaps = lines.flatMap((_, index) =>
    anchors[index] && anchors[index - 1] ? [pitchAbove(lines, index) - height] : [],
  );
  return gaps.length < minGaps ? 0 : (gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0);
}

/**
 * Returns true for a line with gaps above and below it, such as the heading of a group of rows.
 * Returns false if the rows of the table have no gaps between them, because the line then can't be
 * told apart from a line inside a cell.
 */
function isSeparate(lines: readonly TextRow[], index: number, rowGap: number, height: number): boolean {
  const line = lines[index];
  if (line === undefined || rowGap < minRowGap * heightOf(line)) return false;
  const isApart = (at: number): boolean =>
    at === 0 || at === lines.length || pitchAbove(lines, at) - height >= ownGapShare * rowGap;
  return isApart(index) && isApart(index + 1);
}

/**
 * Returns true for a line with a single run across at least three columns, such as a note, or the
 * heading of a group of rows.
 */
function isAcross({ runs }: TextRow, shape: BodyShape): boolean {
  const [only, ...more] = runs;
  return only !== undefined && more.length === 0 && columnsOf(only, shape).length >= 3;
}

function columnsOf({ box }: TextRow["runs"][number], { edges }: BodyShape): number[] {
  const columns: number[] = [];
  for (let column = 0; column + 1 < edges.length; column++) {
    if (overlap(edges[column] ?? 0, edges[column + 1] ?? 0, box[0], box[2]) > minOverlap) columns.push(column);
  }
  return columns;
}
