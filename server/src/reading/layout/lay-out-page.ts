/** Lays out a page: puts its words in reading order and forms lines, blocks and tables. */
import type { Box, Cell, Line, Table, Word } from "../document.ts";
import type { DraftBlock, DraftLine } from "./blocks.ts";
import { middleX, middleY, unionOf } from "./geometry.ts";
import type { Drawings, PageContent, PageLayout } from "./page-content.ts";
import { framesOf, layOutRegion } from "./page-regions.ts";
import type { PlacedWord } from "./placed-word.ts";
import { appended, byDirection, placedWords, rotatedBack, rotatedDrawings } from "./rotation.ts";
import { allRulings, type Grid, gridsOf, joined } from "./ruled-grid.ts";
import { type GridContent, ruledTables } from "./ruled-tables.ts";
import { joinStacked } from "./stacked-tables.ts";
import { type TableDraft, wordsOutside } from "./table-draft.ts";
import { withVerticalWords } from "./vertical-text.ts";

/**
 * Lays out a page. Words in its main direction come first, with their tables. Words in other
 * directions follow, such as notes in the margin.
 */
export function layOutPage({ width, height, words, drawings }: PageContent): PageLayout {
  const layouts = byDirection(withVerticalWords(words)).map(({ quarters, words }, index) => {
    const lines = index === 0 ? rotatedDrawings(drawings, quarters) : { horizontal: [], vertical: [], shades: [] };
    return rotatedBack(layOutLevel(placedWords(words, quarters), lines, width * height), quarters);
  });
  const [main, ...others] = layouts;
  return main === undefined ? { words: [], lines: [], blocks: [], tables: [] } : others.reduce(appended, main);
}

function layOutLevel(words: readonly PlacedWord[], drawings: Drawings, pageArea: number): PageLayout {
  const rulings = allRulings(drawings, pageArea);
  const drawn = gridsOf(rulings);
  const { tables: grids, bands } = gridContent(drawn, words);
  const tables = joinStacked(grids, words);
  const free = wordsOutside(tables, words);
  const strokes =
    drawings.shades.length === 0
      ? rulings
      : { horizontal: joined(drawings.horizontal), vertical: joined(drawings.vertical) };
  const framing = strokes === rulings ? drawn : gridsOf(strokes);
  const cells = framing.flatMap((grid) => grid.cells.map((cell) => cell.box));
  const frames = framesOf(
    cells.filter((cell) => !tables.some((table) => contains(table.box, cell))),
    free,
  );
  const { horizontal } = rulings;
  const { vertical } = strokes;
  const bodySize = commonSize(words);
  const laid = layOutRegion({ words: free, tables, bands, frames, bodySize, horizontal, vertical });
  return assemble(laid.blocks, laid.tables);
}

/** Returns the font size that most letters have, rounded to half a point. */
function commonSize(words: readonly PlacedWord[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of words) {
    const rounded = Math.round(size * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

function gridContent(grids: readonly Grid[], words: readonly PlacedWord[]): GridContent {
  const content: GridContent = { tables: [], bands: [] };
  for (const grid of grids) {
    const inside = words.filter((word) => isInside(grid.box, word));
    const { tables, bands } = ruledTables(grid, inside);
    content.tables.push(...tables);
    content.bands.push(...bands);
  }
  return content;
}

function isInside(box: Box, word: PlacedWord): boolean {
  const x = middleX(word);
  const y = middleY(word);
  return box[0] <= x + 1 && box[1] <= y + 1 && box[2] >= x - 1 && box[3] >= y - 1;
}

const contains = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] + 1 && outer[1] <= inner[1] + 1 && outer[2] >= inner[2] - 1 && outer[3] >= inner[3] - 1;

function assemble(blocks: readonly DraftBlock[], tables: readonly TableDraft[]): PageLayout {
  const layout: PageLayout = { words: [], lines: [], blocks: [], tables: [] };
  for (const { kind, lines } of blocks) {
    const start = layout.lines.length;
    for (const line of lines) layout.lines.push(addLine(layout.words, line));
    layout.blocks.push({ kind, box: unionOf(lines), start, end: layout.lines.length });
  }
  if (tables.length === 0) return layout;
  const places = placesOf(blocks);
  const placed = tables.map((table) => tableOf(table, places));
  layout.tables = placed.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
  return layout;
}

/**
 * Returns, for each word of a table, its position among all words. Other words are never looked up.
 */
function placesOf(blocks: readonly DraftBlock[]): Map<PlacedWord, number> {
  const places = new Map<PlacedWord, number>();
  let place = 0;
  for (const { kind, lines } of blocks) {
    for (const { words } of lines) {
      if (kind === "table") for (const word of words) places.set(word, place++);
      else place += words.length;
    }
  }
  return places;
}

function addLine(words: Word[], line: DraftLine): Line {
  const start = words.length;
  for (const word of line.words) {
    const { text, box, size, bold, confidence } = word;
    const plain: Word = bold ? { text, box, size, bold } : { text, box, size };
    words.push(confidence === undefined ? plain : { ...plain, confidence });
  }
  return { box: line.box, start, end: words.length };
}

function tableOf({ cells, ...table }: TableDraft, places: Map<PlacedWord, number>): Table {
  const placed = (words: PlacedWord[]) => {
    const indices = words.map((word) => places.get(word) ?? -1);
    return indices.length < 2 ? indices : indices.sort((a, b) => a - b);
  };
  return { ...table, cells: cells.map((cell): Cell => ({ ...cell, words: placed(cell.words) })) };
}
