/**
 * Turns the image of a page into a `Page`: prepares the image, runs OCR, and computes the layout of
 * the words, as for any other page.
 */
import type { Box, Page } from "../document.ts";
import { median } from "../layout/geometry.ts";
import { layOutPage } from "../layout/lay-out-page.ts";
import type { DrawnWord, PageLayout } from "../layout/page-content.ts";
import type { PlacedImage } from "../pixels/gray-image.ts";
import type { LineRecognizer } from "./line-recognizer.ts";
import { narrowLayout } from "./narrow-layout.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { ocrUpright } from "./strategy.ts";

/** Gives access to the OCR engines of one process. Each is loaded when a page first needs it. */
export interface PageOcr {
  engine(): Promise<OcrEngine>;
  /** Returns the second recognizer, or undefined if it is not installed. */
  lines(): Promise<LineRecognizer | undefined>;
  /** Called before the OCR of each page, so that the deadline can be extended: OCR takes long. */
  announce(): Promise<void>;
}

export type PageFrame = Pick<Page, "number" | "width" | "height" | "rotation">;

/**
 * Reads a page.
 * @param placed the image, with the transform from its pixels to page units
 */
export async function ocrPage(ocr: PageOcr, placed: PlacedImage, frame: PageFrame): Promise<Page> {
  await ocr.announce();
  const words = await ocrUpright(await ocr.engine(), placed, ocr.lines);
  return { ...frame, source: "ocr", ...layOutOcrWords(frame, words) };
}

/**
 * Median font size that the words are scaled to before the layout, in points. The layout expects
 * sizes in points, and the size of a pixel is unknown.
 */
const usualSize = 10;

function layOutOcrWords({ width, height }: PageFrame, words: readonly DrawnWord[]): PageLayout {
  if (words.length === 0) return { words: [], lines: [], blocks: [], tables: [] };
  const factor = usualSize / Math.max(median(words.map(({ size }) => size)), 1);
  const scaledWords = words.map(({ box, size, origin, ...word }) => ({
    ...{ ...word, box: times(box, factor), size: size * factor },
    origin: [origin[0] * factor, origin[1] * factor] as const,
  }));
  const drawings = { horizontal: [], vertical: [], shades: [] };
  const layout =
    narrowLayout(scaledWords) ??
    layOutPage({ width: width * factor, height: height * factor, words: scaledWords, drawings });
  const back = <T extends { box: Box }>(part: T): T => ({
    ...part,
    box: clipped(times(part.box, 1 / factor), width, height),
  });
  return {
    words: layout.words.map(({ size, ...word }) => ({
      ...back(word),
      ...(size && { size: hundredth(size / factor) }),
    })),
    lines: layout.lines.map(back),
    blocks: layout.blocks.map(back),
    tables: layout.tables.map((table) => ({ ...back(table), cells: table.cells.map(back) })),
  };
}

const times = ([x0, y0, x1, y1]: Box, factor: number): Box => [x0 * factor, y0 * factor, x1 * factor, y1 * factor];

const clipped = ([x0, y0, x1, y1]: Box, width: number, height: number): Box => [
  hundredth(Math.max(x0, 0)),
  hundredth(Math.max(y0, 0)),
  hundredth(Math.min(x1, width)),
  hundredth(Math.min(y1, height)),
];

const hundredth = (value: number): number => Math.round(value * 100) / 100;
