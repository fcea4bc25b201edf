/**
 * Grayscale images in memory, and the operations that OCR needs: cropping, rotating and scaling.
 * Each operation also updates the transform from pixels to page units.
 */

import type { Box } from "../document.ts";

export interface GrayImage {
  width: number;
  height: number;
  /** Brightness of each pixel, row by row from the top. One byte per pixel; 0 is black. */
  pixels: Uint8Array;
}

/** An affine transform: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** An image, and the transform from its pixels to the units of the page that it shows. */
export interface PlacedImage {
  image: GrayImage;
  toPage: Affine;
}

export const identity: Affine = [1, 0, 0, 1, 0, 0];

/** Returns the transform that applies `inner` first and then `outer`. */
export function through(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

export const moved = ([a, b, c, d, e, f]: Affine, x: number, y: number): [x: number, y: number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** Returns the inverse of the given transform. */
export function inverse([a, b, c, d, e, f]: Affine): Affine {
  const size = a * d - b * c;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

/**
 * Returns the transformed box. If the transform rotates by a small angle, the box is scaled but not
 * enlarged by the rotation. The box around its four rotated corners would be larger, and would
 * overlap the lines of text above and below.
 */
export function movedBox([x0, y0, x1, y1]: Box, transform: Affine): Box {
  const [a, b, c, d] = transform;
  const [x, y] = moved(transform, (x0 + x1) / 2, (y0 + y1) / 2);
  const isLevel = Math.abs(a) >= Math.abs(b);
  const [width, height] = [x1 - x0, y1 - y0];
  const halfX = (isLevel ? width * Math.hypot(a, b) : height * Math.hypot(c, d)) / 2;
  const halfY = (isLevel ? height * Math.hypot(c, d) : width * Math.hypot(a, b)) / 2;
  return [x - halfX, y - halfY, x + halfX, y + halfY];
}

/**
 * Returns the part of the image from the pixel (x0, y0) up to, but not including, the pixel (x1,
 * y1).
 */
export function cut({ image, toPage }: PlacedImage, x0: number, y0: number, x1: number, y1: number): PlacedImage {
  const width = x1 - x0;
  const pixels = new Uint8Array(width * (y1 - y0));
  for (let y = y0; y < y1; y++) {
    pixels.set(image.pixels.subarray(y * image.width + x0, y * image.width + x1), (y - y0) * width);
  }
  return { image: { width, height: y1 - y0, pixels }, toPage: through(toPage, [1, 0, 0, 1, x0, y0]) };
}

export type Quarters = 0 | 1 | 2 | 3;

/** Rotates the image clockwise by quarter turns. */
export function rotatedByQuarters(placed: PlacedImage, quarters: Quarters): PlacedImage {
  if (quarters === 0) return placed;
  const { image, toPage } = placed;
  const [width, height] = quarters === 2 ? [image.width, image.height] : [image.height, image.width];
  // The pixel (x, y) of the result is copied from the index `from + x·alongX + y·alongY`.
  const back = turnsBack(image)[quarters];
  const pixels = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    let source = back.from + y * back.alongY;
    for (let x = 0; x < width; x++, source += back.alongX) pixels[at++] = image.pixels[source] ?? 0;
  }
  return { image: { width, height, pixels }, toPage: through(toPage, back.affine) };
}

function turnsBack({ width, height }: GrayImage) {
  return {
    1: { from: (height - 1) * width, alongX: -width, alongY: 1, affine: [0, -1, 1, 0, 0, height] as Affine },
    2: { from: height * width - 1, alongX: -1, alongY: -width, affine: [-1, 0, 0, -1, width, height] as Affine },
    3: { from: width - 1, alongX: width, alongY: -1, affine: [0, 1, -1, 0, width, 0] as Affine },
  };
}

/**
 * Scales an image by `factor`. To shrink it, the function averages over areas; to enlarge it, the
 * function interpolates linearly. The result is at least one pixel wide and high.
 */
export function scaled({ image, toPage }: PlacedImage, factor: number): PlacedImage {
  const width = Math.max(1, Math.round(image.width * factor));
  const height = Math.max(1, Math.round(image.height * factor));
  const pixels = scaledUpright(scaledAcross(image, width), height);
  const back: Affine = [image.width / width, 0, 0, image.height / height, 0, 0];
  return { image: { width, height, pixels }, toPage: through(toPage, back) };
}

function scaledAcross({ width, height, pixels }: GrayImage, target: number): GrayImage {
  const result = new Uint8Array(target * height);
  const { starts, counts, weights, taps } = filterOf(width, target);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < target; x++) {
      let sum = 0.5;
      const from = y * width + (starts[x] ?? 0);
      const count = counts[x] ?? 0;
      for (let tap = 0; tap < count; tap++) sum += (pixels[from + tap] ?? 0) * (weights[x * taps + tap] ?? 0);
      result[at++] = sum;
    }
  }
  return { width: target, height, pixels: result };
}

function scaledUpright({ width, height, pixels }: GrayImage, target: number): Uint8Array {
  const result = new Uint8Array(width * target);
  const { starts, counts, weights, taps } = filterOf(height, target);
  const sums = new Float32Array(width);
  for (let y = 0; y < target; y++) {
    sums.fill(0.5);
    for (let tap = 0; tap < (counts[y] ?? 0); tap++) {
      const weight = weights[y * taps + tap] ?? 0;
      const from = ((starts[y] ?? 0) + tap) * width;
      for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (pixels[from + x] ?? 0) * weight;
    }
    result.set(sums, y * width);
  }
  return result;
}

/**
 * Tells how each pixel of the result is computed: the first source pixel, the number of source
 * pixels, and the weight of each. The weights of a pixel add up to 1.
 */
interface Filter {
  starts: Int32Array;
  counts: Int32Array;
  /** Each pixel of the result has `taps` elements in this array, but may use fewer of them. */
  weights: Float32Array;
  taps: number;
}

/**
 * Returns a triangle filter. It reaches one source pixel or one result pixel to each side,
 * whichever is larger.
 */
function filterOf(length: number, target: number): Filter {
  const ratio = length / target;
  const reach = Math.max(1, ratio);
  const taps = Math.ceil(reach) * 2 + 1;
  const filter: Filter = {
    ...{ starts: new Int32Array(target), counts: new Int32Array(target) },
    ...{ weights: new Float32Array(target * taps), taps },
  };
  for (let to = 0; to < target; to++) {
    const center = (to + 0.5) * ratio - 0.5;
    const first = Math.max(0, Math.ceil(center - reach));
    const last = Math.min(length - 1, Math.floor(center + reach));
    const weightOf = (from: number) => 1 - Math.abs(from - center) / reach;
    let sum = 0;
    for (let from = first; from <= last; from++) sum += weightOf(from);
    for (let from = first; from <= last; from++) filter.weights[to * taps + from - first] = weightOf(from) / sum;
    filter.starts[to] = first;
    filter.counts[to] = last - first + 1;
  }
  return filter;
}

/**
 * Rotates the image clockwise by a small angle in radians. The canvas grows so that the whole image
 * fits, and the new areas get the brightness `fill`.
 */
export function skewedBy({ image, toPage }: PlacedImage, angle: number, fill: number): PlacedImage {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = Math.ceil(image.width * cos + image.height * Math.abs(sin));
  const height = Math.ceil(image.width * Math.abs(sin) + image.height * cos);
  // The rotation maps the middle of the canvas to the middle of the image. Positions refer to pixel
  // centres.
  const [fromX, fromY] = [(width - 1) / 2, (height - 1) / 2];
  const startX = (image.width - 1) / 2 - cos * fromX - sin * fromY;
  const startY = (image.height - 1) / 2 + sin * fromX - cos * fromY;
  const pixels = new Uint8Array(width * height).fill(fill);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const value = between(image, startX + cos * x + sin * y, startY - sin * x + cos * y);
      if (value >= 0) pixels[at] = value + 0.5;
    }
  }
  const [halfX, halfY] = [width / 2, height / 2];
  const e = image.width / 2 - cos * halfX - sin * halfY;
  const f = image.height / 2 + sin * halfX - cos * halfY;
  return { image: { width, height, pixels }, toPage: through(toPage, [cos, -sin, sin, cos, e, f]) };
}

/**
 * Returns the brightness at a position, interpolated from the four surrounding pixels. Returns -1
 * outside of the image.
 */
function between({ width, height, pixels }: GrayImage, x: number, y: number): number {
  if (x < 0 || y < 0 || x > width - 1 || y > height - 1) return -1;
  const [left, top] = [Math.trunc(x), Math.trunc(y)];
  const [partX, partY] = [x - left, y - top];
  const at = top * width + left;
  const right = partX > 0 ? 1 : 0;
  const below = partY > 0 ? width : 0;
  const upper = (pixels[at] ?? 0) * (1 - partX) + (pixels[at + right] ?? 0) * partX;
  const lower = (pixels[at + below] ?? 0) * (1 - partX) + (pixels[at + below + right] ?? 0) * partX;
  return upper + (lower - upper) * partY;
}

/** Returns the image as a PGM file, the format that OCR engines read fastest. */
export function pgmOf({ width, height, pixels }: GrayImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  return file;
}
