/**
 * Reads a sheet from its XML in one pass. Only cells with content are kept. They are stored in flat
 * arrays.
 */
import { ReadingError } from "../../reader.ts";
import { scanXml, type XmlAttributes, type XmlHandler, type XmlShortcut } from "../ooxml/xml.ts";
import type { CellStyles } from "./cell-styles.ts";
import { shownValue } from "./cell-value.ts";
import { plainCell, plainCellDepth, plainCellNames, readPlainCell, wholeAt } from "./plain-cells.ts";
import { type CellRange, cellPlace, columnOf, maxColumns, maxRows, placeOf, rangeOf, rowOf } from "./references.ts";

export interface SheetCells {
  /** Position of each cell, in ascending order: row × `maxColumns` + column. */
  places: Float64Array;
  /** Text that each cell shows. */
  texts: string[];
  /** 1 for each cell that is bold, 0 for others. */
  bold: Uint8Array;
  /** Merged ranges, by position of their first cell. */
  merges: Map<number, CellRange>;
  /** Sizes in points, for those columns and rows whose size the file states. */
  columnWidths: Map<number, number>;
  rowHeights: Map<number, number>;
  defaultHeight: number;
  defaultWidth: number;
  rightToLeft: boolean;
  /** Range with an auto-filter, which marks the range as a list with a header. */
  filter?: CellRange;
}

/** State and limits that all sheets share. */
export interface SheetContext {
  styles: CellStyles;
  strings: readonly string[];
  is1904: boolean;
  /**
   * Called with the length of the text of each cell that is kept. Throws if there are too many
   * cells or characters.
   */
  spend(characters: number): void;
}

export function readSheet(bytes: Uint8Array, context: SheetContext): SheetCells {
  const reader = new SheetReader(context);
  scanXml(bytes, reader);
  if (!reader.isSheet) throw new ReadingError("corrupt", "A sheet of the file is damaged.");
  return reader.finished();
}

/** Default row height, in points. */
const usualHeight = 15;
/** Default width of a column, in digits. */
const usualWidth = 8.43;
/** Maximum number of merged ranges that are kept. Chosen by hand, 2026-11. */
const maxMerges = 200_000;
/**
 * Maximum total number of columns in all column definitions. Definitions overlap only in broken
 * files, and the limit bounds the time for such files.
 */
const maxDefinedColumns = 4 * maxColumns;

class SheetReader implements XmlHandler, XmlShortcut {
  readonly shortcut = this;
  readonly parent = "row";
  readonly names = plainCellNames;
  readonly depth = plainCellDepth;
  elements = 0;
  isSheet = false;
  readonly cells: SheetCells = {
    ...{
      places: new Float64Array(1024),
      texts: [],
      bold: new Uint8Array(1024),
      merges: new Map(),
      columnWidths: new Map(),
      rowHeights: new Map(),
    },
    ...{ rightToLeft: false, defaultHeight: usualHeight, defaultWidth: widthPoints(usualWidth) },
  };
  readonly #context: SheetContext;
  /** True as long as the cells arrive in reading order, as they do in nearly every file. */
  #isRising = true;
  #lastPlace = -1;
  #row = -1;
  #column = -1;
  #rowHidden = false;
  readonly #hiddenColumns = new Set<number>();
  #definedColumns = 0;
  #type = "";
  #style = 0;
  #value = "";
  #text = "";
  #phonetic = 0;
  readonly #plain = plainCell();
  #into: "value" | "text" | undefined;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#into = undefined;
    switch (name) {
      case "c":
        this.#openCell(attributes);
        break;
      case "v":
        this.#into = "value";
        break;
      case "t":
        if (this.#phonetic === 0) this.#into = "text";
        break;
      case "row":
        this.#openRow(attributes);
        break;
      case "rPh":
        this.#phonetic++;
        break;
      default:
        this.#openSetting(name, attributes);
    }
  }

  close(name: string): void {
    this.#into = undefined;
    if (name === "c") this.#closeCell();
    else if (name === "rPh") this.#phonetic--;
  }

  text(text: string): void {
    if (this.#into === "value") this.#value += text;
    else if (this.#into === "text") this.#text += text;
  }

  take(source: string, from: number): number {
    const cell = this.#plain;
    let at = from;
    for (;;) {
      const end = readPlainCell(source, at, cell);
      if (end < 0) return at;
      at = end;
      this.elements += cell.elements;
      if (cell.row >= 0) this.#row = cell.row;
      this.#column = cell.row >= 0 ? cell.column : this.#column + 1;
      if (cell.end === cell.start || cell.isInline !== (cell.type === "inlineStr") || !this.#isVisible()) continue;
      // Most texts of a sheet are shared strings, so the indices of these strings are parsed
      // without creating a string.
      const shared = cell.type === "s" ? wholeAt(source, cell.start, cell.end) : -1;
      if (shared < 0) this.#addValue(cell.type, cell.style, source.slice(cell.start, cell.end));
      else this.#addText(this.#context.strings[shared] ?? "", cell.style);
    }
  }

  #openSetting(name: string, attributes: XmlAttributes): void {
    const { cells } = this;
    if (name === "worksheet") this.isSheet = true;
    else if (name === "col") this.#addColumn(attributes);
    else if (name === "mergeCell" && cells.merges.size < maxMerges) {
      const range = rangeOf(attributes.get("ref") ?? "");
      if (range !== undefined) cells.merges.set(placeOf(range.row, range.column), range);
    } else if (name === "sheetFormatPr") {
      cells.defaultHeight = positive(attributes.get("defaultRowHeight"), maxRowHeight) ?? usualHeight;
      cells.defaultWidth = widthPoints(positive(attributes.get("defaultColWidth"), maxColumnWidth) ?? usualWidth);
    } else if (name === "sheetView") cells.rightToLeft = isOn(attributes.get("rightToLeft"));
    else if (name === "autoFilter") {
      const range = rangeOf(attributes.get("ref") ?? "");
      if (range !== undefined) cells.filter = range;
    }
  }

  #addColumn(attributes: XmlAttributes): void {
    const first = Math.trunc(Number(attributes.get("min"))) - 1;
    const last = Math.min(Math.trunc(Number(attributes.get("max"))) - 1, maxColumns - 1);
    if (!(first >= 0 && last >= first)) return;
    this.#definedColumns += last - first + 1;
    if (this.#definedColumns > maxDefinedColumns) return;
    const width = positive(attributes.get("width"), maxColumnWidth);
    const isHidden = isOn(attributes.get("hidden"));
    for (let column = first; column <= last; column++) {
      if (width !== undefined) this.cells.columnWidths.set(column, widthPoints(width));
      if (isHidden) this.#hiddenColumns.add(column);
    }
  }

  /** Opens a row. If a row or cell does not state its position, it follows the one before. */
  #openRow(attributes: XmlAttributes): void {
    const number = Number(attributes.get("r"));
    this.#row = number >= 1 && number <= maxRows ? Math.trunc(number) - 1 : this.#row + 1;
    this.#column = -1;
    this.#rowHidden = isOn(attributes.get("hidden"));
    const height = positive(attributes.get("ht"), maxRowHeight);
    if (height !== undefined) this.cells.rowHeights.set(this.#row, height);
  }

  #openCell(attributes: XmlAttributes): void {
    const reference = attributes.get("r");
    const place = reference === undefined ? -1 : cellPlace(reference);
    if (place >= 0) {
      this.#row = rowOf(place);
      this.#column = columnOf(place);
    } else this.#column++;
    this.#type = attributes.get("t") ?? "n";
    this.#style = Number(attributes.get("s") ?? 0);
    this.#value = "";
    this.#text = "";
  }

  #closeCell(): void {
    const written = this.#type === "inlineStr" ? this.#text : this.#value;
    if (written !== "" && this.#isVisible()) this.#addValue(this.#type, this.#style, written);
  }

  #isVisible(): boolean {
    if (this.#rowHidden || this.#hiddenColumns.has(this.#column)) return false;
    return this.#row < maxRows && this.#column < maxColumns;
  }

  #addValue(type: string, style: number, written: string): void {
    const { format, bold } = this.#context.styles.styleOf(style);
    this.#add(shownValue(type, written, format, this.#context), bold);
  }

  #addText(text: string, style: number): void {
    const { format, bold } = this.#context.styles.styleOf(style);
    this.#add(format.text(text), bold);
  }

  #add(text: string, bold: boolean): void {
    if (isBlank(text)) return;
    this.#context.spend(text.length);
    const { cells } = this;
    const index = cells.texts.push(text) - 1;
    if (index === cells.places.length) this.#enlarge();
    const place = placeOf(this.#row, this.#column);
    cells.places[index] = place;
    cells.bold[index] = bold ? 1 : 0;
    this.#isRising &&= place > this.#lastPlace;
    this.#lastPlace = place;
  }

  #enlarge(): void {
    const { places, bold } = this.cells;
    this.cells.places = new Float64Array(places.length * 2);
    this.cells.places.set(places);
    this.cells.bold = new Uint8Array(places.length * 2);
    this.cells.bold.set(bold);
  }

  /** Returns all cells, in order. */
  finished(): SheetCells {
    const count = this.cells.texts.length;
    const { places, bold, ...rest } = this.cells;
    const cells = { ...rest, places: places.subarray(0, count), bold: bold.subarray(0, count) };
    return this.#isRising ? cells : inOrder(cells);
  }
}

/** Maximum row height in Excel, in points. */
const maxRowHeight = 409;
/** Maximum column width in Excel, in digits. */
const maxColumnWidth = 255;

function positive(text: string | undefined, most: number): number | undefined {
  const value = Number(text);
  return value > 0 ? Math.min(value, most) : undefined;
}

/**
 * Returns true for a text without visible characters. Most texts begin with a visible character, so
 * the first character is checked first.
 */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && text.trim() === "";
}

const isOn = (text: string | undefined): boolean => text === "1" || text === "true";

/**
 * Converts a width to points. The width is the number of digits of the standard font that fit. A
 * digit is seven pixels wide, the padding is five pixels, and a pixel is 3/4 point.
 */
function widthPoints(digits: number): number {
  return Math.round(digits * 7 + 5) * 0.75;
}

/** Sorts the cells. If several cells have the same position, keeps the last one. */
function inOrder(cells: SheetCells): SheetCells {
  const { places, texts, bold } = cells;
  const last = new Map(Array.from(places, (place, index) => [place, index]));
  const order = Float64Array.from(last.keys()).sort();
  const indices = Array.from(order, (place) => last.get(place) ?? 0);
  return {
    ...cells,
    places: order,
    texts: indices.map((index) => texts[index] ?? ""),
    bold: Uint8Array.from(indices, (index) => bold[index] ?? 0),
  };
}
