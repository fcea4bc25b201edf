/**
 * Finds the ink in the image of a line of text. This shows where words begin and end, and how wide
 * the gaps between characters are.
 */
import type { Box } from "../document.ts";
import type { GrayImage } from "../pixels/gray-image.ts";

/**
 * Minimum darkness of ink, as a share of the difference in brightness between the paper and the
 * darkest pixels of the line.
 */
const inkPart = 0.4;
/**
 * Maximum height of a gap without ink inside a word, as a share of the line height. There is such a
 * gap below the dot of an "i".
 */
const maxRowGap = 0.15;
/**
 * Height of the margins at the top and bottom of a line that may contain ink of the neighbouring
 * lines, as a share of the line height. Ink in these margins is ignored when searching for gaps.
 */
const marginPart = 0.18;

export class LineInk {
  readonly #box: Box;
  /** For each pixel of the box, row by row: 1 if it is ink. */
  readonly #ink: Uint8Array;
  /** For each column of the box: 1 if it contains ink. */
  readonly #columns: Uint8Array;
  readonly #width: number;

  constructor(image: GrayImage, box: Box) {
    this.#box = box;
    this.#width = box[2] - box[0];
    this.#ink = inkIn(image, box);
    this.#columns = new Uint8Array(this.#width);
    const height = box[3] - box[1];
    const margin = Math.floor(height * marginPart);
    for (let y = margin; y < height - margin; y++) {
      for (let x = 0; x < this.#width; x++) {
        if (this.#ink[y * this.#width + x] === 1) this.#columns[x] = 1;
      }
    }
  }

  /**
   * Returns the widest gap without ink between two x positions, in pixels of the image. If there is
   * no gap, the range is empty.
   */
  gapBetween(from: number, to: number): { from: number; to: number } {
    let widest = { from: 0, to: 0 };
    let start: number | undefined;
    const end = this.#inside(to);
    for (let x = this.#inside(from); x <= end; x++) {
      if (x < end && this.#columns[x] === 0) start ??= x;
      else if (start !== undefined) {
        if (x - start > widest.to - widest.from) widest = { from: start, to: x };
        start = undefined;
      }
    }
    if (widest.to === 0) return { from: (from + to) / 2, to: (from + to) / 2 };
    return { from: widest.from + this.#box[0], to: widest.to + this.#box[0] };
  }

  /**
   * Returns the box around the ink between two x positions. If there is no ink, the box is as high
   * as the line.
   */
  boxBetween(from: number, to: number): Box {
    let [left, right] = [this.#inside(from), this.#inside(to)];
    while (left < right && this.#columns[left] === 0) left++;
    while (right > left && this.#columns[right - 1] === 0) right--;
    if (left === right) return [from, this.#box[1], to, this.#box[3]];
    const [top, bottom] = this.#rows(left, right);
    return [left + this.#box[0], top + this.#box[1], right + this.#box[0], bottom + this.#box[1]];
  }

  #rows(left: number, right: number): [top: number, bottom: number] {
    const height = this.#box[3] - this.#box[1];
    const hasInk = (y: number) => this.#ink.subarray(y * this.#width + left, y * this.#width + right).includes(1);
    const reach = Math.ceil(height * maxRowGap);
    let [top, bottom] = [height >> 1, height >> 1];
    for (let y = top; y >= 0 && top - y <= reach; y--) if (hasInk(y)) top = y;
    for (let y = bottom; y < height && y - bottom <= reach; y++) if (hasInk(y)) bottom = y + 1;
    return top < bottom ? [top, bottom] : [0, height];
  }

  #inside(x: number): number {
    return Math.min(Math.max(Math.round(x - this.#box[0]), 0), this.#width);
  }
}

function inkIn({ width, pixels }: GrayImage, [x0, y0, x1, y1]: Box): Uint8Array {
  const counts = new Uint32Array(256);
  for (let y = y0; y < y1; y++) {
    for (let at = y * width + x0; at < y * width + x1; at++)
      counts[pixels[at] ?? 0] = (counts[pixels[at] ?? 0] ?? 0) + 1;
  }
  const area = (x1 - x0) * (y1 - y0);
  const [dark, paper] = [levelAt(counts, area * 0.02), levelAt(counts, area * 0.7)];
  const threshold = paper - (paper - dark) * inkPart;
  const ink = new Uint8Array(area);
  for (let y = y0, to = 0; y < y1; y++) {
    for (let at = y * width + x0; at < y * width + x1; at++, to++) ink[to] = (pixels[at] ?? 0) < threshold ? 1 : 0;
  }
  return ink;
}

/** Returns the lowest brightness such that more than `count` pixels are as dark or darker. */
function levelAt(counts: Uint32Array, count: number): number {
  let sum = 0;
  return counts.findIndex((each) => {
    sum += each;
    return sum > count;
  });
}
