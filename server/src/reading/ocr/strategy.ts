/**
 * Prepares an image for OCR and reads it: removes a dark frame, corrects the skew, turns the image
 * upright, and enlarges small text.
 */

import type { Box } from "../document.ts";
import { contentBox } from "../pixels/content-box.ts";
import { evenLight } from "../pixels/even-light.ts";
import { brightnessOfPaper, withoutFrame } from "../pixels/frame.ts";
import {
  cut,
  type GrayImage,
  identity,
  type PlacedImage,
  type Quarters,
  rotatedByQuarters,
  scaled,
  skewedBy,
} from "../pixels/gray-image.ts";
import { type RuledLines, ruledLines, scaledLines, withoutLines } from "../pixels/ruled-lines.ts";
import { skewOf } from "../pixels/skew.ts";
import { combined, isInLine } from "./combine-readings.ts";
import type { LineRecognizer } from "./line-recognizer.ts";
import type { OcrEngine, OcrWord, Segmentation } from "./ocr-engine.ts";
import {
  isClear,
  isPoor,
  isSideways,
  isSureLine,
  letterWidthOf,
  likelyText,
  qualityOf,
  sureText,
  textHeightOf,
} from "./reading-quality.ts";
import { withWholeAmounts } from "./split-amounts.ts";
import { hasUnreadInk } from "./unread-ink.ts";

/**
 * Minimum ratio of height to width of an image that is read as one column of text, such as a
 * receipt. Chosen by hand, 2026-11.
 */
const columnRatio = 1.6;
/**
 * Maximum number of characters per line in an image that is read as one column. Correspondence and
 * book pages have 60 to 100 characters per line.
 */
export const maxColumnLetters = 56;
/**
 * Letters of at most this height, in pixels, are enlarged. The engine is trained on letters of
 * about 30 pixels.
 */
const smallText = 15;
/** Factor by which an image with small letters is enlarged. */
const enlargement = 2;
/** Maximum number of pixels of an enlarged image. Chosen by hand, 2026-11. */
const maxEnlargedPixels = 12_000_000;

/** An image in which lines of text are level. */
interface Prepared {
  placed: PlacedImage;
  lines: RuledLines;
  /** The image without its ruled lines. OCR reads this image. */
  text: GrayImage;
}

/** A prepared image, and the words that OCR has read from it. */
export interface Reading extends Prepared {
  words: OcrWord[];
}

/**
 * Gives access to the OCR engines of one process. Each engine is loaded when a page first needs it.
 */
export interface OcrEngines {
  engine(): Promise<OcrEngine>;
  /**
   * Returns the engine for the language of a page that contains these words. Returns undefined if
   * the engine that `engine` returns is to be used for the page.
   */
  engineFor(words: readonly OcrWord[]): Promise<OcrEngine | undefined>;
  /** Returns the second recognizer, or undefined if it is not installed. */
  lines(): Promise<LineRecognizer | undefined>;
}

/**
 * Reads an image and returns the best reading. Depending on what the first reading finds, tries
 * other rotations, another language, enlarging the image, the second recognizer, and evening out
 * the light.
 */
export async function ocrUpright(engines: OcrEngines, placed: PlacedImage): Promise<Reading> {
  const clean = withoutFrame(placed);
  let engine = await engines.engine();
  let reading = await read(engine, prepared(deskewed(clean)));
  if (isSideways(reading.words) || isPoor(reading.words)) reading = await readRotated(engine, clean, reading);
  const other = await engines.engineFor(reading.words);
  if (other !== undefined) {
    engine = other;
    reading = better(reading, await read(engine, reading));
  }
  if (textHeightOf(reading.words) <= smallText) reading = await readLarger(engine, reading);
  if (!isClear(reading.words)) reading = await withLines(await engines.lines(), reading, isUnsure);
  else if (hasUnreadInk(reading.text, reading.words))
    reading = await withLines(await engines.lines(), reading, isEmpty);
  if (isPoor(reading.words)) reading = await readAnew(engine, reading);
  const words = isPoor(reading.words) ? sureText(reading.words) : reading.words;
  return { ...reading, words: withWholeAmounts(words) };
}

/**
 * Reads some of the lines again with the second recognizer, and combines both readings. Returns the
 * first reading if the second recognizer is not installed.
 * @param wanted returns true for the words of a line that should be read again
 */
async function withLines(
  recognizer: LineRecognizer | undefined,
  first: Reading,
  wanted: (words: readonly OcrWord[]) => boolean,
): Promise<Reading> {
  if (recognizer === undefined) return first;
  const words = withWholeAmounts(first.words);
  const isWanted = (box: Box) => wanted(words.filter((word) => isInLine(word, box)));
  const lines = await recognizer.readLines(first.text, textHeightOf(words), isWanted);
  return { ...first, words: combined(words, lines, first.text) };
}

const isUnsure = (words: readonly OcrWord[]): boolean => !isSureLine(words);
const isEmpty = (words: readonly OcrWord[]): boolean => words.length === 0;

function prepared(placed: PlacedImage): Prepared {
  const lines = ruledLines(placed.image);
  return { placed, lines, text: withoutLines(placed.image, lines) };
}

function segmentationOf({ image }: PlacedImage): Segmentation {
  const [left, top, right, bottom] = contentBox(image);
  return bottom - top > columnRatio * (right - left) ? "column" : "page";
}

async function read(
  engine: OcrEngine,
  image: Prepared,
  segmentation: Segmentation = segmentationOf(image.placed),
): Promise<Reading> {
  const words = await engine.readWords(image.text, segmentation);
  return { ...image, words: likelyText(words) };
}

function deskewed(placed: PlacedImage): PlacedImage {
  const angle = skewOf(placed.image);
  return Math.abs(angle) < minSkewAngle ? placed : skewedBy(placed, -angle, brightnessOfPaper(placed.image));
}

/**
 * Minimum skew angle that is corrected, in radians; it equals a third of a degree. The engine reads
 * text at smaller angles well, and each rotation blurs the image.
 */
const minSkewAngle = 0.006;

const better = (a: Reading, b: Reading): Reading => (qualityOf(b.words) > qualityOf(a.words) ? b : a);

/**
 * Finds the best rotation by reading only a part of the image in each rotation, then reads the
 * whole image in the best rotation.
 */
async function readRotated(engine: OcrEngine, clean: PlacedImage, first: Reading): Promise<Reading> {
  const sideways = isSideways(first.words);
  const quarters = await wayUp(engine, middlePart(clean), sideways ? [1, 3] : [2, 1, 3, 0]);
  if (quarters === 0) return first;
  const turned = await read(engine, prepared(deskewed(rotatedByQuarters(clean, quarters))));
  // The engine can also read text that is rotated by a quarter turn, so a good reading does not
  // prove that the rotation is correct.
  if (isSideways(turned.words)) return first;
  return sideways && !isPoor(turned.words) ? turned : better(first, turned);
}

/** Returns the number of clockwise quarter turns after which `part` is read best. */
async function wayUp(engine: OcrEngine, part: PlacedImage, ways: readonly Quarters[]): Promise<Quarters> {
  let best: { quarters: Quarters; quality: number } = { quarters: 0, quality: 0 };
  for (const quarters of ways) {
    const words = likelyText(await engine.readWords(rotatedByQuarters(part, quarters).image, "column"));
    const quality = qualityOf(words);
    if (quality > best.quality) best = { quarters, quality };
    // Reading in a wrong rotation takes long and gives almost no text, so the search ends with the
    // first good reading.
    if (!isPoor(words)) return quarters;
  }
  return best.quarters;
}

/**
 * Width and height of the part that is read in each rotation, in pixels. It contains some lines of
 * text whichever way up the image is.
 */
const partPixels = 450;

function middlePart(placed: PlacedImage): PlacedImage {
  const { width, height } = placed.image;
  const [wide, high] = [Math.min(width, partPixels), Math.min(height, partPixels)];
  const [left, top] = [(width - wide) >> 1, (height - high) >> 1];
  return cut(placed, left, top, left + wide, top + high);
}

async function readLarger(engine: OcrEngine, first: Reading): Promise<Reading> {
  const { width, height } = first.placed.image;
  if (width * height * enlargement ** 2 > maxEnlargedPixels) return first;
  const [left, , right] = contentBox(first.placed.image);
  const narrow = (right - left) / letterWidthOf(first.words) < maxColumnLetters;
  const placed = scaled(first.placed, enlargement);
  const text = scaled({ image: first.text, toPage: identity }, enlargement).image;
  const larger = { placed, text, lines: scaledLines(first.lines, enlargement) };
  return better(first, await read(engine, larger, narrow ? "column" : segmentationOf(placed)));
}

/**
 * Reads the image again after evening out its light. If the reading is still poor, reads the image
 * once more with the other segmentation: as one column instead of a page, or the reverse.
 */
async function readAnew(engine: OcrEngine, first: Reading): Promise<Reading> {
  const second = better(first, await read(engine, { ...first, text: evenLight(first.text) }));
  if (!isPoor(second.words)) return second;
  const other = segmentationOf(second.placed) === "page" ? "column" : "page";
  return better(second, await read(engine, second, other));
}
