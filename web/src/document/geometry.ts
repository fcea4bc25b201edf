/**
 * Calculations with boxes on pages: percentages, hit tests, rotation, and the words inside a box.
 */

/** Left, top, right and bottom in page units, from the top left corner of the upright page. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Clockwise rotation of the view, in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Position of a box within its page, in percent of the page's width and height. */
export function percentages([left, top, right, bottom]: Box, { width, height }: Size) {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(4)}%`;
  return {
    left: percent(left, width),
    top: percent(top, height),
    width: percent(right - left, width),
    height: percent(bottom - top, height),
  };
}

/** Returns the smallest box around all given boxes; undefined if there are none. */
export function boundsOf(boxes: readonly Box[]): Box | undefined {
  const [first, ...rest] = boxes;
  if (first === undefined) return undefined;
  return rest.reduce<Box>(
    ([left, top, right, bottom], box) => [
      Math.min(left, box[0]),
      Math.min(top, box[1]),
      Math.max(right, box[2]),
      Math.max(bottom, box[3]),
    ],
    first,
  );
}

const isInside = ({ x, y }: Point, [left, top, right, bottom]: Box, margin: number) =>
  x >= left - margin && x <= right + margin && y >= top - margin && y <= bottom + margin;

/**
 * Returns the index of the box at a point: the smallest box that contains the point, else the
 * smallest box within `margin` of it.
 */
export function boxAt(boxes: readonly Box[], point: Point, margin = 0): number | undefined {
  let best: number | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  boxes.forEach((box, index) => {
    if (!isInside(point, box, margin)) return;
    const [left, top, right, bottom] = box;
    const area = (right - left) * (bottom - top);
    // Prefers a box that contains the point to one that is only near the point.
    const cost = isInside(point, box, 0) ? area : 1e12 + area;
    if (cost < bestCost) {
      best = index;
      bestCost = cost;
    }
  });
  return best;
}

/** Returns the indexes of the words whose centre is inside a box, in reading order. */
export function wordsInside(boxes: readonly Box[], area: Box): number[] {
  return boxes.flatMap(([left, top, right, bottom], index) =>
    isInside({ x: (left + right) / 2, y: (top + bottom) / 2 }, area, 0) ? [index] : [],
  );
}

/**
 * Returns one box for each line that contains chosen words. The box encloses the chosen words of
 * the line. All lines of a bar code have the same box, which is returned only once.
 */
export function lineBoxes(
  chosen: readonly number[],
  boxes: readonly Box[],
  lines: readonly (readonly [start: number, end: number])[],
): Box[] {
  const bounds = linesOf(lines, boxes.length).flatMap(([start, end]) => {
    const bounds = boundsOf(
      chosen
        .filter((word) => word >= start && word < end)
        .flatMap((word) => {
          const box = boxes[word];
          return box ? [box] : [];
        }),
    );
    return bounds === undefined ? [] : [bounds];
  });
  return [...new Map(bounds.map((box) => [box.join(" "), box])).values()];
}

/** Returns the box with the given opposite corners, clipped to the page. */
export function boxBetween(from: Point, to: Point, { width, height }: Size): Box {
  const clip = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  return [
    clip(Math.min(from.x, to.x), width),
    clip(Math.min(from.y, to.y), height),
    clip(Math.max(from.x, to.x), width),
    clip(Math.max(from.y, to.y), height),
  ];
}

/** Size of a page in a rotated view. */
export const rotatedSize = ({ width, height }: Size, rotation: Rotation): Size =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width };

/**
 * Converts a point of the rotated view to the upright page. Coordinates are shares (0 to 1) of
 * width and height.
 */
export function uprightShares({ x, y }: Point, rotation: Rotation): Point {
  if (rotation === 90) return { x: y, y: 1 - x };
  if (rotation === 180) return { x: 1 - x, y: 1 - y };
  if (rotation === 270) return { x: 1 - y, y: x };
  return { x, y };
}

/**
 * Converts a point of the upright page to the rotated view. Coordinates are shares (0 to 1) of
 * width and height.
 */
export const rotatedShares = (point: Point, rotation: Rotation): Point =>
  uprightShares(point, ((360 - rotation) % 360) as Rotation);

/**
 * Returns the range of words, `[start, end)`, of each line. Words that are in none of `lines` form
 * additional lines.
 */
export function linesOf(
  lines: readonly (readonly [start: number, end: number])[],
  words: number,
): readonly (readonly [start: number, end: number])[] {
  const all: [number, number][] = [];
  let next = 0;
  for (const [start, end] of [...lines].sort((one, other) => one[0] - other[0])) {
    if (start > next) all.push([next, start]);
    if (end > Math.max(start, next)) all.push([Math.max(start, next), Math.min(end, words)]);
    next = Math.max(next, end);
  }
  if (next < words) all.push([next, words]);
  return all;
}
