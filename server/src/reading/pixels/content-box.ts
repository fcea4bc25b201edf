/** Finds the part of an image that has content, leaving out the empty paper around it. */
import type { Box } from "../document.ts";
import { brightnessOfPaper } from "./frame.ts";
import { type GrayImage, identity, scaled } from "./gray-image.ts";

/**
 * Width and height of the square cells into which the image is divided, in pixels. Chosen by hand,
 * 2026-11.
 */
const cellPixels = 8;
/**
 * Maximum brightness of a cell that has content, as a share of the brightness of the paper. Chosen
 * by hand, 2026-11.
 */
const paperPart = 0.92;
/**
 * Minimum number of cells with content in a row or column. A row or column with fewer counts as
 * empty, because these cells may be a speck of dirt. Chosen by hand, 2026-11.
 */
const minCells = 3;

/**
 * Returns the box of the content in whole pixels, or the box of the whole image if it has no
 * content.
 */
export function contentBox(image: GrayImage): Box {
  const cells = scaled({ image, toPage: identity }, 1 / cellPixels).image;
  const threshold = brightnessOfPaper(image) * paperPart;
  const across = new Uint32Array(cells.width);
  const down = new Uint32Array(cells.height);
  for (const [at, cell] of cells.pixels.entries()) {
    if (cell >= threshold) continue;
    const x = at % cells.width;
    const y = (at - x) / cells.width;
    across[x] = (across[x] ?? 0) + 1;
    down[y] = (down[y] ?? 0) + 1;
  }
  const holds = (count: number) => count >= minCells;
  const [left, right] = [across.findIndex(holds), across.findLastIndex(holds)];
  const [top, bottom] = [down.findIndex(holds), down.findLastIndex(holds)];
  if (left < 0 || top < 0) return [0, 0, image.width, image.height];
  return [
    left * cellPixels,
    top * cellPixels,
    Math.min((right + 1) * cellPixels, image.width),
    Math.min((bottom + 1) * cellPixels, image.height),
  ];
}
