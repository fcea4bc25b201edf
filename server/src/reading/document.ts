/**
 * The Document that every format becomes. Plain data, safe to clone between processes and to store.
 *
 * Boxes are in page units (PDF points for PDF, pixels for images) from the top left of the page
 * after rotation. Words are in reading order; the text of each word is in logical order,
 * right-to-left text too. A line is a range of consecutive words and a block is a range of
 * consecutive lines, both `[start, end)`. The text of a page is its lines joined by "\n", the words
 * of a line joined by " ". Text positions count UTF-16 units of that text.
 */

/** `[x0, y0, x1, y1]`: left, top, right, bottom. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

export interface Word {
  text: string;
  box: Box;
  /** 0 to 1. Absent if the text was read from the file, not by OCR. */
  confidence?: number;
  /** Font size in page units, if the format states it. */
  size?: number;
  /** True if the font is bold, absent otherwise. */
  bold?: true;
}

export interface Line {
  box: Box;
  /** First word of the line, an index of `page.words`; `end` is exclusive. */
  start: number;
  end: number;
}

export type BlockKind = "heading" | "paragraph" | "list" | "table";

export interface Block {
  kind: BlockKind;
  box: Box;
  /** First line of the block, an index of `page.lines`; `end` is exclusive. */
  start: number;
  end: number;
}

export interface Cell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Indexes of `page.words`, in reading order within the cell. */
  words: number[];
}

export interface Table {
  box: Box;
  rows: number;
  columns: number;
  /** Number of header rows at the top. */
  headerRows: number;
  /** True if drawn lines form the grid, false if it was inferred from alignment. */
  ruled: boolean;
  cells: Cell[];
}

/** A field of a form that can be filled in. */
export interface FormField {
  type: "checkbox" | "radio" | "choice" | "text";
  box: Box;
  /** Full name: those of its parents and its own, joined by dots. */
  name?: string;
  /** Text that viewers show for the field. */
  tooltip?: string;
  /** Boxes only. */
  checked?: boolean;
  /** Value that a checked box stands for. */
  exportValue?: string;
  /** Value of other fields. */
  value?: string;
  /** Texts that a choice offers. */
  options?: string[];
}

export interface Page {
  /** Page number. The first page is 1. */
  number: number;
  width: number;
  height: number;
  /** Clockwise rotation in degrees that the file asks for. Boxes are already rotated. */
  rotation: 0 | 90 | 180 | 270;
  source: "text" | "ocr";
  /**
   * "flow" for formats without geometry (docx, xlsx). The boxes then are our own layout, in points:
   * labels beside their values, cells in their rows and columns. Absent if the boxes are those of
   * the file.
   */
  geometry?: "flow";
  words: Word[];
  lines: Line[];
  blocks: Block[];
  tables: Table[];
  /** Form fields of a PDF; absent if there are none. Boxes are also words: "☒" or "☐". */
  fields?: FormField[];
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
  /** Title, author, dates and similar, as the file states them. */
  metadata: Record<string, string>;
}

export function wordsText(page: Page, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += (i > start ? " " : "") + page.words[i]?.text;
  return text;
}

export const lineText = (page: Page, line: Line): string => wordsText(page, line.start, line.end);

export const pageText = (page: Page): string => page.lines.map((line) => lineText(page, line)).join("\n");
