/**
 * Reads an xlsx in this process. Call it only in a reading process, or in tests with trusted files.
 */
import type { Document, OutlineEntry, Page } from "../../document.ts";
import { ReadingError } from "../../reader.ts";
import { readMetadata } from "../ooxml/metadata.ts";
import { mainPartOf, optionalTree, relationshipsOf } from "../ooxml/package.ts";
import { openZip } from "../ooxml/zip.ts";
import { cellStyleAttributes, readCellStyles } from "./cell-styles.ts";
import { readSheet, type SheetContext } from "./sheet.ts";
import { pageOfSheet, type SheetPart } from "./sheet-page.ts";
import { pageSlices } from "./sheet-rows.ts";
import { readSharedStrings, readWorkbook, type SheetEntry } from "./workbook.ts";

export const xlsxMime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface XlsxLimits {
  maxPages: number;
  /**
   * Maximum number of cells with content on all sheets. The number of shared strings has the same
   * limit.
   */
  maxCells: number;
  /** Maximum number of characters of all cells together. */
  maxCharacters: number;
}

export const defaultXlsxLimits: XlsxLimits = { maxPages: 5000, maxCells: 2_000_000, maxCharacters: 32_000_000 };

/**
 * An open xlsx. Its pages can be read in any order. A sheet is one page, or several if it is very
 * long.
 */
export interface OpenXlsx {
  readonly pages: number;
  /** The entry `HiddenSheets` lists the names of the hidden sheets, which are left out. */
  readonly metadata: Record<string, string>;
  /** The names of the sheets and their first pages. */
  readonly outline: OutlineEntry[];
  /** Reads page `number`, from 1. */
  readPage(number: number): Page;
}

/** @throws ReadingError `empty`, `corrupt`, `encrypted` or `too_complex`. */
export function openXlsx(bytes: Uint8Array, limits: XlsxLimits = defaultXlsxLimits): OpenXlsx {
  const zip = openZip(bytes);
  const mainPart = mainPartOf(zip, "xl/workbook.xml");
  const relationships = relationshipsOf(zip, mainPart);
  const { is1904, sheets } = readWorkbook(zip.read(mainPart) ?? new Uint8Array(), relationships);
  const partOf = (type: string) => relationships.find((relationship) => relationship.type === type)?.target;
  const stringsPart = partOf("sharedStrings");
  const context: SheetContext = {
    styles: readCellStyles(optionalTree(zip, partOf("styles"), cellStyleAttributes)),
    strings: readSharedStrings(stringsPart === undefined ? undefined : zip.read(stringsPart), budget(limits)),
    is1904,
    spend: budget(limits),
  };
  const parts: SheetPart[] = [];
  const outline: OutlineEntry[] = [];
  for (const { name, part } of sheets.filter(({ hidden }) => !hidden)) {
    const xml = zip.read(part);
    if (xml === undefined) throw new ReadingError("corrupt", "A sheet of the file is missing.");
    const sheet = readSheet(xml, context);
    outline.push({ title: name, page: parts.length + 1, level: 1 });
    for (const [index, slice] of pageSlices(sheet).entries())
      parts.push({ name: index === 0 ? name : "", sheet, slice });
    if (parts.length > limits.maxPages) {
      throw new ReadingError("too_complex", `The file has more than ${limits.maxPages} pages.`);
    }
  }
  if (parts.length === 0) throw new ReadingError("empty", "The file has no visible sheet.");
  return {
    pages: parts.length,
    metadata: { ...readMetadata(zip), ...hiddenSheets(sheets) },
    outline: outline.filter(({ title }) => title !== ""),
    readPage: (number) => readPart(parts, number),
  };
}

/** Reads the whole document. */
export function readXlsx(bytes: Uint8Array, limits: XlsxLimits = defaultXlsxLimits): Document {
  const { pages: count, metadata, outline, readPage } = openXlsx(bytes, limits);
  const pages = Array.from({ length: count }, (_, index) => readPage(index + 1));
  return { mime: xlsxMime, pages, outline, metadata };
}

function readPart(parts: readonly SheetPart[], number: number): Page {
  const part = parts[number - 1];
  if (part === undefined) throw new RangeError(`There is no page ${number}.`);
  return pageOfSheet(number, part);
}

function budget({ maxCells, maxCharacters }: XlsxLimits): SheetContext["spend"] {
  let [cells, letters] = [0, 0];
  return (characters) => {
    cells++;
    letters += characters;
    if (cells > maxCells) throw new ReadingError("too_complex", `The file has more than ${maxCells} cells or texts.`);
    if (letters > maxCharacters)
      throw new ReadingError("too_complex", `The file has more than ${maxCharacters} characters.`);
  };
}

/** Maximum length of the list of hidden sheets, in characters. Chosen by hand, 2026-11. */
const maxNamesLength = 2000;

function hiddenSheets(sheets: readonly SheetEntry[]): Record<string, string> {
  const names = sheets.filter(({ hidden }) => hidden).map(({ name }) => name);
  return names.length === 0 ? {} : { HiddenSheets: names.join(", ").slice(0, maxNamesLength) };
}
