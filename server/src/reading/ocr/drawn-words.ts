/**
 * Converts OCR words to the representation that the layout expects: all words of a line have the
 * same font size and stand on one baseline.
 */
import type { Box } from "../document.ts";
import { median } from "../layout/geometry.ts";
import type { DrawnWord } from "../layout/page-content.ts";
import { type Affine, moved, movedBox } from "../pixels/gray-image.ts";
import type { OcrWord } from "./ocr-engine.ts";

/** Heights and depths of letters in most text fonts, as shares of the font size. */
const capitalOfSize = 0.7;
const smallOfSize = 0.5;
const descentOfSize = 0.22;
const ascentOfSize = 0.78;

const reachesDown = /[gjpqyQçþ,;()[\]{}|/\\@$§_&ß]/u;
const reachesUp = /[\p{Lu}\p{N}bdfhklijtß]/u;
/**
 * Matches words that consist of punctuation only. Their ink shows neither the baseline nor the font
 * size.
 */
const onlyMarks = /^[^\p{L}\p{N}]*$/u;

/**
 * Converts OCR words to words for the layout.
 * @param toLevel transforms pixels of the image to layout coordinates, in which lines of text are
 * exactly level
 */
export function drawnWords(words: readonly OcrWord[], toLevel: Affine): DrawnWord[] {
  const lines = Map.groupBy(words, ({ line }) => line);
  return [...lines.values()].flatMap((line) => drawnLine(line, toLevel));
}

const level = [1, 0] as const;

function drawnLine(words: readonly OcrWord[], toLevel: Affine): DrawnWord[] {
  const size = sizeOf(words);
  const scale = Math.hypot(toLevel[0], toLevel[1]);
  const baselines = baselinesOf(words, size);
  return words.map(({ text, box, confidence }, index) => {
    const baseline = baselines[index] ?? box[3];
    const loose: Box = [
      box[0],
      Math.min(box[1], baseline - ascentOfSize * size),
      box[2],
      Math.max(Math.min(box[3], baseline + size), baseline + descentOfSize * size),
    ];
    return {
      ...{ text, box: movedBox(loose, toLevel), confidence: Math.round(confidence * 100) / 100 },
      ...{ size: size * scale, direction: level, origin: moved(toLevel, box[0], baseline) },
    };
  });
}

/**
 * Returns the font size of a line, estimated from the height of its letters and digits. If the line
 * has neither, returns the height of its tallest word.
 */
function sizeOf(words: readonly OcrWord[]): number {
  const sizes = words.flatMap(({ text, box }) => {
    if (onlyMarks.test(text)) return [];
    const height = box[3] - box[1];
    const down = reachesDown.test(text) ? descentOfSize : 0;
    return [height / ((reachesUp.test(text) ? capitalOfSize : smallOfSize) + down)];
  });
  return sizes.length > 0 ? median(sizes) : Math.max(...words.map(({ box }) => box[3] - box[1]));
}

/**
 * Returns the baseline of each word at its left edge. Scans are seldom exactly straight, so a
 * sloping line is fitted to the bottoms of the words. The fit uses medians, so that a single
 * misread word can't tilt it.
 */
function baselinesOf(words: readonly OcrWord[], size: number): number[] {
  const feet = words.flatMap(({ text, box }) => {
    if (onlyMarks.test(text)) return [];
    return [{ x: (box[0] + box[2]) / 2, y: box[3] - (reachesDown.test(text) ? descentOfSize * size : 0) }];
  });
  if (feet.length === 0) return words.map(({ box }) => box[3]);
  const slope = slopeOf(feet);
  const offset = median(feet.map(({ x, y }) => y - slope * x));
  return words.map(({ box }) => offset + slope * box[0]);
}

/**
 * Returns the median of the slopes between pairs of words that are far apart (as in the Theil–Sen
 * estimator).
 */
function slopeOf(feet: readonly { x: number; y: number }[]): number {
  const slopes: number[] = [];
  const half = Math.floor(feet.length / 2);
  for (let index = 0; index + half < feet.length && half > 0; index++) {
    const [from, to] = [feet[index], feet[index + half]];
    if (from && to && to.x > from.x) slopes.push((to.y - from.y) / (to.x - from.x));
  }
  return slopes.length > 1 ? Math.max(-maxSlope, Math.min(maxSlope, median(slopes))) : 0;
}

/**
 * Maximum slope of a baseline. It is small because the image has already been deskewed. Chosen by
 * hand, 2026-11.
 */
const maxSlope = 0.02;
