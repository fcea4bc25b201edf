/** Grey pictures in memory, and what recognition does to them: cut, turn, scale. Every step tells the way back to the page. */

export interface GrayImage {
  width: number;
  height: number;
  /** Rows from the top, one byte a pixel, 0 is black. */
  pixels: Uint8Array;
}

/** `x' = a·x + c·y + e`, `y' = b·x + d·y + f`. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A picture, and the way from its pixels to the units of the page that it shows. */
export interface PlacedImage {
  image: GrayImage;
  toPage: Affine;
}

export const identity: Affine = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function through(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

export const moved = ([a, b, c, d, e, f]: Affine, x: number, y: number): [x: number, y: number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** The part from (x0, y0) up to, not including, (x1, y1). */
export function cut({ image, toPage }: PlacedImage, x0: number, y0: number, x1: number, y1: number): PlacedImage {
  const width = x1 - x0;
  const pixels = new Uint8Array(width * (y1 - y0));
  for (let y = y0; y < y1; y++) {
    pixels.set(image.pixels.subarray(y * image.width + x0, y * image.width + x1), (y - y0) * width);
  }
  return { image: { width, height: y1 - y0, pixels }, toPage: through(toPage, [1, 0, 0, 1, x0, y0]) };
}

/** Turned clockwise by so many quarters. */
export function quarterTurned(placed: PlacedImage, quarters: 0 | 1 | 2 | 3): PlacedImage {
  if (quarters === 0) return placed;
  const { image, toPage } = placed;
  const [width, height] = quarters === 2 ? [image.width, image.height] : [image.height, image.width];
  // Where the pixel (x, y) of the turned picture was, as `from + x·alongX + y·alongY`.
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

/** Scaled by `factor`: smaller by the mean of the area, larger by lines between the pixels. Never smaller than one pixel. */
export function scaled({ image, toPage }: PlacedImage, factor: number): PlacedImage {
  const width = Math.max(1, Math.round(image.width * factor));
  const height = Math.max(1, Math.round(image.height * factor));
  const across = resampled(image.pixels, image.width, image.height, width, 1, image.width);
  const pixels = resampled(across, image.height, width, height, width, 1);
  const back: Affine = [image.width / width, 0, 0, image.height / height, 0, 0];
  return { image: { width, height, pixels }, toPage: through(toPage, back) };
}

/**
 * Scales `lines` lines of `length` pixels to `target` pixels each. In the source and in the result the pixels of a line are `step` apart
 * and the lines fill the rest; `pitch` is the distance of lines in the source where pixels lie side by side.
 */
function resampled(
  source: Uint8Array,
  length: number,
  lines: number,
  target: number,
  step: number,
  pitch: number,
): Uint8Array {
  const result = new Uint8Array(lines * target);
  const targetPitch = step === 1 ? target : 1;
  for (const { to, weights } of resamplingOf(length, target)) {
    for (let line = 0; line < lines; line++) {
      let sum = 0.5;
      for (const [from, weight] of weights) sum += (source[line * pitch + from * step] ?? 0) * weight;
      result[line * targetPitch + to * step] = sum;
    }
  }
  return result;
}

interface Resampling {
  to: number;
  /** Source pixels and their parts, which add up to 1. */
  weights: [from: number, weight: number][];
}

/** A triangle filter, as wide as the larger of the two pixels. */
function resamplingOf(length: number, target: number): Resampling[] {
  const ratio = length / target;
  const reach = Math.max(1, ratio);
  return Array.from({ length: target }, (_, to) => {
    const center = (to + 0.5) * ratio - 0.5;
    const weights: Resampling["weights"] = [];
    for (let from = Math.ceil(center - reach); from <= center + reach; from++) {
      const weight = 1 - Math.abs(from - center) / reach;
      if (weight > 0) weights.push([Math.min(Math.max(from, 0), length - 1), weight]);
    }
    const sum = weights.reduce((total, [, weight]) => total + weight, 0);
    return { to, weights: weights.map(([from, weight]) => [from, weight / sum]) };
  });
}

/** Turned clockwise by a small angle in radians about its middle; the picture keeps its size and what turns in is `fill`. */
export function leaned({ image, toPage }: PlacedImage, angle: number, fill: number): PlacedImage {
  const { width, height, pixels } = image;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  const result = new Uint8Array(width * height).fill(fill);
  for (let y = 0; y < height; y++) {
    let sourceX = middleX - cos * middleX + sin * (y - middleY);
    let sourceY = middleY + sin * middleX + cos * (y - middleY);
    for (let x = 0; x < width; x++, sourceX += cos, sourceY -= sin) {
      if (sourceX < 0 || sourceY < 0 || sourceX > width - 1 || sourceY > height - 1) continue;
      const [left, top] = [Math.trunc(sourceX), Math.trunc(sourceY)];
      const at = top * width + left;
      const [partX, partY] = [sourceX - left, sourceY - top];
      const right = partX > 0 ? 1 : 0;
      const below = partY > 0 ? width : 0;
      const upper = (pixels[at] ?? 0) * (1 - partX) + (pixels[at + right] ?? 0) * partX;
      const lower = (pixels[at + below] ?? 0) * (1 - partX) + (pixels[at + below + right] ?? 0) * partX;
      result[y * width + x] = upper + (lower - upper) * partY + 0.5;
    }
  }
  const [x, y] = [width / 2, height / 2];
  const back: Affine = [cos, -sin, sin, cos, x - cos * x - sin * y, y + sin * x - cos * y];
  return { image: { width, height, pixels: result }, toPage: through(toPage, back) };
}

/** The picture as a file of the PGM format, which recognition engines read fastest. */
export function pgmOf({ width, height, pixels }: GrayImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  return file;
}
