/**
 * Finds check boxes that are drawn as shapes: small squares and circles, empty or with a mark
 * inside.
 */
import type { Box } from "../../document.ts";
import type { DrawnWord, Ruling } from "../../layout/page-content.ts";
import type { PageDrawings, SmallShape } from "./drawings.ts";

/** A check box, as the page shows it. */
export interface FormBox {
  box: Box;
  checked: boolean;
}

/** Minimum and maximum width and height of a check box, in points. Chosen by hand, 2026-11. */
const [minSide, maxSide] = [5, 20];
/** Maximum ratio of the longer to the shorter side of a check box. Chosen by hand, 2026-11. */
const maxRatio = 1.3;
/**
 * Maximum distance, in points, between corners that count as the same, and between boxes that count
 * as touching. Chosen by hand, 2026-11.
 */
const near = 1.2;
/**
 * Minimum width and height of a mark, as a share of the side of its check box. Chosen by hand,
 * 2026-11.
 */
const minMark = 0.3;
/**
 * Maximum width and height of a mark, as a multiple of the side of its check box. A cross may
 * extend beyond the edges of the box.
 */
const maxMark = 2.2;
/** Maximum number of check boxes per page. More boxes are a pattern. Chosen by hand, 2026-11. */
const maxBoxes = 1_000;
/**
 * Characters that are used as marks. In the font ZapfDingbats, some of them are stored as letters.
 */
const markText = /^[xX×✓✔✕✖✗✘☑☒■●•⬤√]$/u;

const widthOf = (box: Box): number => box[2] - box[0];
const heightOf = (box: Box): number => box[3] - box[1];
const middleOf = (box: Box): readonly [number, number] => [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];

/**
 * Returns the check boxes that are drawn. A check box is left out if its centre is inside a box of
 * `known`.
 */
export function drawnBoxes(drawings: PageDrawings, words: readonly DrawnWord[], known: readonly Box[]): FormBox[] {
  const frames = distinct(
    [...drawings.shapes.filter(isFrame).map(({ box }) => box), ...framesOfLines(drawings)],
    known,
  );
  if (frames.length === 0) return [];
  const solid = drawings.shapes.filter((shape) => isSolid(shape)).map(({ box }) => box);
  const grid = new BoxGrid(frames);
  const marked = markedFrames(grid, drawings.shapes, words);
  const boxes = frames
    .filter((frame) => !marked.occupied.has(frame) && !isComb(grid, frame))
    .map((box) => ({ box, checked: marked.checked.has(box) }));
  if (boxes.length === 0) return [];
  // A completely filled check box has no separate frame. It is recognized by having the same size
  // as another check box.
  const filled = distinct(solid, [...known, ...frames]).filter((box) => boxes.some((other) => isAlike(other.box, box)));
  const all = [...boxes, ...filled.map((box) => ({ box, checked: true }))];
  const rows = new TextRows(words);
  const beside = all.filter(({ box }) => rows.hasText(box));
  return beside.length > maxBoxes ? [] : beside;
}

/** Returns the words and lines without those that are part of a check box. */
export function withoutBoxes<T extends DrawnWord>(
  words: readonly T[],
  drawings: PageDrawings,
  boxes: readonly Box[],
): { words: T[]; drawings: PageDrawings } {
  if (boxes.length === 0) return { words: [...words], drawings };
  const grid = new BoxGrid(boxes);
  const isOutside = (box: Box): boolean => grid.around(box) === undefined;
  const isFree = (line: Ruling, boxOf: (line: Ruling) => Box): boolean =>
    line.to - line.from > maxSide + 2 * near || isOutside(boxOf(line));
  return {
    words: words.filter(({ text, box }) => [...text].length > 1 || isOutside(box)),
    drawings: {
      ...drawings,
      horizontal: drawings.horizontal.filter((line) => isFree(line, ({ from, to, at }) => [from, at, to, at])),
      vertical: drawings.vertical.filter((line) => isFree(line, ({ from, to, at }) => [at, from, at, to])),
      shades: drawings.shades.filter((shade) => widthOf(shade) > maxSide + 2 * near || isOutside(shade)),
    },
  };
}

const isBoxSize = (box: Box): boolean => {
  const [width, height] = [widthOf(box), heightOf(box)];
  const [least, most] = [Math.min(width, height), Math.max(width, height)];
  return least >= minSide && most <= maxSide && most <= maxRatio * least;
};

const circleCurves = 4;

/**
 * Returns true for a hollow square or circle. It is either a stroked outline, or a filled ring that
 * consists of an outer and an inner shape.
 */
function isFrame({ box, parts, rectangles, curves, stroked, fill }: SmallShape): boolean {
  if (!isBoxSize(box)) return false;
  const hollow = stroked && fill !== "dark";
  const square = curves === 0 && rectangles === parts;
  const round = curves >= circleCurves * parts && curves <= 2 * circleCurves * parts;
  return (square || round) && (hollow ? parts === 1 : fill === "dark" && parts === 2);
}

const isSolid = ({ box, parts, fill, rectangles, curves }: SmallShape): boolean =>
  isBoxSize(box) && parts === 1 && fill === "dark" && (rectangles === 1 || curves >= circleCurves);

/** Returns the squares that are formed by four separate lines. */
function framesOfLines({ horizontal, vertical }: PageDrawings): Box[] {
  const isSide = ({ from, to }: Ruling): boolean => to - from >= minSide && to - from <= maxSide;
  const sides = new PointMap<Ruling>();
  const floors = new PointMap<Ruling>();
  for (const line of vertical.filter(isSide)) sides.add(line.at, line.from, line);
  const lines = horizontal.filter(isSide);
  for (const line of lines) floors.add(line.from, line.at, line);
  return lines.flatMap((top): Box[] => {
    const left = sides.near(top.from, top.at);
    const right = sides.near(top.to, top.at);
    const bottom = left && floors.near(left.at, left.to);
    if (!left || !right || !bottom || Math.abs(bottom.to - top.to) > near || Math.abs(left.to - right.to) > near)
      return [];
    const box: Box = [top.from, top.at, top.to, bottom.at];
    return isBoxSize(box) ? [box] : [];
  });
}

/** Stores items by position, and finds an item whose position is almost the same. */
class PointMap<T> {
  readonly #items = new Map<string, { x: number; y: number; item: T }>();

  add(x: number, y: number, item: T): void {
    this.#items.set(`${Math.round(x / near)} ${Math.round(y / near)}`, { x, y, item });
  }

  near(x: number, y: number): T | undefined {
    const [column, row] = [Math.round(x / near), Math.round(y / near)];
    for (let at = 0; at < 9; at++) {
      const found = this.#items.get(`${column - 1 + (at % 3)} ${row - 1 + Math.floor(at / 3)}`);
      if (found && Math.abs(found.x - x) <= near && Math.abs(found.y - y) <= near) return found.item;
    }
    return undefined;
  }
}

/**
 * Stores each box in those squares of a grid that it touches, so that the box around a point is
 * found fast. A box touches only a few squares.
 */
class BoxGrid {
  readonly #squares = new Map<string, Box[]>();

  constructor(boxes: readonly Box[]) {
    for (const box of boxes) this.add(box);
  }

  add(box: Box): void {
    for (let x = Math.floor(box[0] / maxSide); x <= Math.floor(box[2] / maxSide); x++)
      for (let y = Math.floor(box[1] / maxSide); y <= Math.floor(box[3] / maxSide); y++) {
        const key = `${x} ${y}`;
        const square = this.#squares.get(key);
        if (square === undefined) this.#squares.set(key, [box]);
        else if (square.length < maxPerSquare) square.push(box);
      }
  }

  /** Returns the stored box that contains the centre of `box`. */
  around(box: Box): Box | undefined {
    const [x, y] = middleOf(box);
    return this.at(x, y);
  }

  at(x: number, y: number): Box | undefined {
    return this.#at(x, y).find(
      (box) => box[0] - near <= x && x <= box[2] + near && box[1] - near <= y && y <= box[3] + near,
    );
  }

  #at(x: number, y: number): readonly Box[] {
    return this.#squares.get(`${Math.floor(x / maxSide)} ${Math.floor(y / maxSide)}`) ?? [];
  }
}

/** Maximum number of boxes in a square of the grid. There can be more only if boxes overlap. */
const maxPerSquare = 20;

/**
 * Drops boxes whose centre is inside a larger box or a known box, such as the inner line of a
 * double frame.
 */
function distinct(boxes: readonly Box[], known: readonly Box[]): Box[] {
  const grid = new BoxGrid(known);
  const bySize = [...boxes].sort((a, b) => widthOf(b) - widthOf(a));
  return bySize.filter((box) => {
    if (grid.around(box) !== undefined) return false;
    grid.add(box);
    return true;
  });
}

/** Returns which frames contain a mark (`checked`), and which contain other text (`occupied`). */
function markedFrames(
  grid: BoxGrid,
  shapes: readonly SmallShape[],
  words: readonly DrawnWord[],
): { checked: Set<Box>; occupied: Set<Box> } {
  const checked = new Set<Box>();
  const occupied = new Set<Box>();
  for (const shape of shapes) {
    const frame = isFrame(shape) || (shape.fill === "light" && !shape.stroked) ? undefined : grid.around(shape.box);
    if (frame && isMark(shape, frame)) checked.add(frame);
  }
  for (const { text, box } of words) {
    const frame = grid.around(box);
    if (frame) (markText.test(text) ? checked : occupied).add(frame);
  }
  return { checked, occupied };
}

function isMark({ box, parts, rectangles, curves }: SmallShape, frame: Box): boolean {
  const side = Math.max(widthOf(frame), heightOf(frame));
  const [width, height] = [widthOf(box), heightOf(box)];
  // In some files, the four sides of a frame are one path. Such a path is not a mark.
  if (parts === circleCurves && rectangles === parts && curves === 0) return false;
  return Math.min(width, height) >= minMark * side && Math.max(width, height) <= maxMark * side;
}

/**
 * Returns true if a box of similar size is directly beside the frame. These boxes are not check
 * boxes, because each of them takes one letter of an answer.
 */
function isComb(grid: BoxGrid, frame: Box): boolean {
  const [, y] = middleOf(frame);
  const beside = [grid.at(frame[0] - minSide / 2, y), grid.at(frame[2] + minSide / 2, y)];
  return beside.some((other) => other !== undefined && other !== frame && isAlike(other, frame));
}

const isAlike = (a: Box, b: Box): boolean =>
  Math.abs(widthOf(a) - widthOf(b)) <= near && Math.abs(heightOf(a) - heightOf(b)) <= near;

/** The vertical positions on the page at which there is text. */
class TextRows {
  readonly #rows = new Set<number>();

  constructor(words: readonly DrawnWord[]) {
    for (const { text, box } of words)
      if (/[\p{L}\p{N}]{2}/u.test(text))
        for (let row = Math.floor(box[1] / rowStep); row <= Math.min(box[3], box[1] + maxTextHeight) / rowStep; row++)
          this.#rows.add(row);
  }

  /** Returns true if there is text at the same vertical position as the box. */
  hasText(box: Box): boolean {
    return this.#rows.has(Math.floor(middleOf(box)[1] / rowStep));
  }
}

const rowStep = 4;
const maxTextHeight = 40;
