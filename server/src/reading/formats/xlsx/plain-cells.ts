/**
 * Fast path for cells in the notation of nearly all programs: `<c r="B7" s="1"
 * t="s"><v>12</v></c>`. They are read directly from the source of a sheet. A cell that differs from
 * this notation at all, even by a space or an entity, is left to the general scanner.
 */
import { maxColumns, maxRows } from "./references.ts";

/** A cell. The same object is reused for the next cell. */
export interface PlainCell {
  /** Row of the cell. -1 if the cell does not state its position. */
  row: number;
  column: number;
  type: string;
  style: number;
  /** Range of the source with the text: the content of `v`, or of `t` inside `is`. */
  start: number;
  end: number;
  /** True if the text is stored in the cell itself. */
  isInline: boolean;
  /** Number of XML elements of the cell. */
  elements: number;
}

export const plainCell = (): PlainCell => ({
  ...{ row: -1, column: -1, type: "n", style: 0 },
  ...{ start: 0, end: 0, isInline: false, elements: 0 },
});

export const plainCellNames: readonly string[] = ["c", "v", "f", "is", "t"];
export const plainCellDepth = 3;

/**
 * Reads the cell at `at` into `cell`, and returns the position at which it ends. Returns -1 if the
 * cell is written in a different notation, or if its end has not arrived yet.
 */
export function readPlainCell(source: string, at: number, cell: PlainCell): number {
  if (source.charCodeAt(at) !== less || source.charCodeAt(at + 1) !== letterC) return -1;
  let next = readStyle(source, readReference(source, at + 2, cell), cell);
  next = readType(source, next, cell);
  cell.elements = 1;
  cell.start = cell.end = next;
  cell.isInline = false;
  if (source.charCodeAt(next) === slash) return source.charCodeAt(next + 1) === greater ? next + 2 : -1;
  return source.charCodeAt(next) === greater ? readContent(source, next + 1, cell) : -1;
}

/**
 * Reads the attribute with the position of the cell. Returns the index after the attribute, or `at`
 * if the attribute is not there. `readStyle` and `readType` work in the same way.
 */
function readReference(source: string, at: number, cell: PlainCell): number {
  cell.row = cell.column = -1;
  if (!isAttribute(source, at, letterR)) return at;
  let next = at + 4;
  let column = 0;
  for (let code = source.charCodeAt(next); code >= 65 && code <= 90 && column <= maxColumns; ) {
    column = column * 26 + code - 64;
    code = source.charCodeAt(++next);
  }
  let row = 0;
  for (let code = source.charCodeAt(next); code >= 48 && code <= 57 && row <= maxRows; ) {
    row = row * 10 + code - 48;
    code = source.charCodeAt(++next);
  }
  const isCell = column > 0 && column <= maxColumns && row > 0 && row <= maxRows;
  if (!isCell || source.charCodeAt(next) !== quote) return at;
  cell.row = row - 1;
  cell.column = column - 1;
  return next + 1;
}

function readStyle(source: string, at: number, cell: PlainCell): number {
  cell.style = 0;
  if (!isAttribute(source, at, letterS)) return at;
  let next = at + 4;
  let style = 0;
  for (let code = source.charCodeAt(next); code >= 48 && code <= 57 && next < at + 12; ) {
    style = style * 10 + code - 48;
    code = source.charCodeAt(++next);
  }
  if (source.charCodeAt(next) !== quote) return at;
  cell.style = style;
  return next + 1;
}

function readType(source: string, at: number, cell: PlainCell): number {
  cell.type = "n";
  if (!isAttribute(source, at, letterT)) return at;
  for (const { written, type } of types) {
    if (!source.startsWith(written, at)) continue;
    cell.type = type;
    return at + written.length;
  }
  return at;
}

const types = ["s", "n", "str", "b", "inlineStr", "e", "d"].map((type) => ({ written: ` t="${type}"`, type }));

/** Returns true if an attribute whose name is `letter` begins at `at`. */
const isAttribute = (source: string, at: number, letter: number): boolean =>
  source.charCodeAt(at) === space &&
  source.charCodeAt(at + 1) === letter &&
  source.charCodeAt(at + 2) === equals &&
  source.charCodeAt(at + 3) === quote;

/**
 * Reads the content of a cell: a value, a formula and a value, or a text. The formula is skipped.
 */
function readContent(source: string, at: number, cell: PlainCell): number {
  if (isValue(source, at)) return readValue(source, at, cell);
  let next = at;
  if (source.startsWith("<f>", next)) {
    next = endOfText(source, next + 3);
    if (!source.startsWith("</f>", next)) return -1;
    next += 4;
    cell.elements++;
    if (isValue(source, next)) return readValue(source, next, cell);
  }
  const opening = inlineOpenings.find((each) => source.startsWith(each, next));
  if (opening === undefined) return source.startsWith("</c>", next) ? next + 4 : -1;
  cell.isInline = true;
  cell.start = next + opening.length;
  cell.end = endOfText(source, cell.start);
  cell.elements += 2;
  return source.startsWith("</t></is></c>", cell.end) ? cell.end + 13 : -1;
}

function readValue(source: string, at: number, cell: PlainCell): number {
  cell.start = at + 3;
  cell.end = endOfText(source, cell.start);
  cell.elements++;
  return source.startsWith("</v></c>", cell.end) ? cell.end + 8 : -1;
}

const inlineOpenings = ["<is><t>", '<is><t xml:space="preserve">'];

const isValue = (source: string, at: number): boolean =>
  source.charCodeAt(at) === less && source.charCodeAt(at + 1) === letterV && source.charCodeAt(at + 2) === greater;

/** Returns the whole number in a range of up to nine digits. Returns -1 for anything else. */
export function wholeAt(source: string, start: number, end: number): number {
  if (end === start || end - start > 9) return -1;
  let whole = 0;
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code < 48 || code > 57) return -1;
    whole = whole * 10 + code - 48;
  }
  return whole;
}

/** Returns the start of the next tag or entity. */
function endOfText(source: string, at: number): number {
  for (let next = at; next < source.length; next++) {
    const code = source.charCodeAt(next);
    if (code === less || code === ampersand) return next;
  }
  return source.length;
}

const [less, greater, slash, equals, quote, space, ampersand] = [60, 62, 47, 61, 34, 32, 38] as const;
const [letterC, letterR, letterS, letterT, letterV] = [0x63, 0x72, 0x73, 0x74, 0x76] as const;
