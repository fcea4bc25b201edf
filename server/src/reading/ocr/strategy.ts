/** How a picture is brought to give its words: without its frame, straight, the right way up, large enough. */

import type { DrawnWord } from "../layout/page-content.ts";
import { contentBox } from "../pixels/content-box.ts";
import { evenLight } from "../pixels/even-light.ts";
import { brightnessOfPaper, withoutFrame } from "../pixels/frame.ts";
import { cut, type PlacedImage, rotatedByQuarters, scaled, skewedBy } from "../pixels/gray-image.ts";
import { skewOf } from "../pixels/skew.ts";
import { drawnWords } from "./drawn-words.ts";
import type { OcrEngine, OcrWord, Segmentation } from "./ocr-engine.ts";
import { isPoor, isSideways, letterWidthOf, likelyText, qualityOf, sureText, textHeightOf } from "./reading-quality.ts";
import { withWholeAmounts } from "./split-amounts.ts";

/** Longer than this for its width, a picture is a receipt or a strip. */
const columnRatio = 1.6;
/** And so is a picture whose lines are no longer than this: pages of letters and books have 60 to 100 letters in a line. */
export const maxColumnLetters = 56;
/** The engine is trained on letters of about 30 pixels; from this height down they are enlarged. */
const smallText = 15;
const enlargement = 2;
/** Pictures are enlarged up to this many pixels. */
const maxEnlargedPixels = 12_000_000;

/** What was read from which picture. */
interface Reading {
  placed: PlacedImage;
  words: OcrWord[];
}

export async function ocrUpright(engine: OcrEngine, placed: PlacedImage): Promise<DrawnWord[]> {
  const clean = withoutFrame(placed);
  let reading = await read(engine, deskewed(clean));
  if (isSideways(reading.words) || isPoor(reading.words)) reading = await readRotated(engine, clean, reading);
  if (textHeightOf(reading.words) <= smallText) reading = await readLarger(engine, reading);
  if (isPoor(reading.words)) reading = await readAnew(engine, reading);
  const words = isPoor(reading.words) ? sureText(reading.words) : reading.words;
  return drawnWords(withWholeAmounts(words), reading.placed.toPage);
}

function segmentationOf({ image }: PlacedImage): Segmentation {
  const [left, top, right, bottom] = contentBox(image);
  return bottom - top > columnRatio * (right - left) ? "column" : "page";
}

async function read(
  engine: OcrEngine,
  placed: PlacedImage,
  segmentation: Segmentation = segmentationOf(placed),
): Promise<Reading> {
  const words = await engine.recognize(placed.image, segmentation);
  return { placed, words: likelyText(words) };
}

function deskewed(placed: PlacedImage): PlacedImage {
  const angle = skewOf(placed.image);
  return Math.abs(angle) < minSkewAngle ? placed : skewedBy(placed, -angle, brightnessOfPaper(placed.image));
}

/** About a third of a degree: the engine takes that as it is, and turning blurs. */
const minSkewAngle = 0.006;

const better = (a: Reading, b: Reading): Reading => (qualityOf(b.words) > qualityOf(a.words) ? b : a);

/** Tries a part of the picture in all four ways, and the whole of it in the best one. */
async function readRotated(engine: OcrEngine, clean: PlacedImage, first: Reading): Promise<Reading> {
  const sideways = isSideways(first.words);
  const quarters = await wayUp(engine, middlePart(clean), sideways ? [1, 3] : [2, 1, 3, 0]);
  if (quarters === 0) return first;
  const turned = await read(engine, deskewed(rotatedByQuarters(clean, quarters)));
  return sideways && !isPoor(turned.words) ? turned : better(first, turned);
}

type Quarters = 0 | 1 | 2 | 3;

/** The quarter turns clockwise after which the part reads best. */
async function wayUp(engine: OcrEngine, part: PlacedImage, ways: readonly Quarters[]): Promise<Quarters> {
  let best: { quarters: Quarters; quality: number } = { quarters: 0, quality: 0 };
  for (const quarters of ways) {
    const { words } = await read(engine, rotatedByQuarters(part, quarters), "column");
    const quality = qualityOf(words);
    if (quality > best.quality) best = { quarters, quality };
    // The wrong way gives next to nothing, and that slowly.
    if (!isPoor(words)) return quarters;
  }
  return best.quarters;
}

/** Wide and high enough for some lines, however they run. */
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
  const larger = scaled(first.placed, enlargement);
  return better(first, await read(engine, larger, narrow ? "column" : segmentationOf(larger)));
}

/** Light evened out, then the other way to find lines. */
async function readAnew(engine: OcrEngine, first: Reading): Promise<Reading> {
  const even = { ...first.placed, image: evenLight(first.placed.image) };
  const second = better(first, await read(engine, even));
  if (!isPoor(second.words)) return second;
  const other = segmentationOf(second.placed) === "page" ? "column" : "page";
  return better(second, await read(engine, second.placed, other));
}
