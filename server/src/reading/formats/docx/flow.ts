/** Lays out blocks one below the other. The cells of a table row are laid out side by side. */
import type { Word } from "../../document.ts";
import { boxOf, type FlowBlock, type FlowCell, type FlowTable } from "../ooxml/draft-page.ts";
import { comparedRows, headerRowsOf } from "../ooxml/header-rows.ts";
import type { DocxRow, DocxTable, Paragraph, RowCell, StoryBlock } from "./model.ts";
import { type ParagraphToken, tokensOf } from "./paragraph-tokens.ts";
import { setLines } from "./set-lines.ts";

/** Gap between paragraphs, in points. Chosen by hand, 2026-11. */
const paragraphGap = 4;
/** Padding of cells, in points. Chosen by hand, 2026-11. */
const cellPadding = 4;
/** Minimum width of a column, in points. Chosen by hand, 2026-11. */
const leastColumn = 6;

export interface FlowSettings {
  pageNumber: number;
  /** Called with the number of characters of each paragraph. Throws if the total is too large. */
  spend(characters: number): void;
}

/** Blocks and tables that have been laid out. */
export class Flow {
  readonly blocks: FlowBlock[] = [];
  readonly tables: FlowTable[] = [];
  y: number;
  readonly #settings: FlowSettings;

  constructor(settings: FlowSettings, top: number) {
    this.#settings = settings;
    this.y = top;
  }

  place(blocks: readonly StoryBlock[], left: number, right: number): void {
    for (const block of blocks) {
      if (block.kind === "table") this.#placeTable(block, left, right);
      else this.#placeParagraph(block, left, right);
    }
  }

  #placeParagraph(paragraph: Paragraph, left: number, right: number): void {
    const tokens = tokensOf(paragraph, this.#settings.pageNumber);
    this.#spend(tokens);
    const { lines, bottom } = setLines(paragraph, tokens, { left, right, top: this.y });
    this.blocks.push({ kind: paragraph.role, lines: lines.map(({ words }) => words) });
    this.y = bottom + paragraphGap;
    for (const token of tokens) if (token.kind === "blocks") this.place(token.blocks, left, right);
  }

  #spend(tokens: readonly ParagraphToken[]): void {
    let characters = 1;
    for (const token of tokens) characters += token.kind === "word" ? token.text.length + 1 : 1;
    this.#settings.spend(characters);
  }

  #placeTable(table: DocxTable, left: number, right: number): void {
    const edges = columnEdges(table.columns, left, right);
    const top = this.y;
    const cells: FlowCell[] = [];
    const lines: Word[][] = [];
    const open = new Map<number, FlowCell>();
    for (const [index, row] of table.rows.entries()) {
      const placed = this.#placeRow(row, index, edges, open);
      cells.push(...placed.cells);
      lines.push(...placed.lines);
    }
    this.blocks.push({ kind: "table", lines });
    this.tables.push({
      box: boxOf(left, top, edges.at(-1) ?? right, this.y),
      rows: table.rows.length,
      columns: table.columns.length,
      headerRows: headerRows(table, cells),
      ruled: true,
      cells,
    });
    this.y += paragraphGap;
  }

  /**
   * Lays out a row. A cell that continues a vertically merged cell extends the cell above. If there
   * is no matching cell above, the cell is added as a separate cell.
   */
  #placeRow(row: DocxRow, index: number, edges: readonly number[], open: Map<number, FlowCell>) {
    const top = this.y;
    const flows = row.cells.map((cell) => this.#placeCell(cell, edges, top));
    const bottom = Math.max(top + 12, ...flows.map((flow) => flow.y)) + cellPadding / 2;
    const cells: FlowCell[] = [];
    for (const [at, cell] of row.cells.entries()) {
      const flow = flows[at];
      const above = cell.continues ? open.get(cell.column) : undefined;
      const words = flow?.blocks.flatMap((block) => block.lines.flat()) ?? [];
      if (above !== undefined && above.columnSpan === cell.columnSpan) {
        above.rowSpan = index - above.row + 1;
        above.box = boxOf(above.box[0], above.box[1], above.box[2], bottom);
        for (const word of words) above.words.push(word);
        continue;
      }
      const box = boxOf(edges[cell.column] ?? 0, top, edges[cell.column + cell.columnSpan] ?? 0, bottom);
      const placed = { row: index, column: cell.column, rowSpan: 1, columnSpan: cell.columnSpan, box, words };
      cells.push(placed);
      open.set(cell.column, placed);
    }
    for (const flow of flows) for (const table of flow.tables) this.tables.push(table);
    this.y = bottom;
    return { cells, lines: rowLines(flows) };
  }

  #placeCell({ column, columnSpan, blocks }: RowCell, edges: readonly number[], top: number): Flow {
    const flow = new Flow(this.#settings, top + cellPadding / 2);
    const left = (edges[column] ?? 0) + cellPadding;
    flow.place(blocks, left, Math.max((edges[column + columnSpan] ?? 0) - cellPadding, left + 1));
    return flow;
  }
}

/** Returns the x coordinates of the column edges. A table that is too wide is scaled down. */
function columnEdges(widths: readonly number[], left: number, right: number): number[] {
  const wanted = widths.map((width) => Math.max(width, leastColumn));
  const total = wanted.reduce((sum, width) => sum + width, 0);
  const scale = Math.min(1, (right - left) / total);
  let edge = left;
  return [left, ...wanted.map((width) => (edge += width * scale))];
}

/**
 * Returns the lines of a row in reading order. If at most one cell has several lines, each line
 * runs across all cells of the row. Otherwise, the cells are read one after the other.
 */
function rowLines(flows: readonly Flow[]): Word[][] {
  const cells = flows.map((flow) => flow.blocks.flatMap((block) => block.lines).filter((line) => line.length > 0));
  if (cells.filter((lines) => lines.length > 1).length > 1) return cells.flat();
  const height = cells.reduce((most, lines) => Math.max(most, lines.length), 0);
  return Array.from({ length: height }, (_, line) => cells.flatMap((lines) => lines[line] ?? []));
}

function headerRows({ rows }: DocxTable, cells: readonly FlowCell[]): number {
  const stated = rows.findIndex((row) => !row.header);
  if (stated > 0 || rows.length < 2) return Math.max(stated, 0);
  const compared = Map.groupBy(
    cells
      .filter(({ row }) => row < comparedRows)
      .map((cell) => ({ ...cell, text: cell.words.map(({ text }) => text).join(" "), bold: isBold(cell) })),
    ({ row }) => row,
  );
  return headerRowsOf([...compared.values()]);
}

const isBold = ({ words }: FlowCell): boolean => words.length > 0 && words.every(({ bold }) => bold);
