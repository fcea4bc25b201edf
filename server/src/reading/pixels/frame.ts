/**
 * Removes dark frames: the areas beside the paper that a scanner or camera records. OCR chooses one
 * brightness threshold between paper and print. With a dark frame in the image, the threshold would
 * be so dark that faint print counts as paper. So the frame is painted over with the brightness of
 * the paper.
 */
import type { GrayImage, PlacedImage } from "./gray-image.ts";

/**
 * Width and height of the square cells into which the image is divided, in pixels. Chosen by hand,
 * 2026-11.
 */
const cellPixels = 4;
/**
 * Minimum brightness of paper, as a share of the brightness that `brightnessOfPaper` returns.
 * Anything darker may be frame. Chosen by hand, 2026-11.
 */
const darkOfPaper = 0.5;
/**
 * Minimum area of a frame that is removed, as a share of the image. A smaller frame does no harm.
 * Chosen by hand, 2026-11.
 */
const minFramePart = 0.01;

/** Returns the image without its frame, or the image itself if it has no frame. */
export function withoutFrame(placed: PlacedImage): PlacedImage {
  const { image } = placed;
  const paper = brightnessOfPaper(image);
  const cells = darkCells(image, darkOfPaper * paper);
  const frame = withoutBands(reachedFromEdges(cells));
  const part = frame.dark.reduce((sum, dark) => sum + dark, 0) / frame.dark.length;
  return part < minFramePart ? placed : { ...placed, image: painted(image, frame, paper) };
}

/**
 * Returns the brightness that one tenth of the pixels reach or exceed. This is the brightness of
 * the paper if any paper is visible.
 */
export function brightnessOfPaper({ pixels }: GrayImage): number {
  const counts = new Uint32Array(256);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  let brighter = 0;
  for (let level = 255; level > 0; level--) {
    brighter += counts[level] ?? 0;
    if (brighter > pixels.length / 10) return level;
  }
  return 0;
}

interface Cells {
  columns: number;
  rows: number;
  /** For each cell, row by row: 1 if the cell is dark. */
  dark: Uint8Array;
}

/**
 * Finds dark cells, which are cells without any bright pixel. White letters on a dark background
 * are not part of a frame, because their cells contain bright pixels.
 */
function darkCells({ width, height, pixels }: GrayImage, threshold: number): Cells {
  const columns = Math.ceil(width / cellPixels);
  const rows = Math.ceil(height / cellPixels);
  const dark = new Uint8Array(columns * rows).fill(1);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.trunc(y / cellPixels) * columns;
    for (let x = 0; x < width; x++, at++) {
      if ((pixels[at] ?? 0) >= threshold) dark[row + Math.trunc(x / cellPixels)] = 0;
    }
  }
  return { columns, rows, dark };
}

/**
 * Returns those dark cells that are at the edge of the image, or connected to it through other dark
 * cells.
 */
function reachedFromEdges({ columns, rows, dark }: Cells): Cells {
  const reached = new Uint8Array(dark.length);
  const waiting: number[] = [];
  const reach = (column: number, row: number) => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return;
    const at = row * columns + column;
    if (dark[at] !== 1 || reached[at] === 1) return;
    reached[at] = 1;
    waiting.push(at);
  };
  for (let column = 0; column < columns; column++) for (const row of [0, rows - 1]) reach(column, row);
  for (let row = 0; row < rows; row++) for (const column of [0, columns - 1]) reach(column, row);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const column = at % columns;
    const row = (at - column) / columns;
    reach(column - 1, row);
    reach(column + 1, row);
    reach(column, row - 1);
    reach(column, row + 1);
  }
  return { columns, rows, dark: reached };
}

/**
 * Maximum size of a bright area inside a dark one, as a share of the image. A bright area of at
 * most this size counts as letters on a coloured band, not as paper in a frame. Chosen by hand,
 * 2026-11.
 */
const maxLettersPart = 0.02;
/**
 * Dark cells within this distance of letters on a coloured band, in cells, belong to the band and
 * are not removed. Chosen by hand, 2026-11.
 */
const bandCells = 6;

function withoutBands({ columns, rows, dark }: Cells): Cells {
  const kept = Uint8Array.from(dark);
  for (const island of islandsOf({ columns, rows, dark })) {
    if (island.length > maxLettersPart * dark.length) continue;
    for (const at of island) {
      const column = at % columns;
      const row = (at - column) / columns;
      const [from, to] = [Math.max(column - bandCells, 0), Math.min(column + bandCells + 1, columns)];
      for (let y = Math.max(row - bandCells, 0); y < Math.min(row + bandCells + 1, rows); y++) {
        kept.fill(0, y * columns + from, y * columns + to);
      }
    }
  }
  return { columns, rows, dark: kept };
}

/**
 * Returns the groups of connected cells that are not dark, without the groups that touch the edge
 * of the image.
 */
function islandsOf({ columns, rows, dark }: Cells): number[][] {
  const seen = Uint8Array.from(dark);
  const islands: number[][] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] !== 0) continue;
    const island = [start];
    seen[start] = 1;
    let atEdge = false;
    for (const at of island) {
      const column = at % columns;
      atEdge ||= column === 0 || column === columns - 1 || at < columns || at >= columns * (rows - 1);
      for (const next of [at - 1, at + 1, at - columns, at + columns]) {
        const apart = Math.abs(next - at) === 1 && Math.trunc(next / columns) !== Math.trunc(at / columns);
        if (apart || seen[next] !== 0) continue;
        seen[next] = 1;
        island.push(next);
      }
    }
    if (!atEdge) islands.push(island);
  }
  return islands;
}

/** Paints over the frame and the cells next to it, which contain both frame and paper. */
function painted({ width, height, pixels }: GrayImage, { columns, rows, dark }: Cells, paper: number): GrayImage {
  const result = Uint8Array.from(pixels);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (dark[row * columns + column] === 0) continue;
      const x0 = Math.max((column - 1) * cellPixels, 0);
      const x1 = Math.min((column + 2) * cellPixels, width);
      const y1 = Math.min((row + 2) * cellPixels, height);
      for (let y = Math.max((row - 1) * cellPixels, 0); y < y1; y++) result.fill(paper, y * width + x0, y * width + x1);
    }
  }
  return { width, height, pixels: result };
}
