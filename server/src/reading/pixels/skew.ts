/**
 * Measures the skew angle of the text lines in an image. For each angle, the ink is summed along
 * parallel lines at that angle. At the angle of the text, the sums change most from one line to the
 * next, because lines of text and empty space alternate (Postl's projection profile).
 */
import { brightnessOfPaper } from "./frame.ts";
import { type GrayImage, identity, scaled } from "./gray-image.ts";

/** Largest skew angle that can be found, in degrees. Chosen by hand, 2026-11. */
const maxDegrees = 10;
const coarseStep = 0.6;
const fineStep = 0.1;
/**
 * The image is scaled down until its longer side has at most this many pixels. That is enough to
 * measure the skew of a page to a tenth of a degree.
 */
const maxSide = 800;
/**
 * Maximum number of dark pixels that are summed, which limits the time. Chosen by hand, 2026-11.
 */
const maxPoints = 25_000;
/**
 * Minimum darkness of ink, as a share of the difference in brightness between black and the paper.
 * Chosen by hand, 2026-11.
 */
const minInkPart = 0.25;
/**
 * The sums must change more at the skew angle than at angle 0, by at least this factor. Otherwise
 * the image counts as straight. Chosen by hand, 2026-11.
 */
const minGain = 1.1;

/**
 * Returns the skew angle in radians. It is positive if the lines descend to the right, and 0 if no
 * angle is clearly better than 0.
 */
export function skewOf(image: GrayImage): number {
  const factor = Math.min(1, maxSide / Math.max(image.width, image.height));
  const ink = inkOf(scaled({ image, toPage: identity }, factor).image);
  if (ink.xs.length === 0) return 0;
  const level = jumpsAt(ink, 0);
  const coarse = bestOf(ink, 0, maxDegrees, coarseStep);
  const fine = bestOf(ink, coarse.degrees, coarseStep - fineStep, fineStep);
  return fine.jumps > level * minGain ? (fine.degrees * Math.PI) / 180 : 0;
}

interface Ink {
  xs: Float32Array;
  ys: Float32Array;
  weights: Float32Array;
  width: number;
  height: number;
}

function inkOf({ width, height, pixels }: GrayImage): Ink {
  const paper = brightnessOfPaper({ width, height, pixels });
  const threshold = paper * (1 - minInkPart);
  const all = pixels.reduce((count, pixel) => count + (pixel < threshold ? 1 : 0), 0);
  const every = Math.max(1, Math.ceil(all / maxPoints));
  const points: number[] = [];
  for (let at = 0, seen = 0; at < pixels.length; at++) {
    if ((pixels[at] ?? 0) < threshold && seen++ % every === 0) points.push(at);
  }
  return {
    xs: Float32Array.from(points, (at) => at % width),
    ys: Float32Array.from(points, (at) => Math.trunc(at / width)),
    weights: Float32Array.from(points, (at) => paper - (pixels[at] ?? 0)),
    width,
    height,
  };
}

function bestOf(ink: Ink, middle: number, reach: number, step: number): { degrees: number; jumps: number } {
  let best = { degrees: middle, jumps: jumpsAt(ink, middle) };
  for (let offset = step; offset <= reach + 1e-9; offset += step) {
    for (const degrees of [middle - offset, middle + offset]) {
      const jumps = jumpsAt(ink, degrees);
      if (jumps > best.jumps) best = { degrees, jumps };
    }
  }
  return best;
}

function jumpsAt({ xs, ys, weights, width, height }: Ink, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const shift = Math.max(0, slope * width);
  const sums = new Float64Array(Math.ceil(height + Math.abs(slope) * width) + 2);
  for (let index = 0; index < xs.length; index++) {
    const row = Math.trunc((ys[index] ?? 0) - slope * (xs[index] ?? 0) + shift);
    sums[row] = (sums[row] ?? 0) + (weights[index] ?? 0);
  }
  let jumps = 0;
  for (let row = 1; row < sums.length; row++) jumps += ((sums[row] ?? 0) - (sums[row - 1] ?? 0)) ** 2;
  return jumps;
}
