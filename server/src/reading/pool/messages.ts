/**
 * Messages between the process pool and a reading process.
 *
 * A page is sent as flat arrays of numbers. Unpacking them takes a tenth of the time that cloning
 * thousands of small objects takes. The pool checks everything that it receives, because a process
 * that reads a hostile file may be compromised.
 */
import type {
  Barcode,
  Block,
  BlockKind,
  Box,
  Cell,
  FormField,
  Line,
  OutlineEntry,
  Page,
  Table,
  Word,
} from "../document.ts";
import type {
  PageImage,
  PageImageRequest,
  PageRange,
  ReadableExtension,
  ReadingFailure,
  RenderableExtension,
} from "../reader.ts";
import { check, maxFields, unpackBarcodes, unpackField } from "./page-extras.ts";

/**
 * Order to open a document. The bytes of the document follow on the standard input of the process.
 */
export interface ReadOrder {
  kind: "read";
  extension: ReadableExtension;
  bytes: number;
  maxPages: number;
}

/**
 * Order to read the pages `from` to `to` of the open document. Pages count from 1, and both ends
 * are included. The process ignores the order if no document is open.
 */
export interface PagesOrder {
  kind: "pages";
  from: number;
  to: number;
}

/** Order to close the open document after all pages that were ordered before have been read. */
export interface CloseOrder {
  kind: "close";
}

/** Order to render a page as an image. The bytes of the document follow on standard input. */
export interface RenderOrder extends Omit<ReadOrder, "kind" | "extension"> {
  kind: "render";
  extension: RenderableExtension;
  request: PageImageRequest;
}

/**
 * Order to copy pages of a PDF into a new PDF. The bytes of the document follow on standard input.
 */
export interface CopyOrder {
  kind: "copy";
  bytes: number;
  maxPages: number;
  range: PageRange;
}

export type Order = ReadOrder | PagesOrder | CloseOrder | RenderOrder | CopyOrder;

export interface PackedPage {
  number: number;
  width: number;
  height: number;
  rotation: number;
  source: string;
  geometry: string;
  /** The texts of the words, each followed by a line feed. No word contains a line feed. */
  text: string;
  /**
   * For each word: the four edges of its box and its font size, in hundredths of a point. The size
   * is -1 if it is unknown.
   */
  words: Int32Array;
  bold: Uint8Array;
  /** For each word: the OCR confidence in percent, or 255 if the word is not from OCR. */
  confidences: Uint8Array;
  /** For each line: the four edges of its box, and the start and end of its range of words. */
  lines: Int32Array;
  /**
   * For each block: the four edges of its box, the start and end of its range of lines, and its
   * kind.
   */
  blocks: Int32Array;
  tables: PackedTable[];
  fields: FormField[];
  barcodes: Barcode[];
}

export interface PackedTable {
  /**
   * The four edges of the table, and its numbers of rows, columns and header rows. The last number
   * is 1 if drawn lines separate its cells, and 0 otherwise.
   */
  frame: Int32Array;
  /**
   * For each cell: the four edges of its box, its row, column, row span and column span, the number
   * of its words, and the index of each of those words.
   */
  cells: Int32Array;
}

export type ProcessMessage =
  | { kind: "ready" }
  | { kind: "opened"; pages: number; metadata: Record<string, string>; outline: OutlineEntry[] }
  /** The next page needs OCR, so the deadline is extended. */
  | { kind: "ocr" }
  /**
   * The next pages among those that were ordered. Several small pages are sent in one message,
   * because sending a message takes as much time as reading a short page.
   */
  | { kind: "pages"; pages: PackedPage[] }
  | { kind: "image"; image: PageImage; usage: Usage }
  /** The copied pages, as a PDF file. */
  | { kind: "copied"; file: Uint8Array; usage: Usage }
  /** All ordered pages have been sent, and the document has been closed. */
  | { kind: "done"; usage: Usage }
  /**
   * The document can't be read. If the message has `usage`, the process can still read other
   * documents.
   */
  | { kind: "failed"; reason: ReadingFailure; message: string; usage?: Usage };

export interface Usage {
  rssBytes: number;
  cpuSeconds: number;
}

const blockKinds: readonly BlockKind[] = ["heading", "paragraph", "list", "table"];

const noConfidence = 255;

export function packPage(page: Page): PackedPage {
  const { number, width, height, rotation, source, geometry = "", lines, blocks, tables } = page;
  return {
    number,
    width,
    height,
    rotation,
    source,
    geometry,
    ...packWords(page.words),
    lines: packed(lines, 6, ({ start, end }, at, numbers) => numbers.set([start, end], at)),
    blocks: packed(blocks, 7, ({ start, end, kind }, at, numbers) =>
      numbers.set([start, end, blockKinds.indexOf(kind)], at),
    ),
    tables: tables.map(packTable),
    fields: page.fields ?? [],
    barcodes: page.barcodes ?? [],
  };
}

function packWords(words: readonly Word[]): Pick<PackedPage, "text" | "words" | "bold" | "confidences"> {
  const bold = new Uint8Array(words.length);
  const confidences = new Uint8Array(words.length);
  let text = "";
  for (const [index, word] of words.entries()) {
    text += `${word.text}\n`;
    if (word.bold) bold[index] = 1;
    confidences[index] = word.confidence === undefined ? noConfidence : Math.round(word.confidence * 100);
  }
  const numbers = packed(words, 5, ({ size }, at, numbers) => {
    numbers[at] = size === undefined ? -1 : Math.round(size * 100);
  });
  return { text, words: numbers, bold, confidences };
}

/**
 * Packs a list of parts, such as words, into an array of numbers. Each part takes `width` numbers:
 * the four edges of its box, and the numbers that `write` adds. It allocates no array per part,
 * because it runs for every word of a page.
 */
function packed<T extends { box: Box }>(
  parts: readonly T[],
  width: number,
  write: (part: T, at: number, numbers: Int32Array) => void,
): Int32Array {
  const numbers = new Int32Array(parts.length * width);
  let at = 0;
  for (const part of parts) {
    putBox(numbers, at, part.box);
    write(part, at + 4, numbers);
    at += width;
  }
  return numbers;
}

function putBox(numbers: Int32Array, at: number, box: Box): void {
  numbers[at] = Math.round(box[0] * 100);
  numbers[at + 1] = Math.round(box[1] * 100);
  numbers[at + 2] = Math.round(box[2] * 100);
  numbers[at + 3] = Math.round(box[3] * 100);
}

function packTable({ box, rows, columns, headerRows, ruled, cells }: Table): PackedTable {
  const frame = packed([{ box }], 8, (_, at, numbers) => numbers.set([rows, columns, headerRows, ruled ? 1 : 0], at));
  const numbers = new Int32Array(cells.reduce((length, { words }) => length + 9 + words.length, 0));
  let at = 0;
  for (const { box, row, column, rowSpan, columnSpan, words } of cells) {
    putBox(numbers, at, box);
    numbers.set([row, column, rowSpan, columnSpan, words.length], at + 4);
    numbers.set(words, at + 9);
    at += 9 + words.length;
  }
  return { frame, cells: numbers };
}

/**
 * Unpacks a page.
 * @throws TypeError if `packPage` can't have produced the packed page
 */
export function unpackPage(packed: PackedPage): Page {
  const { number, width, height, rotation, source, geometry } = packed;
  check(Number.isInteger(number) && isSize(width) && isSize(height));
  check(rotation === 0 || rotation === 90 || rotation === 180 || rotation === 270);
  check(source === "text" || source === "ocr");
  check(geometry === "flow" || geometry === "");
  const words = unpackWords(packed);
  const lines = unpackLines(packed.lines, words.length);
  const blocks = unpackBlocks(packed.blocks, lines.length);
  check(Array.isArray(packed.tables));
  const tables = packed.tables.map((table) => unpackTable(table, words.length));
  const page: Page = { number, width, height, rotation, source, words, lines, blocks, tables };
  if (geometry !== "") page.geometry = geometry;
  check(Array.isArray(packed.fields) && packed.fields.length <= maxFields);
  if (packed.fields.length > 0) page.fields = packed.fields.map(unpackField);
  const barcodes = unpackBarcodes(packed.barcodes, words.length);
  if (barcodes.length > 0) page.barcodes = barcodes;
  return page;
}

const isSize = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1e6;

function unpackWords({ text, words: numbers, bold, confidences }: PackedPage): Word[] {
  check(typeof text === "string" && numbers instanceof Int32Array && bold instanceof Uint8Array);
  check(confidences instanceof Uint8Array);
  const texts = text.split("\n");
  check(texts.pop() === "" && numbers.length === texts.length * 5 && bold.length === texts.length);
  check(confidences.length === texts.length);
  return texts.map((text, index) => {
    const word: Word = { text, box: unpackBox(numbers, index * 5) };
    const size = numbers[index * 5 + 4] ?? -1;
    if (size >= 0) word.size = size / 100;
    if (bold[index] === 1) word.bold = true;
    const percent = confidences[index] ?? noConfidence;
    if (percent <= 100) word.confidence = percent / 100;
    return word;
  });
}

function unpackBox(numbers: Int32Array, at: number): Box {
  return [
    (numbers[at] ?? 0) / 100,
    (numbers[at + 1] ?? 0) / 100,
    (numbers[at + 2] ?? 0) / 100,
    (numbers[at + 3] ?? 0) / 100,
  ];
}

function unpackLines(numbers: Int32Array, words: number): Line[] {
  check(numbers instanceof Int32Array && numbers.length % 6 === 0);
  const lines: Line[] = [];
  for (let at = 0; at < numbers.length; at += 6) {
    lines.push({ box: unpackBox(numbers, at), ...unpackSpan(numbers, at + 4, lines.at(-1)?.end ?? 0, words) });
  }
  return lines;
}

function unpackBlocks(numbers: Int32Array, lines: number): Block[] {
  check(numbers instanceof Int32Array && numbers.length % 7 === 0);
  const blocks: Block[] = [];
  for (let at = 0; at < numbers.length; at += 7) {
    const kind = blockKinds[numbers[at + 6] ?? -1];
    check(kind !== undefined);
    const span = unpackSpan(numbers, at + 4, blocks.at(-1)?.end ?? 0, lines);
    blocks.push({ kind, box: unpackBox(numbers, at), ...span });
  }
  return blocks;
}

/** Returns a range that begins where the previous one ended and does not extend beyond `to`. */
function unpackSpan(numbers: Int32Array, at: number, from: number, to: number): { start: number; end: number } {
  const start = numbers[at] ?? -1;
  const end = numbers[at + 1] ?? -1;
  check(start === from && end > start && end <= to);
  return { start, end };
}

function unpackTable({ frame, cells: numbers }: PackedTable, words: number): Table {
  check(frame instanceof Int32Array && frame.length === 8 && numbers instanceof Int32Array);
  const [rows = 0, columns = 0, headerRows = 0, ruled = 0] = frame.subarray(4);
  check(rows > 0 && columns > 0 && headerRows >= 0 && headerRows <= rows);
  const cells: Cell[] = [];
  for (let at = 0; at < numbers.length; ) {
    const cell = unpackCell(numbers, at, words);
    check(cell.row + cell.rowSpan <= rows && cell.column + cell.columnSpan <= columns);
    cells.push(cell);
    at += 9 + cell.words.length;
  }
  return { box: unpackBox(frame, 0), rows, columns, headerRows, ruled: ruled === 1, cells };
}

function unpackCell(numbers: Int32Array, at: number, words: number): Cell {
  const [row = -1, column = -1, rowSpan = 0, columnSpan = 0, count = -1] = numbers.subarray(at + 4, at + 9);
  check(row >= 0 && column >= 0 && rowSpan > 0 && columnSpan > 0 && count >= 0 && at + 9 + count <= numbers.length);
  const indices = Array.from(numbers.subarray(at + 9, at + 9 + count));
  check(indices.every((index) => index >= 0 && index < words));
  return { row, column, rowSpan, columnSpan, box: unpackBox(numbers, at), words: indices };
}

/**
 * Returns true if these are valid metadata, such as title and author: a limited number of names,
 * each with a string.
 */
export function isMetadata(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length <= 100 &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

export function isPageImage(value: unknown): value is PageImage {
  if (typeof value !== "object" || value === null) return false;
  const { width, height, bytes } = value as Partial<PageImage>;
  return isSize(width) && isSize(height) && bytes instanceof Uint8Array && bytes.length > 0;
}

export function isOutline(value: unknown): value is OutlineEntry[] {
  return Array.isArray(value) && value.every(isOutlineEntry);
}

function isOutlineEntry(value: unknown): value is OutlineEntry {
  if (typeof value !== "object" || value === null) return false;
  const { title, page, level } = value as Partial<OutlineEntry>;
  return typeof title === "string" && (page === null || Number.isInteger(page)) && Number.isInteger(level);
}
