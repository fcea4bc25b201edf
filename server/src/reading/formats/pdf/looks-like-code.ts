/** Distinguishes images that may contain a bar code from logos, without searching for the code. */
import type { GrayImage } from "../../pixels/gray-image.ts";

/**
 * Minimum difference between the darkest and the brightest pixel of a code, on a scale of 0 to 255.
 * Chosen by hand, 2026-11.
 */
const minContrast = 80;
/** Number of rows, and of columns, in which changes between dark and bright are counted. */
const samples = 32;
/**
 * Minimum number of changes between dark and bright in a row or column: for two-dimensional codes,
 * and for bar codes. The smallest two-dimensional code has 8 changes, and the smallest bar code has
 * 20. Chosen by hand, 2026-11.
 */
const [changesOfModules, changesOfBars] = [6, 16];
/**
 * Minimum share of the rows or columns that have at least the minimum number of changes: for
 * two-dimensional codes, and for bar codes. Chosen by hand, 2026-11.
 */
const [partOfModules, partOfBars] = [0.25, 0.15];

/**
 * Returns true if dark and bright alternate as often as in a code. In most logos, they alternate
 * less often.
 */
export function looksLikeCode(image: GrayImage): boolean {
  const { width, height, pixels } = image;
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  if (brightest - darkest < minContrast) return false;
  const middle = (darkest + brightest) / 2;
  const across = sampled(height, (y) => changesIn(image, { from: y * width, step: 1, length: width }, middle));
  const down = sampled(width, (x) => changesIn(image, { from: x, step: width, length: height }, middle));
  const isBars = (changes: number[]): boolean => partAbove(changes, changesOfBars) >= partOfBars;
  const isModules = (changes: number[]): boolean => partAbove(changes, changesOfModules) >= partOfModules;
  return isBars(across) || isBars(down) || (isModules(across) && isModules(down));
}

function sampled(length: number, count: (at: number) => number): number[] {
  const step = Math.max(1, length / samples);
  return Array.from({ length: Math.floor(length / step) }, (_, index) => count(Math.floor((index + 0.5) * step)));
}

const partAbove = (changes: readonly number[], least: number): number =>
  changes.filter((count) => count >= least).length / Math.max(changes.length, 1);

interface PixelLine {
  from: number;
  step: number;
  length: number;
}

function changesIn({ pixels }: GrayImage, { from, step, length }: PixelLine, middle: number): number {
  let changes = 0;
  let dark = false;
  for (let index = 0, at = from; index < length; index++, at += step) {
    const isDark = (pixels[at] ?? 255) < middle;
    if (isDark !== dark) changes++;
    dark = isDark;
  }
  return changes;
}
