/**
 * Lays out a region: a page, or a frame on it. Finds the tables of the region, lays out each frame
 * inside it separately, and puts the rest in reading order.
 */
import type { Box } from "../document.ts";
import { alignedTables } from "./aligned-tables.ts";
import { blocksOf, type DraftBlock, type DraftLine, lineOf } from "./blocks.ts";
import { type Boxed, middleX, middleY, unionOf } from "./geometry.ts";
import type { Ruling } from "./page-content.ts";
import type { PlacedWord } from "./placed-word.ts";
import { type Item, inOrder } from "./reading-order.ts";
import type { HeaderBand } from "./ruled-tables.ts";
import type { TableDraft } from "./table-draft.ts";
import { tableLines } from "./table-lines.ts";
import { rowsOf, type TextRow, type TextRun, wordRows, wordsOf } from "./text-rows.ts";

export interface Region {
  words: readonly PlacedWord[];
  /** Ruled tables. Their words are not in `words`. */
  tables: readonly TableDraft[];
  bands: readonly HeaderBand[];
  /** Boxes drawn around content. */
  frames: readonly Box[];
  /** Font size of most text on the page. */
  bodySize: number;
  horizontal: readonly Ruling[];
  vertical: readonly Ruling[];
}

export interface Laid {
  blocks: DraftBlock[];
  tables: TableDraft[];
}

/** A text run, a whole table, or a whole frame. Tables and frames have blocks instead of words. */
interface RegionItem extends Item {
  words: readonly PlacedWord[];
  blocks?: DraftBlock[];
}

export function layOutRegion(region: Region): Laid {
  const tables: TableDraft[] = [];
  const items: RegionItem[] = [];
  const isolating = region.frames.filter((frame) => hasTextBeside(frame, region.words));
  const outer = isolating.filter((frame) => !isolating.some((other) => other !== frame && contains(other, frame)));
  let { words } = region;
  let own = [...region.tables];
  for (const frame of outer) {
    const [inside, outside] = parted(words, frame);
    const framed = own.filter((table) => isIn(frame, table));
    if (inside.length + framed.length === 0) continue;
    words = outside;
    own = own.filter((table) => !isIn(frame, table));
    const frames = isolating.filter((other) => other !== frame && contains(frame, other));
    const laid = layOutRegion({ ...region, words: inside, tables: framed, frames });
    tables.push(...laid.tables);
    items.push(wholeItem(frame, laid.blocks));
  }
  const rows = rowsOf(words, region.vertical);
  const aligned = alignedTables(rows, region.horizontal, region.bands);
  own.push(...aligned);
  items.push(...own.map((table) => wholeItem(table.box, [{ kind: "table", lines: tableLines(table) }])));
  items.push(...runsOutside(aligned, rows));
  const blocks = inOrder(items, region.horizontal).flatMap((group) => blocksOfGroup(group, region.bodySize));
  return { blocks, tables: [...tables, ...own] };
}

function runsOutside(tables: readonly TableDraft[], rows: readonly TextRow[]): TextRun[] {
  const runs = rows.flatMap((row) => row.runs);
  if (tables.length === 0) return runs;
  const taken = new Set(tables.flatMap((table) => table.cells.flatMap((cell) => cell.words)));
  return runs.filter((run) => !run.words.some((word) => taken.has(word)));
}

/** Splits words into those inside a frame and those outside of it. */
function parted(words: readonly PlacedWord[], frame: Box): [inside: PlacedWord[], outside: PlacedWord[]] {
  const inside: PlacedWord[] = [];
  const outside: PlacedWord[] = [];
  for (const word of words) (isIn(frame, word) ? inside : outside).push(word);
  return [inside, outside];
}

/**
 * Returns true if there is text to the left or right of the frame. A frame without text beside it
 * need not be laid out separately.
 */
function hasTextBeside(frame: Box, words: readonly PlacedWord[]): boolean {
  const [x0, y0, x1, y1] = frame;
  return words.some((word) => {
    const x = middleX(word);
    const y = middleY(word);
    return y > y0 && y < y1 && (x < x0 || x > x1);
  });
}

const wholeItem = (box: Box, blocks: DraftBlock[]): RegionItem => ({
  words: [],
  text: "",
  box,
  size: 0,
  baseline: box[1],
  blocks,
});

function isIn(box: Box, part: Boxed): boolean {
  const x = middleX(part);
  const y = middleY(part);
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}

const contains = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

function blocksOfGroup(rows: readonly RegionItem[][], bodySize: number): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  let lines: DraftLine[] = [];
  const close = () => {
    blocks.push(...blocksOf(lines, bodySize));
    lines = [];
  };
  for (const row of rows) {
    const whole = row[0]?.blocks;
    if (whole) {
      close();
      blocks.push(...whole);
    } else lines.push(lineOf(wordsOf(row), row.length));
  }
  close();
  return blocks;
}

/**
 * Finds frames among `cells`, which are drawn cells outside of all tables. Cells that share a
 * border, one below the other, are joined into one frame. A frame has at least two lines of text.
 */
export function framesOf(cells: readonly Box[], words: readonly PlacedWord[]): Box[] {
  const filled = cells.filter((cell) => words.some((word) => isIn(cell, word)));
  const groups: Box[][] = [];
  for (const cell of [...filled].sort((a, b) => a[1] - b[1])) {
    const above = groups.filter((group) => group.some((other) => isStacked(other, cell)));
    const group = [cell, ...above.flat()];
    groups.push(group);
    for (const joined of above) groups.splice(groups.indexOf(joined), 1);
  }
  return groups
    .map((group) => unionOf(group.map((box) => ({ box }))))
    .filter((frame) => wordRows(words.filter((word) => isIn(frame, word))).length >= 2);
}

/**
 * Returns true if one cell is directly below the other, and the horizontal extent of one cell lies
 * within that of the other.
 */
function isStacked(above: Box, below: Box): boolean {
  if (Math.abs(above[3] - below[1]) > 1) return false;
  const within = (a: Box, b: Box) => a[0] >= b[0] - 1 && a[2] <= b[2] + 1;
  return within(above, below) || within(below, above);
}
