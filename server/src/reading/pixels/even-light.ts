/**
 * Removes shadows and stains from an image: the paper becomes white everywhere, and print stays
 * darker than the paper around it by the same ratio.
 */
import { type GrayImage, identity, scaled } from "./gray-image.ts";

/**
 * Width and height of the cells for which the brightness of the paper is measured, in pixels:
 * larger than letters, smaller than shadows. Chosen by hand, 2026-11.
 */
const cellPixels = 24;

export function evenLight(image: GrayImage): GrayImage {
  const paper = smoothed(brightestOfCells(image));
  const { width, height } = image;
  const light = stretched(paper, width, height);
  const pixels = image.pixels.map((pixel, at) => Math.min(255, (pixel * 255) / Math.max(light[at] ?? 0, 1)));
  return { width, height, pixels };
}

function brightestOfCells({ width, height, pixels }: GrayImage): GrayImage {
  const columns = Math.ceil(width / cellPixels);
  const rows = Math.ceil(height / cellPixels);
  const cells = new Uint8Array(columns * rows);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.trunc(y / cellPixels) * columns;
    for (let x = 0; x < width; x++, at++) {
      const cell = row + Math.trunc(x / cellPixels);
      cells[cell] = Math.max(cells[cell] ?? 0, pixels[at] ?? 0);
    }
  }
  return { width: columns, height: rows, pixels: cells };
}

/**
 * Replaces the brightness of each cell by the mean of itself and its neighbours, because light
 * changes slowly from one place to the next.
 */
function smoothed({ width, height, pixels }: GrayImage): GrayImage {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0];
      for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, height - 1); row++) {
        for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, width - 1); column++, count++) {
          sum += pixels[row * width + column] ?? 0;
        }
      }
      result[y * width + x] = sum / count;
    }
  }
  return { width, height, pixels: result };
}

/**
 * Scales the cells up to the size of the image. The last row and column of cells may extend beyond
 * the image, and are cut there.
 */
function stretched(cells: GrayImage, width: number, height: number): Uint8Array {
  const { image } = scaled({ image: cells, toPage: identity }, cellPixels);
  const light = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    light.set(image.pixels.subarray(y * image.width, y * image.width + width), y * width);
  }
  return light;
}
