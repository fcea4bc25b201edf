/**
 * The Document: what every format becomes. Plain data, safe to clone between processes and to store.
 *
 * Boxes are in page units (PDF points for PDF, pixels for images) from the top left of the page after rotation.
 * Words stand in reading order, the text of each in logical order (right-to-left too). A line is a run of consecutive words, a block
 * a run of consecutive lines, so both are spans `[start, end)`. The text of a page is its lines joined by "\n", the words of a line
 * joined by " "; spans of text count UTF-16 units of that text.
 */

/** `[x0, y0, x1, y1]`: left, top, right, bottom. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

export interface Word {
  text: string;
  box: Box;
  /** 0 to 1; absent where the text was read from the file and not recognized from pixels. */
  confidence?: number;
  /** Font size in page units, where the format tells. */
  size?: number;
  /** True where the font is bold; absent otherwise. */
  bold?: true;
}

export interface Line {
  box: Box;
  /** Span of `page.words`. */
  start: number;
  end: number;
}

export type BlockKind = "heading" | "paragraph" | "list" | "table";

export interface Block {
  kind: BlockKind;
  box: Box;
  /** Span of `page.lines`. */
  start: number;
  end: number;
}

export interface Cell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Indices of `page.words`, in reading order of the cell. */
  words: number[];
}

export interface Table {
  box: Box;
  rows: number;
  columns: number;
  /** How many rows at the top are header. */
  headerRows: number;
  /** True where drawn lines made the grid, false where it was inferred from alignment. */
  ruled: boolean;
  cells: Cell[];
}

export interface Page {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  /** Degrees clockwise that the file asks the page to be turned; boxes already are. */
  rotation: 0 | 90 | 180 | 270;
  source: "text" | "ocr";
  /**
   * "flow" where the format has no geometry, as docx and xlsx: boxes then are a layout of ours, with labels beside their values and cells
   * in their rows and columns, in points. Absent where the boxes are those of the file.
   */
  geometry?: "flow";
  words: Word[];
  lines: Line[];
  blocks: Block[];
  tables: Table[];
}

export interface OutlineEntry {
  title: string;
  page: number | null;
  level: number;
}

export interface Document {
  mime: string;
  pages: Page[];
  outline?: OutlineEntry[];
  /** Title, author, dates and the like, as the file states them. */
  metadata: Record<string, string>;
}

export function wordsText(page: Page, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += (i > start ? " " : "") + page.words[i]?.text;
  return text;
}

export const lineText = (page: Page, line: Line): string => wordsText(page, line.start, line.end);

export const pageText = (page: Page): string => page.lines.map((line) => lineText(page, line)).join("\n");
