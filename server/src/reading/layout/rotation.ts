/**
 * Rotates text. Text that runs down, up or upside down is rotated so that it is level, then laid
 * out, and rotated back. Rotations by quarter turns only swap and negate coordinates, so boxes stay
 * exact.
 */
import type { Box } from "../document.ts";
import { median } from "./geometry.ts";
import type { Drawings, DrawnWord, PageLayout, Ruling } from "./page-content.ts";
import type { PlacedWord } from "./placed-word.ts";

/**
 * Direction of text as a number of clockwise quarter turns: 0 to the right, 1 down, 2 to the left,
 * 3 up.
 */
type Quarters = 0 | 1 | 2 | 3;

export interface Directed {
  quarters: Quarters;
  words: DrawnWord[];
}

/**
 * Maximum skew of text, as a sine (8 degrees). Text with more skew, such as a watermark, is laid
 * out separately. Chosen by hand, 2026-11.
 */
const maxSkew = 0.14;

/** Groups words by direction. The direction with the most text comes first. */
export function byDirection(words: readonly DrawnWord[]): Directed[] {
  const groups = new Map<number, Directed>();
  let last: { direction: DrawnWord["direction"]; group: Directed } | undefined;
  for (const word of words) {
    const { direction } = word;
    // Consecutive words usually share one direction object, so the references are compared first.
    if (last?.direction === direction) {
      last.group.words.push(word);
      continue;
    }
    const [x, y] = direction;
    const quarters: Quarters = Math.abs(x) >= Math.abs(y) ? (x >= 0 ? 0 : 2) : y >= 0 ? 1 : 3;
    const key = Math.min(Math.abs(x), Math.abs(y)) > maxSkew ? quarters + 4 : quarters;
    const group = groups.get(key) ?? { quarters, words: [] };
    groups.set(key, group);
    group.words.push(word);
    last = { direction, group };
  }
  return [...groups.values()].sort((a, b) => lettersOf(b) - lettersOf(a));
}

const lettersOf = ({ words }: Directed): number => words.reduce((sum, word) => sum + word.text.length, 0);

function rotated(box: Box, quarters: Quarters): Box {
  if (quarters === 0) return box;
  const [x0, y0, x1, y1] = box;
  if (quarters === 1) return [y0, -x1, y1, -x0];
  if (quarters === 2) return [-x1, -y1, -x0, -y0];
  return [-y1, x0, -y0, x1];
}

/**
 * Rotates words so that they are level. Baselines are measured along the median direction of the
 * words, because the whole scan has one skew, but OCR reports a slightly different skew for each
 * word.
 */
export function placedWords(words: readonly DrawnWord[], quarters: Quarters): PlacedWord[] {
  const [x, y] = commonDirection(words);
  return words.map(({ text, box, size, bold, origin, confidence }) => {
    const word: PlacedWord = { text, box: rotated(box, quarters), size, baseline: origin[1] * x - origin[0] * y };
    if (bold) word.bold = true;
    if (confidence !== undefined) word.confidence = confidence;
    return word;
  });
}

function commonDirection(words: readonly DrawnWord[]): readonly [x: number, y: number] {
  const first = words[0]?.direction ?? [1, 0];
  if (words.every(({ direction }) => direction[0] === first[0] && direction[1] === first[1])) return first;
  return [median(words.map(({ direction }) => direction[0])), median(words.map(({ direction }) => direction[1]))];
}

export function rotatedDrawings(drawings: Drawings, quarters: Quarters): Drawings {
  if (quarters === 0) return drawings;
  const line = ({ at, from, to }: Ruling, level: boolean): Ruling => {
    const [x0, y0, x1, y1] = rotated(level ? [from, at, to, at] : [at, from, at, to], quarters);
    return x1 - x0 > y1 - y0 ? { at: y0, from: x0, to: x1 } : { at: x0, from: y0, to: y1 };
  };
  const level = drawings.horizontal.map((ruling) => line(ruling, true));
  const upright = drawings.vertical.map((ruling) => line(ruling, false));
  return {
    horizontal: quarters === 2 ? level : upright,
    vertical: quarters === 2 ? upright : level,
    shades: drawings.shades.map((shade) => rotated(shade, quarters)),
  };
}

export function rotatedBack(layout: PageLayout, quarters: Quarters): PageLayout {
  if (quarters === 0) return layout;
  const back: Quarters = quarters === 1 ? 3 : quarters === 3 ? 1 : quarters;
  const boxed = <T extends { box: Box }>(part: T): T => ({ ...part, box: rotated(part.box, back) });
  return {
    words: layout.words.map(boxed),
    lines: layout.lines.map(boxed),
    blocks: layout.blocks.map(boxed),
    tables: layout.tables.map((table) => ({ ...boxed(table), cells: table.cells.map(boxed) })),
  };
}

/** Appends one layout to another. Positions and indices of the appended layout are shifted. */
export function appended(first: PageLayout, second: PageLayout): PageLayout {
  const words = first.words.length;
  const lines = first.lines.length;
  const moved = <T extends { start: number; end: number }>(part: T, by: number): T => ({
    ...part,
    start: part.start + by,
    end: part.end + by,
  });
  const tables = second.tables.map((table) => ({
    ...table,
    cells: table.cells.map((cell) => ({ ...cell, words: cell.words.map((index) => index + words) })),
  }));
  return {
    words: [...first.words, ...second.words],
    lines: [...first.lines, ...second.lines.map((line) => moved(line, words))],
    blocks: [...first.blocks, ...second.blocks.map((block) => moved(block, lines))],
    tables: [...first.tables, ...tables],
  };
}
