/**
 * Lays out the words that OCR has read, using the ruled lines of the image. The layout is computed
 * in deskewed coordinates, and its boxes are then mapped back to the original page.
 */
import type { Box, Page } from "../document.ts";
import { median, unionOf } from "../layout/geometry.ts";
import { layOutPage } from "../layout/lay-out-page.ts";
import type { Drawings, PageLayout } from "../layout/page-content.ts";
import { type Affine, inverse, moved, movedBox, through } from "../pixels/gray-image.ts";
import { isRule, longLines, type RuledLine, type RuledLines } from "../pixels/ruled-lines.ts";
import { drawnWords } from "./drawn-words.ts";
import { narrowLayout } from "./narrow-layout.ts";
import type { OcrWord } from "./ocr-engine.ts";
import { textHeightOf } from "./reading-quality.ts";
import type { Reading } from "./strategy.ts";

/**
 * Median font size of the words after scaling, in points. The words are scaled because the layout
 * expects sizes in points, but the size of a pixel is unknown.
 */
const usualSize = 10;

/**
 * Minimum lengths of a horizontal and of a vertical line, as multiples of the letter height.
 * Shorter lines are parts of letters or punctuation marks. Chosen by hand, 2026-11.
 */
const [minLevel, minUpright] = [2.5, 1.5];

export function layOutScan(
  frame: Pick<Page, "width" | "height">,
  { placed, lines: found, words }: Reading,
): PageLayout {
  if (words.length === 0) return { words: [], lines: [], blocks: [], tables: [] };
  const { image, toPage } = placed;
  const letters = textHeightOf(words);
  const lines = longLines(found, letters * minLevel, letters * minUpright);
  const rules = longLines(lines, minShowing, minShowing);
  const turn = rotation(-tiltOf(rules.level.filter((line) => isRule(image, line))), image.width / 2, image.height / 2);
  const factor = usualSize / Math.max(median(drawnWords(words, turn).map(({ size }) => size)), 1);
  const toLevel = through([factor, 0, 0, factor, 0, 0], turn);
  const drawn = drawnWords(words, toLevel);
  const drawings = drawingsOf(lines, words, toLevel);
  const hasGrid = drawings.horizontal.length >= minLevelOfGrid && drawings.vertical.length >= minUprightOfGrid;
  const layout =
    (hasGrid ? undefined : narrowLayout(drawn)) ??
    layOutPage({ width: image.width * factor, height: image.height * factor, words: drawn, drawings });
  return onPage(layout, through(toPage, inverse(toLevel)), frame);
}

const rotation = (angle: number, x: number, y: number): Affine => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
};

/**
 * Minimum length of a ruled line that is used to measure the tilt of a page, in pixels. Chosen by
 * hand, 2026-11.
 */
const minShowing = 200;
/**
 * Minimum numbers of horizontal and vertical lines in a grid. A page with a grid is not a receipt,
 * even if it is narrow. Chosen by hand, 2026-11.
 */
const [minLevelOfGrid, minUprightOfGrid] = [3, 2];

/**
 * Returns the angle by which the ruled lines descend to the right, in radians. A small tilt may
 * remain after deskewing, which is precise only to a tenth of a degree and leaves almost straight
 * images unchanged.
 */
function tiltOf(lines: readonly RuledLine[]): number {
  const slopes = lines
    .map(({ x0, y0, x1, y1 }) => ({ length: x1 - x0, slope: (y1 - y0) / (x1 - x0) }))
    .sort((a, b) => a.slope - b.slope);
  const half = slopes.reduce((sum, { length }) => sum + length, 0) / 2;
  let passed = 0;
  for (const { length, slope } of slopes) {
    passed += length;
    if (passed >= half) return Math.atan(slope);
  }
  return 0;
}

function drawingsOf({ level, upright }: RuledLines, words: readonly OcrWord[], toLevel: Affine): Drawings {
  const isDrawn = (line: RuledLine): boolean => !isText(line, words);
  const ends = ({ x0, y0, x1, y1 }: RuledLine) => [moved(toLevel, x0, y0), moved(toLevel, x1, y1)] as const;
  return {
    horizontal: level.filter(isDrawn).map((line) => {
      const [from, to] = ends(line);
      return { at: (from[1] + to[1]) / 2, from: from[0], to: to[0] };
    }),
    vertical: upright.filter(isDrawn).map((line) => {
      const [from, to] = ends(line);
      return { at: (from[0] + to[0]) / 2, from: from[1], to: to[1] };
    }),
    shades: [],
  };
}

/**
 * Maximum share (0–1) of a line that may be inside words. If the share is larger, the line counts
 * as part of letters. Chosen by hand, 2026-11.
 */
const maxInWords = 0.3;

/** Returns true if so much of a line is inside words that the line counts as part of letters. */
function isText({ x0, y0, x1, y1 }: RuledLine, words: readonly OcrWord[]): boolean {
  const isLevel = x1 - x0 > y1 - y0;
  const [from, to, at] = isLevel ? [x0, x1, (y0 + y1) / 2] : [y0, y1, (x0 + x1) / 2];
  let covered = 0;
  for (const { box } of words) {
    const [start, end, near, far] = isLevel ? [box[0], box[2], box[1], box[3]] : [box[1], box[3], box[0], box[2]];
    if (at > near && at < far) covered += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return covered > maxInWords * (to - from);
}

/**
 * Maps a layout back to the original page. The boxes of lines and blocks are computed again from
 * the boxes of their words, and the boxes of tables from their cells.
 */
function onPage(layout: PageLayout, toPage: Affine, { width, height }: Pick<Page, "width" | "height">): PageLayout {
  const scale = Math.hypot(toPage[0], toPage[1]);
  const place = (box: Box): Box => clipped(movedBox(box, toPage), width, height);
  const words = layout.words.map(({ size, ...word }) => ({
    ...{ ...word, box: place(word.box) },
    ...(size && { size: hundredth(size * scale) }),
  }));
  const lines = layout.lines.map((line) => ({ ...line, box: unionOf(words.slice(line.start, line.end)) }));
  const blocks = layout.blocks.map((block) => ({ ...block, box: unionOf(lines.slice(block.start, block.end)) }));
  const tables = layout.tables.map((table) => {
    const cells = table.cells.map((cell) => ({ ...cell, box: place(cell.box) }));
    return { ...table, cells, box: unionOf(cells) };
  });
  return { words, lines, blocks, tables };
}

const clipped = ([x0, y0, x1, y1]: Box, width: number, height: number): Box => [
  hundredth(Math.max(x0, 0)),
  hundredth(Math.max(y0, 0)),
  hundredth(Math.min(x1, width)),
  hundredth(Math.min(y1, height)),
];

const hundredth = (value: number): number => Math.round(value * 100) / 100;
