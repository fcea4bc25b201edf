/** Where on a picture anything stands: paper around it says nothing of its shape. */
import type { Box } from "../document.ts";
import { brightnessOfPaper } from "./frame.ts";
import { type GrayImage, identity, scaled } from "./gray-image.ts";

/** Cells of so many pixels a side are looked at as one. */
const cellPixels = 8;
/** A cell darker than this part of the brightness of paper holds something. */
const paperPart = 0.92;
/** A row or column of cells with fewer of those holds a speck. */
const minCells = 3;

/** In whole pixels; the whole picture where nothing stands on it. */
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
