/** Smooths gray images, which removes the noise of scanners and cameras. */
import type { GrayImage } from "./gray-image.ts";

/**
 * Weights of a pixel and of its neighbours at distances of one, two and three pixels, in one
 * direction. Smoothing with these weights equals applying a box filter of three pixels three times.
 * The result is nearly a Gaussian filter with a standard deviation of 1.4 pixels.
 */
const [middle, first, second, third] = [7, 6, 3, 1];
const sum = middle + 2 * (first + second + third);

/** Returns the image smoothed over seven pixels in each direction. */
export function smoothed({ width, height, pixels }: GrayImage): GrayImage {
  const across = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) smoothRow(pixels, across, y * width, (y + 1) * width);
  const result = new Uint8Array(pixels.length);
  const rowAt = (y: number): number => Math.min(Math.max(y, 0), height - 1) * width;
  for (let y = 0; y < height; y++) {
    const [a, b, c, d] = [rowAt(y - 3), rowAt(y - 2), rowAt(y - 1), rowAt(y)];
    const [e, f, g] = [rowAt(y + 1), rowAt(y + 2), rowAt(y + 3)];
    for (let x = 0; x < width; x++) {
      result[d + x] = weighted(
        (across[a + x] ?? 0) + (across[g + x] ?? 0),
        (across[b + x] ?? 0) + (across[f + x] ?? 0),
        (across[c + x] ?? 0) + (across[e + x] ?? 0),
        across[d + x] ?? 0,
      );
    }
  }
  return { width, height, pixels: result };
}

function smoothRow(source: Uint8Array, target: Uint8Array, from: number, end: number): void {
  const at = (index: number): number => source[Math.min(Math.max(index, from), end - 1)] ?? 0;
  for (let index = from; index < end; index++) {
    target[index] = weighted(
      at(index - 3) + at(index + 3),
      at(index - 2) + at(index + 2),
      at(index - 1) + at(index + 1),
      at(index),
    );
  }
}

const weighted = (thirds: number, seconds: number, firsts: number, own: number): number =>
  ((thirds * third + seconds * second + firsts * first + own * middle) / sum + 0.5) | 0;
