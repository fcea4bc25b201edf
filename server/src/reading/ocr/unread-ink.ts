/**
 * Tells whether OCR left out text. Engines skip short words in narrow columns, headings on shaded
 * rows, and whole blocks that they take for pictures.
 */
import type { Box } from "../document.ts";
import { brightnessOfPaper } from "../pixels/frame.ts";
import { type GrayImage, identity, scaled } from "../pixels/gray-image.ts";
import type { OcrWord } from "./ocr-engine.ts";
import { textHeightOf } from "./reading-quality.ts";

/**
 * The image is scaled down until letters are at most this many pixels high. A pixel of the scaled
 * image is called a cell. Chosen by hand, 2026-11.
 */
const cellsOfLetter = 5;
/**
 * Maximum brightness of ink, as a share of the brightness of the paper. Chosen by hand, 2026-11.
 */
const inkPart = 0.7;
/**
 * Margin around a word in which ink counts as part of the word, as a multiple of the letter height.
 * Chosen by hand, 2026-11.
 */
const margin = 0.4;
/**
 * Limits for ink outside of words that may be text: minimum height, maximum height and maximum
 * width, as multiples of the letter height. The maximum width is large because the letters of a
 * word may touch. Chosen by hand, 2026-11.
 */
const [minHeight, maxHeight, maxWidth] = [0.6, 1.6, 8];

/**
 * Returns true if there is ink outside of the given words that may be text.
 * @param image the image without its ruled lines
 */
export function hasUnreadInk(image: GrayImage, words: readonly OcrWord[]): boolean {
  const letters = textHeightOf(words);
  if (!Number.isFinite(letters)) return true;
  const factor = Math.min(1, cellsOfLetter / letters);
  const { width, height, pixels } = scaled({ image, toPage: identity }, factor).image;
  const limit = brightnessOfPaper(image) * inkPart;
  const ink = pixels.map((pixel) => Number(pixel < limit));
  for (const { box } of words) {
    const [left, top, right, bottom] = box.map((edge, at) =>
      Math.round((edge + (at < 2 ? -1 : 1) * margin * letters) * factor),
    ) as [number, number, number, number];
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
      ink.fill(0, y * width + Math.max(0, left), y * width + Math.min(width, Math.max(0, right)));
  }
  return blobsIn(ink, width).some(
    ([left, top, right, bottom]) =>
      bottom - top >= minHeight * letters * factor &&
      bottom - top <= maxHeight * letters * factor &&
      right - left <= maxWidth * letters * factor,
  );
}

/** Returns the box around each group of connected cells with ink. Clears these cells in `ink`. */
function blobsIn(ink: Uint8Array, width: number): Box[] {
  const blobs: Box[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (ink[start] !== 1) continue;
    ink[start] = 0;
    const cells = [start];
    let [left, top, right, bottom] = [width, Number.POSITIVE_INFINITY, 0, 0];
    for (const at of cells) {
      const x = at % width;
      const y = (at - x) / width;
      [left, top, right, bottom] = [
        Math.min(left, x),
        Math.min(top, y),
        Math.max(right, x + 1),
        Math.max(bottom, y + 1),
      ];
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (ink[next] !== 1) continue;
        ink[next] = 0;
        cells.push(next);
      }
    }
    blobs.push([left, top, right, bottom]);
  }
  return blobs;
}
