/**
 * Adds the bar codes found on a page to that page, and removes them from the image that OCR reads.
 */
import type { Barcode, Page, Word } from "../document.ts";
import { brightnessOfPaper } from "../pixels/frame.ts";
import type { PlacedImage } from "../pixels/gray-image.ts";
import { painted } from "../pixels/painted.ts";
import type { FoundBarcode } from "./find-barcodes.ts";

/**
 * Maximum total length of the texts of all codes of a page, in UTF-16 units. Codes beyond this
 * limit are kept without their text. Chosen by hand, 2026-11.
 */
const maxTexts = 20_000;

/**
 * Returns the page with the codes. The text of each code becomes words, lines and a block at the
 * end of the page, so that search, questions and extraction find it. If there are no codes, returns
 * the page itself.
 */
export function withBarcodes(page: Page, found: readonly FoundBarcode[]): Page {
  if (found.length === 0) return page;
  const { words, lines, blocks, barcodes } = {
    ...{ words: [...page.words], lines: [...page.lines], blocks: [...page.blocks] },
    barcodes: [] as Barcode[],
  };
  let texts = 0;
  for (const code of found) {
    texts += code.text.length;
    const { corners: _, ...own } = code;
    const kept = texts <= maxTexts ? own : { ...own, text: "", omitted: "too_long" as const };
    const { box } = kept;
    const [start, firstLine] = [words.length, lines.length];
    for (const line of kept.text.split("\n")) {
      const from = words.length;
      words.push(...wordsOf(line).map((text): Word => ({ text, box })));
      if (words.length > from) lines.push({ box, start: from, end: words.length });
    }
    if (lines.length > firstLine) blocks.push({ kind: "paragraph", box, start: firstLine, end: lines.length });
    barcodes.push({ ...kept, start, end: words.length });
  }
  return { ...page, words, lines, blocks, barcodes };
}

/** Returns the image with the codes painted over, because OCR would read them as letters. */
export const withoutBarcodes = (placed: PlacedImage, found: readonly FoundBarcode[]): PlacedImage =>
  found.length === 0
    ? placed
    : painted(
        placed,
        found.map(({ corners }) => corners),
        brightnessOfPaper(placed.image),
      );

const wordsOf = (line: string): string[] => line.split(/\s+/u).filter((word) => word !== "");
