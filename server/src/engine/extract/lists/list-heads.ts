/**
 * Finds headings of lists: a row, or several rows above each other, whose cells name the item
 * fields.
 */
import type { Box, Table } from "../../../reading/document.ts";
import concepts, { lineConcepts } from "../../lexicon/all-concepts.ts";
import {
  centreY,
  overlapShare,
  type PageRuns,
  type TextRun,
  textOfWords,
  unionOf,
  wordAt,
} from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type LabelScorer, makeScorer, phrasesOf } from "../labels/label-scores.ts";

export interface Column {
  /** Box of the heading's words. */
  box: Box;
  text: string;
  /** Item field that was assigned to the column. Undefined if none was. */
  item: AskedField | undefined;
  score: number;
}

export interface HeadChoice {
  column: Column;
  item: AskedField;
  score: number;
}

export interface Head {
  page: PageRuns;
  /** Index of the heading's last row. */
  row: number;
  columns: Column[];
  /** All item fields of the list. */
  items: readonly AskedField[];
  /** Every possible assignment of a column to an item field, best first. */
  options: readonly HeadChoice[];
  /** Sum of the scores of the columns that have an item field. */
  score: number;
  /**
   * The table of the document reader that contains the heading. Its columns correspond one to one
   * to those of the heading.
   */
  table?: Table;
}

/** Minimum score at which a heading cell names an item field. Chosen by hand, 2026-11. */
const minCellScore = 0.44;
/** Maximum number of lines in a heading. Chosen by hand, 2026-11. */
const maxHeadLines = 4;
/** Maximum length of a heading cell, in UTF-16 units. Chosen by hand, 2026-11. */
const maxCellLength = 140;
/** Maximum number of digits in a heading cell. Chosen by hand, 2026-11. */
const maxHeadDigits = 2;
/**
 * Minimum score (0 to 1) of a text that counts as a common name of a column. Chosen by hand,
 * 2026-11.
 */
const minKnown = 0.85;
/**
 * A row whose centre is in the bottom part of a header cell does not belong to the cell. This is
 * the height of the bottom part, as a share of the cell's height.
 */
const bottomShare = 0.2;
/**
 * A further line is added to a heading only if it raises the heading's score by more than this.
 * Chosen by hand, 2026-11.
 */
const clearlyBetter = 0.05;
/** Maximum gap between the lines of a heading, in line heights. Chosen by hand, 2026-11. */
const maxLineGap = 0.9;
/**
 * Minimum horizontal overlap of two lines that belong to one cell, as a share (0 to 1) of the
 * narrower line. Chosen by hand, 2026-11.
 */
const minOverlap = 0.25;

/**
 * Scores how well a text matches common names of list columns. Used to split headings that touch,
 * and to recognize columns that nobody requested.
 */
const knownColumns: LabelScorer[] = concepts
  .filter((concept) => lineConcepts.has(concept.key))
  .map((concept) => makeScorer(phrasesOf(concept), "boolean", new Set([concept.key])));
const isKnown = (text: string): boolean => knownColumns.some((score) => score(text) >= minKnown);

interface Cell {
  box: Box;
  text: string;
}

/**
 * Returns all headings of a page, from top to bottom: those of the tables that the document reader
 * found, and rows outside of tables.
 */
export function findHeads(page: PageRuns, items: readonly AskedField[]): Head[] {
  const tables = page.page.tables.flatMap((table) => headOfTable(page, table, items) ?? []);
  const rows = headsOfRows(page, items).filter(
    (head) => !tables.some((other) => inBox(other.table, page.rows[head.row]?.[0])),
  );
  return [...tables, ...rows].sort((a, b) => a.row - b.row);
}

const inBox = (table: Table | undefined, run: TextRun | undefined): boolean =>
  table !== undefined && run !== undefined && centreY(run.box) >= table.box[1] && centreY(run.box) <= table.box[3];

/**
 * Returns the heading of a table if its top rows name at least two item fields. If the list has
 * only one item field, naming that field is enough.
 */
function headOfTable(page: PageRuns, table: Table, items: readonly AskedField[]): Head | undefined {
  let best: Head | undefined;
  for (let lines = 1; lines <= Math.max(1, table.headerRows) + 1 && lines < table.rows; lines++) {
    const cells = Array.from({ length: table.columns }, (_, column) => headCell(page, table, column, lines));
    if (cells.some((cell) => (cell.text.match(/\d/g)?.length ?? 0) > maxHeadDigits)) break;
    const { columns, options, score, matched } = toColumns(cells, items);
    const bottom = Math.max(
      ...table.cells
        .filter((cell) => cell.row < lines)
        .map((cell) => cell.box[3] - (cell.box[3] - cell.box[1]) * bottomShare),
    );
    const row = page.rows.findLastIndex((runs) => runs.some((run) => inBox(table, run) && centreY(run.box) < bottom));
    if (matched >= Math.min(2, items.length) && row >= 0 && score > (best?.score ?? 0) + clearlyBetter)
      best = { page, row, items, columns, options, score, table };
  }
  return best;
}

function headCell(page: PageRuns, table: Table, column: number, lines: number): Cell {
  const cells = table.cells.filter(
    (cell) => cell.row < lines && cell.column <= column && column < cell.column + cell.columnSpan,
  );
  const below = table.cells.find((cell) => cell.column === column && cell.columnSpan === 1);
  const words = cells.flatMap((cell) => cell.words);
  const box = (cells.findLast((cell) => cell.columnSpan === 1) ?? below ?? cells[0])?.box ?? table.box;
  return { text: textOfWords(page, words), box };
}

function headsOfRows(page: PageRuns, items: readonly AskedField[]): Head[] {
  const heads: Head[] = [];
  for (let row = 0; row < page.rows.length; row++) {
    const head = headAt(page, row, items);
    if (!head) continue;
    const before = heads.at(-1);
    if (before && head.row - before.row < 2 && before.score >= head.score) continue;
    if (before && head.row - before.row < 2) heads.pop();
    heads.push(head);
    row = Math.max(row, head.row);
  }
  return heads;
}

function headAt(page: PageRuns, row: number, items: readonly AskedField[]): Head | undefined {
  const first = page.rows[row] ?? [];
  if (first.length < 2 && (first[0]?.words.length ?? 0) < 2) return undefined;
  let best: Head | undefined;
  let cells: Cell[] = [];
  for (let lines = 0; lines < maxHeadLines; lines++) {
    const runs = page.rows[row + lines] ?? [];
    if (!isHeadRow(runs) || (lines > 0 && !follows(page.rows[row + lines - 1] ?? [], runs))) break;
    cells = stack(
      cells,
      runs.flatMap((run) => partsOf(page, run)),
    );
    const { columns, options, score, matched } = toColumns(cells, items);
    const enough = matched >= Math.min(2, items.length) && columns.length >= 2;
    if (enough && score > (best?.score ?? 0) + clearlyBetter)
      best = { page, row: row + lines, items, columns, options, score };
  }
  return best;
}

const isHeadRow = (runs: readonly TextRun[]): boolean =>
  runs.length > 0 &&
  runs.every((run) => run.text.length <= maxCellLength && (run.text.match(/\d/g)?.length ?? 0) <= maxHeadDigits);

/** Returns true if the lower row continues the heading whose last line is the upper row. */
function follows(upper: readonly TextRun[], lower: readonly TextRun[]): boolean {
  const bottom = Math.max(...upper.map((run) => run.box[3]));
  const top = Math.min(...lower.map((run) => run.box[1]));
  return top - bottom < maxLineGap * (lower[0]?.height ?? 1);
}

/** Splits a run that names several columns, such as "Quantity Price", into one cell per column. */
function partsOf(page: PageRuns, run: TextRun): Cell[] {
  if (run.words.length < 2 || run.words.length > 12 || isKnown(run.text)) return [run];
  const texts = run.words.map((index) => wordAt(page.page, index).text);
  const parts = bestParts(texts);
  if (!parts) return [run];
  return parts.map(([from, to]) => ({
    text: texts.slice(from, to).join(" "),
    box: run.words
      .slice(from, to)
      .map((index) => wordAt(page.page, index).box)
      .reduce(unionOf),
  }));
}

/**
 * Returns spans of words, each of which names a column. Undefined if the words cannot be split into
 * names of columns.
 */
function bestParts(texts: readonly string[]): [number, number][] | undefined {
  const parts: [number, number][] = [];
  let from = 0;
  while (from < texts.length) {
    let to = Math.min(texts.length, from + 3);
    while (to > from && !isKnown(texts.slice(from, to).join(" "))) to--;
    if (to === from) return undefined;
    parts.push([from, to]);
    from = to;
  }
  return parts.length > 1 ? parts : undefined;
}

/**
 * Adds each cell of the lower line to the cell of the upper lines that it overlaps. A lower cell
 * that overlaps no upper cell, or several, stays separate.
 */
function stack(upper: readonly Cell[], lower: readonly Cell[]): Cell[] {
  const cells = upper.map((cell) => ({ ...cell }));
  for (const part of lower) {
    const over = cells.filter((cell) => overlapShare(cell.box, part.box) > minOverlap);
    const only = over[0];
    if (over.length === 1 && only) {
      only.text = `${only.text} ${part.text}`;
      only.box = unionOf(only.box, part.box);
    } else cells.push({ ...part });
  }
  return cells.sort((a, b) => a.box[0] - b.box[0]);
}

interface Columns {
  columns: Column[];
  options: HeadChoice[];
  /** `score` is the sum of the scores of the assigned columns, `matched` is their number. */
  score: number;
  matched: number;
}

/**
 * The score of a column is raised by this number times the column's position, so that the rightmost
 * of several equal headings wins. Sums are printed to the right of their parts.
 */
const towardsRight = 1e-4;

/** Assigns at most one column to each item field. The highest scores are assigned first. */
function toColumns(cells: readonly Cell[], items: readonly AskedField[]): Columns {
  const columns: Column[] = cells.map((cell) => ({ box: cell.box, text: cell.text, item: undefined, score: 0 }));
  const options = columns
    .flatMap((column, at) =>
      items.map((item) => ({ column, item, score: cellScore(column.text, item) + at * towardsRight })),
    )
    .filter((option) => option.score >= minCellScore)
    .sort((a, b) => b.score - a.score);
  const given = new Set<AskedField>();
  for (const { column, item, score } of options) {
    if (column.item || given.has(item)) continue;
    column.item = item;
    column.score = score;
    given.add(item);
  }
  return { columns, options, score: columns.reduce((sum, column) => sum + column.score, 0), matched: given.size };
}

/**
 * Returns the best score of several variants of a heading: as printed, without brackets, without
 * the text in brackets, and up to its first comma.
 */
function cellScore(text: string, item: AskedField): number {
  if (text.length > maxCellLength) return 0;
  const readings = [text, text.replace(/\([^)]*\)/g, " "), text.replace(/[()]/g, " "), text.split(",")[0] ?? ""];
  return Math.max(...readings.map((reading) => item.score(reading)));
}
