/** The layout of a page: its words in reading order, and the lines, blocks and tables that they form. */
import type { Block, Box, Cell, Line, Page, Table, Word } from "./document.ts";
import { alignedTables } from "./layout/aligned-tables.ts";
import { blocksOf, type DraftBlock, type DraftLine, lineOf } from "./layout/blocks.ts";
import { type Fragment, rowsOf, textOf } from "./layout/fragments.ts";
import { median, unionOf } from "./layout/geometry.ts";
import { allRulings, gridsOf, joined } from "./layout/grid.ts";
import { type Item, inOrder } from "./layout/reading-order.ts";
import { ruledTables } from "./layout/ruled-tables.ts";
import type { TableDraft } from "./layout/table-draft.ts";
import { tableLines } from "./layout/table-lines.ts";
import { appended, byDirection, turnedBack, turnedDrawings, turnedWords } from "./layout/turns.ts";
import type { Drawings } from "./pdf/drawings.ts";
import type { PlacedWord } from "./pdf/words.ts";

export type PageLayout = Pick<Page, "words" | "lines" | "blocks" | "tables">;

export interface PageContent {
  width: number;
  height: number;
  /** In any order. */
  words: readonly PlacedWord[];
  drawings: Drawings;
}

/** Words that run in the main direction come first, with their tables; then what runs otherwise, as notes on the margin do. */
export function layOut({ width, height, words, drawings }: PageContent): PageLayout {
  const groups = byDirection(words);
  const layouts = groups.map(({ turn, words }, index) => {
    const upright = { horizontal: [], vertical: [], shades: [] };
    const lines = index === 0 ? turnedDrawings(drawings, turn) : upright;
    return turnedBack(layOutUpright(turnedWords(words, turn), lines, width * height), turn);
  });
  return layouts.reduce(appended, { words: [], lines: [], blocks: [], tables: [] });
}

function layOutUpright(words: readonly PlacedWord[], drawings: Drawings, pageArea: number): PageLayout {
  const rulings = allRulings(drawings, pageArea);
  const tables: TableDraft[] = [];
  const taken = new Set<PlacedWord>();
  const take = (table: TableDraft) => {
    tables.push(table);
    for (const cell of table.cells) for (const word of cell.words) taken.add(word);
  };
  for (const grid of gridsOf(rulings)) {
    const inside = words.filter((word) => isInside(word, grid.box) && !taken.has(word));
    if (inside.length > 0) ruledTables(grid, inside).forEach(take);
  }
  const rows = rowsOf(
    words.filter((word) => !taken.has(word)),
    joined(drawings.vertical),
  );
  for (const { draft } of alignedTables(rows, rulings.horizontal)) take(draft);
  const free = rows.flatMap((row) => row.fragments).filter((fragment) => !fragment.words.some((w) => taken.has(w)));
  return assemble(blocksInOrder(free, tables), tables);
}

const isInside = ({ box }: PlacedWord, [x0, y0, x1, y1]: Box): boolean => {
  const x = (box[0] + box[2]) / 2;
  const y = (box[1] + box[3]) / 2;
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
};

interface PageItem extends Item {
  fragment?: Fragment;
  table?: TableDraft;
}

function blocksInOrder(fragments: readonly Fragment[], tables: readonly TableDraft[]): DraftBlock[] {
  const items: PageItem[] = [
    ...fragments.map((fragment) => ({ ...fragment, text: textOf(fragment), fragment })),
    ...tables.map((table) => ({ box: table.box, size: 0, baseline: table.box[1], text: "", table })),
  ];
  const bodySize = median(fragments.flatMap((fragment) => fragment.words.map((word) => word.size)));
  return inOrder(items).flatMap((group) => blocksOfGroup(group, bodySize));
}

function blocksOfGroup(rows: readonly PageItem[][], bodySize: number): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  let lines: DraftLine[] = [];
  const close = () => {
    blocks.push(...blocksOf(lines, bodySize));
    lines = [];
  };
  for (const row of rows) {
    const table = row[0]?.table;
    if (table) {
      close();
      blocks.push({ kind: "table", lines: tableLines(table) });
    } else lines.push(lineOf(row.flatMap((item) => item.fragment?.words ?? [])));
  }
  close();
  return blocks;
}

function assemble(blocks: readonly DraftBlock[], tables: readonly TableDraft[]): PageLayout {
  const layout: PageLayout = { words: [], lines: [], blocks: [], tables: [] };
  const places = new Map<PlacedWord, number>();
  for (const block of blocks) {
    const start = layout.lines.length;
    for (const line of block.lines) layout.lines.push(addLine(layout.words, line, places));
    layout.blocks.push({
      kind: block.kind,
      box: unionOf(block.lines),
      start,
      end: layout.lines.length,
    } satisfies Block);
  }
  layout.tables = tables
    .map((table) => tableOf(table, places))
    .sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
  return layout;
}

function addLine(words: Word[], line: DraftLine, places: Map<PlacedWord, number>): Line {
  const start = words.length;
  for (const word of line.words) {
    places.set(word, words.length);
    const { text, box, size, bold } = word;
    words.push(bold ? { text, box, size, bold } : { text, box, size });
  }
  return { box: line.box, start, end: words.length };
}

function tableOf({ box, rows, columns, headerRows, ruled, cells }: TableDraft, places: Map<PlacedWord, number>): Table {
  const placed = cells.map(
    ({ row, column, rowSpan, columnSpan, box, words }): Cell => ({
      row,
      column,
      rowSpan,
      columnSpan,
      box,
      words: words.map((word) => places.get(word) ?? -1),
    }),
  );
  return { box, rows, columns, headerRows, ruled, cells: placed };
}
