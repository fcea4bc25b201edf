/** Geometry of boxes, and statistics of numbers. */
import type { Box } from "../document.ts";

export interface Boxed {
  readonly box: Box;
}

/** Returns the smallest box around all parts, of which there must be at least one. */
export function unionOf(parts: Iterable<Boxed>): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of parts) {
    if (box[0] < x0) x0 = box[0];
    if (box[1] < y0) y0 = box[1];
    if (box[2] > x1) x1 = box[2];
    if (box[3] > y1) y1 = box[3];
  }
  return [x0, y0, x1, y1];
}

export const heightOf = ({ box }: Boxed): number => box[3] - box[1];
export const widthOf = ({ box }: Boxed): number => box[2] - box[0];
export const middleX = ({ box }: Boxed): number => (box[0] + box[2]) / 2;
export const middleY = ({ box }: Boxed): number => (box[1] + box[3]) / 2;

/**
 * Returns the length by which two ranges overlap, in points. The length is negative if there is a
 * gap between them.
 */
export const overlap = (from: number, to: number, otherFrom: number, otherTo: number): number =>
  Math.min(to, otherTo) - Math.max(from, otherFrom);

export const horizontalOverlap = (a: Box, b: Box): number => overlap(a[0], a[2], b[0], b[2]);
export const verticalOverlap = (a: Box, b: Box): number => overlap(a[1], a[3], b[1], b[3]);

/**
 * Returns the middle value, or the upper one of two middle values. Returns 0 if there are no
 * values. If all values are equal, as the font sizes of a line mostly are, nothing is sorted.
 */
export function median(values: readonly number[]): number {
  const first = values[0] ?? 0;
  if (values.every((value) => value === first)) return first;
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * Returns the parts in order. Parts that are already in order, as in most cases, are not copied.
 */
export function sorted<T>(parts: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  let last: T | undefined;
  for (const part of parts) {
    if (last !== undefined && compare(last, part) > 0) return [...parts].sort(compare);
    last = part;
  }
  return parts;
}

/**
 * Groups values that are at most `tolerance` above the smallest value of their group. Returns the
 * mean of each group, in ascending order.
 */
export function clusters(values: readonly number[], tolerance: number): number[] {
  const means: number[] = [];
  let group: number[] = [];
  const close = () => {
    if (group.length > 0) means.push(group.reduce((sum, value) => sum + value, 0) / group.length);
  };
  for (const value of [...values].sort((a, b) => a - b)) {
    if (value - (group[0] ?? value) > tolerance) {
      close();
      group = [];
    }
    group.push(value);
  }
  close();
  return means;
}
