/**
 * Finds grids of drawn lines. Lines are joined, lines that touch form a grid, and the grid is cut
 * into cells at its lines.
 */
import type { Box } from "../document.ts";
import { clusters, overlap, sorted } from "./geometry.ts";
import type { Drawings, Ruling } from "./page-content.ts";

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
}

export interface Grid {
  box: Box;
  /**
   * Coordinates of the vertical lines (`xs`) and of the horizontal lines (`ys`). There is one more
   * vertical line than there are columns, and one more horizontal line than there are rows.
   */
  xs: number[];
  ys: number[];
  cells: GridCell[];
}

/**
 * Maximum distance between lines that count as one line, in points. Examples are double lines, and
 * the edges of adjacent boxes. Chosen by hand, 2026-11.
 */
const sameLine = 2;
/**
 * Minimum width of a column and minimum height of a row, in points. Two lines that are closer
 * together count as one line. Chosen by hand, 2026-11.
 */
const minCellSize = 4.5;
/**
 * Maximum gap, in points, between two parts of a broken line that are joined. Chosen by hand,
 * 2026-11.
 */
const maxJoinGap = 3;
/** Maximum distance between lines that count as touching, in points. Chosen by hand, 2026-11. */
const touch = 3;
/**
 * Minimum share of a side of a cell that lines must cover for the side to count as drawn. Chosen by
 * hand, 2026-11.
 */
const drawnPart = 0.75;
/**
 * Maximum number of lines in one direction that are used. A page with more lines is a drawing or
 * graph paper. Chosen by hand, 2026-11.
 */
const maxLines = 1500;
/** Maximum number of cells of a grid. Chosen by hand, 2026-11. */
const maxGridCells = 20_000;
/**
 * Maximum size of a shaded area, as a share of the area of the page. A larger shaded area is the
 * background. Chosen by hand, 2026-11.
 */
const maxShade = 0.8;

/**
 * Returns all lines of a page: strokes, and also the edges of shaded areas, because cells may be
 * marked by shading instead of strokes.
 */
export function allRulings(drawings: Drawings, pageArea: number): Pick<Drawings, "horizontal" | "vertical"> {
  const shades = drawings.shades.filter(([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0) < maxShade * pageArea);
  const horizontal = [...drawings.horizontal];
  const vertical = [...drawings.vertical];
  for (const [x0, y0, x1, y1] of shades) {
    horizontal.push({ at: y0, from: x0, to: x1 }, { at: y1, from: x0, to: x1 });
    vertical.push({ at: x0, from: y0, to: y1 }, { at: x1, from: y0, to: y1 });
  }
  return { horizontal: joined(horizontal), vertical: joined(vertical) };
}

/** Joins parts of lines that lie on the same straight line and touch or almost touch. */
export function joined(rulings: readonly Ruling[]): Ruling[] {
  const result: Ruling[] = [];
  for (const group of collinear(rulings)) {
    let open: Ruling | undefined;
    for (const { at, from, to } of sorted(group, (a, b) => a.from - b.from)) {
      if (open !== undefined && from - open.to <= maxJoinGap) open.to = Math.max(open.to, to);
      else {
        open = { at, from, to };
        result.push(open);
      }
    }
  }
  return result.filter(({ from, to }) => to - from >= 6).slice(0, maxLines);
}

/**
 * Groups lines by position, in ascending order. Most lines share exactly the same position with
 * others, so only the distinct positions are sorted.
 */
function collinear(rulings: readonly Ruling[]): Ruling[][] {
  const byPlace = Map.groupBy(rulings, ({ at }) => at);
  const groups: Ruling[][] = [];
  let first = Number.NEGATIVE_INFINITY;
  for (const place of [...byPlace.keys()].sort((a, b) => a - b)) {
    const members = byPlace.get(place) ?? [];
    if (place - first <= sameLine) groups.at(-1)?.push(...members);
    else {
      groups.push(members);
      first = place;
    }
  }
  return groups;
}

/** Returns the grids: sets of lines that touch and enclose at least one cell. */
export function gridsOf({ horizontal, vertical }: Pick<Drawings, "horizontal" | "vertical">): Grid[] {
  const grids: Grid[] = [];
  for (const [h, v] of touching(horizontal, vertical)) {
    const grid = gridOf(h, v);
    if (grid !== undefined) grids.push(grid);
  }
  return grids;
}

function touching(horizontal: readonly Ruling[], vertical: readonly Ruling[]): [Ruling[], Ruling[]][] {
  const parents = Array.from({ length: horizontal.length + vertical.length }, (_, index) => index);
  for (const [i, { at, from, to }] of horizontal.entries()) {
    // The index is counted by hand, because comparing all pairs of lines takes three times as long
    // with `entries()` in this loop.
    let j = -1;
    for (const v of vertical) {
      j++;
      const meets = v.at >= from - touch && v.at <= to + touch && at >= v.from - touch && at <= v.to + touch;
      if (meets) parents[rootOf(parents, i)] = rootOf(parents, horizontal.length + j);
    }
  }
  const groups = new Map<number, [Ruling[], Ruling[]]>();
  const groupAt = (index: number): [Ruling[], Ruling[]] => {
    const root = rootOf(parents, index);
    const group: [Ruling[], Ruling[]] = groups.get(root) ?? [[], []];
    groups.set(root, group);
    return group;
  };
  for (const [i, h] of horizontal.entries()) groupAt(i)[0].push(h);
  for (const [j, v] of vertical.entries()) groupAt(horizontal.length + j)[1].push(v);
  return [...groups.values()].filter(([h, v]) => h.length >= 2 && v.length >= 1);
}

function rootOf(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root] ?? root;
  parents[index] = root;
  return root;
}

function gridOf(h: Ruling[], v: Ruling[]): Grid | undefined {
  const horizontal = [...h, ...openEnds(v, h)];
  const vertical = [...v, ...openEnds(h, v)];
  const xs = clusters(
    vertical.map(({ at }) => at),
    minCellSize,
  );
  const ys = clusters(
    horizontal.map(({ at }) => at),
    minCellSize,
  );
  if (xs.length < 2 || ys.length < 2 || xs.length * ys.length > maxGridCells) return undefined;
  const cells = cellsOf(xs, ys, new Sides(xs, ys, horizontal, vertical));
  if (cells.length === 0) return undefined;
  return { box: [xs[0] ?? 0, ys[0] ?? 0, xs.at(-1) ?? 0, ys.at(-1) ?? 0], xs, ys, cells };
}

/**
 * Returns the missing outer lines of a table that is open on one or both sides. A side is open if
 * several lines end at the same position, beyond the last line that crosses them.
 */
function openEnds(rulings: readonly Ruling[], crossing: readonly Ruling[]): Ruling[] {
  const places = crossing.map(({ at }) => at);
  const first = Math.min(...rulings.map(({ from }) => from));
  const last = Math.max(...rulings.map(({ to }) => to));
  const ends: Ruling[] = [];
  if (first < Math.min(...places) - minCellSize) ends.push(...supposed(rulings, "from", first));
  if (last > Math.max(...places) + minCellSize) ends.push(...supposed(rulings, "to", last));
  return ends;
}

function supposed(rulings: readonly Ruling[], end: "from" | "to", at: number): Ruling[] {
  const places = rulings.filter((ruling) => Math.abs(ruling[end] - at) <= touch).map((ruling) => ruling.at);
  return places.length < 2 ? [] : [{ at, from: Math.min(...places), to: Math.max(...places) }];
}

/**
 * Tells which sides of the cells of a grid are drawn. Each of these cells is one row high and one
 * column wide.
 */
class Sides {
  readonly #above: boolean[][];
  readonly #left: boolean[][];

  constructor(xs: number[], ys: number[], horizontal: Ruling[], vertical: Ruling[]) {
    this.#above = drawn(ys, xs, horizontal);
    this.#left = drawn(xs, ys, vertical);
  }

  /**
   * Returns true if the line above the given cell is drawn. If `row` is the number of rows, tests
   * the bottom line of the grid.
   */
  above(row: number, column: number): boolean {
    return this.#above[row]?.[column] === true;
  }

  left(row: number, column: number): boolean {
    return this.#left[column]?.[row] === true;
  }
}

/**
 * For each line position in `places`, returns whether a line is drawn there. The result has one
 * value for each interval between two neighbouring positions in `steps`.
 */
function drawn(places: number[], steps: number[], rulings: Ruling[]): boolean[][] {
  return places.map((place) => {
    const near = rulings.filter(({ at }) => Math.abs(at - place) <= minCellSize / 2 + sameLine);
    return steps.slice(1).map((to, index) => {
      const from = steps[index] ?? to;
      return near.some((ruling) => overlap(ruling.from, ruling.to, from, to) >= drawnPart * (to - from));
    });
  });
}

function cellsOf(xs: number[], ys: number[], sides: Sides): GridCell[] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const taken = new Uint8Array(rows * columns);
  const cells: GridCell[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column] === 1) continue;
      const isClosed = (step: number) => sides.left(row, column + step) || taken[row * columns + column + step] === 1;
      const columnSpan = spanOf(columns - column, isClosed);
      const rowSpan = spanOf(rows - row, (step) => !goesOn(sides, row + step, column, columnSpan));
      for (let r = row; r < row + rowSpan; r++) taken.fill(1, r * columns + column, r * columns + column + columnSpan);
      if (!isEnclosed(sides, row, column, rowSpan, columnSpan)) continue;
      const box: Box = [xs[column] ?? 0, ys[row] ?? 0, xs[column + columnSpan] ?? 0, ys[row + rowSpan] ?? 0];
      cells.push({ row, column, rowSpan, columnSpan, box });
    }
  }
  return cells;
}

/**
 * Returns how many columns or rows a cell spans: the number of steps until a side closes the cell,
 * and at least 1.
 */
function spanOf(most: number, isClosed: (step: number) => boolean): number {
  let span = 1;
  while (span < most && !isClosed(span)) span++;
  return span;
}

/**
 * Returns true if a cell continues into `row`. This is the case if no line is drawn above or inside
 * this part of the row, and its left and right sides are the same as in the row above.
 */
function goesOn(sides: Sides, row: number, column: number, columnSpan: number): boolean {
  for (let step = 0; step < columnSpan; step++) {
    if (sides.above(row, column + step) || (step > 0 && sides.left(row, column + step))) return false;
  }
  const last = column + columnSpan;
  return sides.left(row, column) === sides.left(row - 1, column) && sides.left(row, last) === sides.left(row - 1, last);
}

/** Returns true if at least three sides are completely drawn. */
function isEnclosed(sides: Sides, row: number, column: number, rowSpan: number, columnSpan: number): boolean {
  let [above, below, left, right] = [true, true, true, true];
  for (let at = column; at < column + columnSpan; at++) {
    above &&= sides.above(row, at);
    below &&= sides.above(row + rowSpan, at);
  }
  for (let at = row; at < row + rowSpan; at++) {
    left &&= sides.left(at, column);
    right &&= sides.left(at, column + columnSpan);
  }
  return Number(above) + Number(below) + Number(left) + Number(right) >= 3;
}
