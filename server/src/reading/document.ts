/**
 * The Document into which every format is converted. It is plain data that can be sent between
 * processes and stored.
 *
 * Boxes are in the page's unit: points for PDF, pixels for images. They are measured from the top
 * left of the rotated page. Words are in reading order. The text of each word is in logical order,
 * even if it is right-to-left text. A line is a range of consecutive words, and a block is a range
 * of consecutive lines, both `[start, end)`. The text of a page is its lines joined by "\n", and a
 * line is its words joined by " ". Text positions count UTF-16 units of that text.
 */

/** `[x0, y0, x1, y1]`: left, top, right, bottom. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

export interface Word {
  text: string;
  box: Box;
  /** OCR confidence, 0 to 1. Absent if the word was not read by OCR. */
  confidence?: number;
  /** Font size in page units, if the format states it. */
  size?: number;
  /** True if the font is bold, absent otherwise. */
  bold?: true;
}

export interface Line {
  box: Box;
  /** Index in `page.words` of the first word of the line. `end` is the index after the last one. */
  start: number;
  end: number;
}

export type BlockKind = "heading" | "paragraph" | "list" | "table";

export interface Block {
  kind: BlockKind;
  box: Box;
  /**
   * Index in `page.lines` of the first line of the block. `end` is the index after the last one.
   */
  start: number;
  end: number;
}

export interface Cell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Indices in `page.words`, in reading order within the cell. */
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

/** A field of a form that users can fill in. */
export interface FormField {
  type: "checkbox" | "radio" | "choice" | "text";
  box: Box;
  /** Full name: the names of its parents and its own name, joined by dots. */
  name?: string;
  /** Description of the field, which PDF viewers show as a tooltip. */
  tooltip?: string;
  /** True if the box is checked. Absent for fields other than checkboxes and radio buttons. */
  checked?: boolean;
  /** Value that the form submits if the box is checked. */
  exportValue?: string;
  /** Value of a text field or choice field. */
  value?: string;
  /** Labels of the options from which users can choose. */
  options?: string[];
}

/** The kinds of bar codes that are read. */
export const barcodeKinds = [
  ...(["qr_code", "micro_qr_code", "data_matrix", "aztec", "pdf417"] as const),
  ...(["code_128", "code_39", "ean_13", "ean_8", "upc_a", "itf"] as const),
] as const;

/** Maximum number of bar codes per page. Chosen by hand, 2026-11. */
export const maxBarcodes = 64;
/**
 * Maximum length of a bar code's text, in UTF-16 units. Even the largest payloads defined by
 * payment, transport and contact standards have fewer than 1,000 units. A QR code holds at most
 * 7,089. Chosen by hand, 2026-11.
 */
export const maxBarcodeText = 3_000;

/** A bar code or two-dimensional code, such as a QR code, that is printed on a page. */
export interface Barcode {
  kind: (typeof barcodeKinds)[number];
  /**
   * The payload as text. Its lines are separated by "\n", and empty lines are kept, because some
   * standards identify lines by their number. Control characters are removed. GS1 data is in its
   * human-readable form, with the application identifiers in parentheses:
   * "(01)09501101530003(17)260131".
   */
  text: string;
  box: Box;
  /**
   * Index in `page.words` of the first word of the bar code's text. `end` is the index after the
   * last one. Each of these words has the box of the bar code. The words of bar codes come after
   * all other words of the page.
   */
  start: number;
  end: number;
  /**
   * Why `text` is not the whole payload. With "binary", the payload is not text, and `text` is
   * empty. With "too_long", the text ends before the payload does. Absent if the text is complete.
   */
  omitted?: "binary" | "too_long";
}

export interface Page {
  /** Page number. The first page is 1. */
  number: number;
  width: number;
  height: number;
  /**
   * Clockwise rotation, in degrees, that the file asks for. Boxes are in the coordinates of the
   * rotated page.
   */
  rotation: 0 | 90 | 180 | 270;
  source: "text" | "ocr";
  /**
   * "flow" for formats without fixed pages (docx, xlsx). The boxes then come from our own layout,
   * in points. Labels are placed beside their values, and cells in their rows and columns. Absent
   * if the boxes come from the file.
   */
  geometry?: "flow";
  words: Word[];
  lines: Line[];
  blocks: Block[];
  tables: Table[];
  /**
   * Form fields of a PDF. Absent if there are none. Each check box or radio button is also a word:
   * "☒" or "☐".
   */
  fields?: FormField[];
  /** Bar codes of the page, in the order of their words. Absent if none was found. */
  barcodes?: Barcode[];
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
  /** Title, author, dates and the like, as written in the file. */
  metadata: Record<string, string>;
}

/** Returns the number of words printed as text on the page. The words of bar codes don't count. */
export const printedWords = (page: Pick<Page, "words" | "barcodes">): number =>
  page.barcodes?.[0]?.start ?? page.words.length;

export function wordsText(page: Page, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += (i > start ? " " : "") + page.words[i]?.text;
  return text;
}

export const lineText = (page: Page, line: Line): string => wordsText(page, line.start, line.end);

export const pageText = (page: Page): string => page.lines.map((line) => lineText(page, line)).join("\n");
