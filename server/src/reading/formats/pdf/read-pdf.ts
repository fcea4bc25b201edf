/**
 * Reads a PDF in this process. Call it only in a reading process, or in tests with trusted files.
 */
import type { Box, Document, FormField, Page } from "../../document.ts";
import { documentOf } from "../../document-of-pages.ts";
import { layOutPage } from "../../layout/lay-out-page.ts";
import type { DrawnWord } from "../../layout/page-content.ts";
import type { PlacedImage } from "../../pixels/gray-image.ts";
import { ReadingError } from "../../reader.ts";
import type { OpenDocument } from "../format.ts";
import { withAnnotations } from "./annotations.ts";
import { type BarcodeArea, barcodeAreas, type HiddenText, type KnownPictures } from "./barcode-areas.ts";
import { withBoxWords } from "./box-words.ts";
import { type FontWeights, visitCharacters } from "./characters.ts";
import { copyPages } from "./copy-pages.ts";
import { readMetadata, readOutline } from "./details.ts";
import { type PageDrawings, readDrawings } from "./drawings.ts";
import { drawnBoxes, withoutBoxes } from "./drawn-boxes.ts";
import { type FieldParents, fieldParentsOf } from "./field-parents.ts";
import { placedFields, readFormFields } from "./form-fields.ts";
import { pageSpace } from "./page-space.ts";
import { copyIn, loadPdfium, type Pdfium, type PdfiumFunctions } from "./pdfium.ts";
import { type ColorImage, renderColor, renderGray } from "./render.ts";
import { newTrailer } from "./repair.ts";
import { hasInk, resolutionOf, useOfText } from "./usable-text.ts";
import { pageInPoints, readUserUnits, scanInPoints, type UserUnits } from "./user-units.ts";
import { hundredth, WordBuilder } from "./word-builder.ts";

export interface PdfLimits {
  maxPages: number;
}

/** An open PDF. `readPage` only reads its text, without OCR. */
export interface OpenPdf extends OpenDocument {
  /** Reads page `number`, from 1. A damaged page is returned without words. */
  readPage(number: number): Page;
  /**
   * Reads a page as `readPage` does. If its text can't be trusted, also returns an image of the
   * page.
   */
  readPageOrScan(number: number): PageOrScan;
  /** Pictures that were searched for bar codes without success. They are not searched again. */
  readonly knownPictures: KnownPictures;
  /**
   * Renders page `number` (from 1) in colour, `width` pixels wide. With `box`, renders only this
   * part of it. Returns undefined if there is nothing to render.
   */
  renderPage(number: number, box: Box | undefined, width: number): ColorImage | undefined;
  /**
   * Returns a PDF with the pages `from` to `to`, counted from 1, both included.
   * @throws ReadingError `empty` if a page is missing, `corrupt` if a page can't be copied
   */
  copyPages(from: number, to: number): Uint8Array;
  close(): void;
}

export interface PageOrScan {
  page: Page;
  /** Gray image of the page, with the transform to page units. */
  scan?: PlacedImage;
  /** If true, the page's own text is used, except when OCR finds more text. */
  textCounts: boolean;
  /**
   * Images of the parts of the page that may contain bar codes. Absent if there are none, or if
   * there is a scan.
   */
  areas?: BarcodeArea[];
}

const passwordNeeded = 4;
const damaged = 3;
/**
 * Maximum number of characters per page. A page with more is an attack: a dense newspaper page has
 * 60,000.
 */
const maxPageCharacters = 1_000_000;

/**
 * Number of pages after which the document is closed and opened again, which takes a few
 * milliseconds. PDFium keeps everything that it unpacks until the document is closed. Its memory
 * would otherwise grow with the number of pages.
 */
const pagesPerOpening = 100;

/**
 * Opens a PDF.
 * @throws ReadingError `empty`, `corrupt`, `encrypted` or `too_complex`.
 */
export const openPdf = (pdfium: Pdfium, bytes: Uint8Array, limits: PdfLimits): OpenPdf =>
  openPdfAt(pdfium, copyIn(pdfium, bytes), bytes.length, limits);

/**
 * Opens a PDF whose bytes are at `data` in the library's memory. `close` frees them. They are also
 * freed if the file can't be opened.
 * @throws as `openPdf` does.
 */
export function openPdfAt(pdfium: Pdfium, data: number, size: number, limits: PdfLimits): OpenPdf {
  const { call } = pdfium;
  const file = { at: data, size };
  const fonts: FontWeights = new Map();
  let document = 0;
  let pagesRead = 0;
  const open = (): number => {
    fonts.clear();
    pagesRead = 0;
    return call.FPDF_LoadMemDocument64(file.at, file.size, 0);
  };
  const closeDocument = (): void => {
    if (document !== 0) call.FPDF_CloseDocument(document);
    document = 0;
  };
  const close = (): void => {
    closeDocument();
    call.free(file.at);
  };
  const forNextPage = (): number => {
    if (pagesRead >= pagesPerOpening) {
      closeDocument();
      document = open();
    }
    pagesRead++;
    return document;
  };
  try {
    const bytes = pdfium.memory.bytes.subarray(data, data + size);
    if (size === 0) throw new ReadingError("empty", "The file is empty.");
    if (!startsLikePdf(bytes)) throw new ReadingError("corrupt", "The file is not a PDF.");
    const units = readUserUnits(bytes);
    const parents = fieldParentsOf(() => pdfium.memory.bytes.subarray(file.at, file.at + file.size));
    const knownPictures: KnownPictures = new Set();
    const parts: FileParts = { fonts, units, parents, knownPictures };
    document = open();
    if (document === 0 && call.FPDF_GetLastError() === damaged && mend(pdfium, file)) document = open();
    if (document === 0) throw loadError(call.FPDF_GetLastError());
    const pages = countPages(call, document, limits.maxPages);
    if (pages <= 0) throw new ReadingError("empty", "The file has no pages.");
    if (pages > limits.maxPages) {
      throw new ReadingError("too_complex", `The file has ${pages} pages; at most ${limits.maxPages} are read.`);
    }
    return {
      pages,
      metadata: readMetadata(pdfium, document),
      outline: readOutline(pdfium, document),
      readPage: (number) => readPageOf(pdfium, forNextPage(), number, parts, textAlone).page,
      copyPages: (from, to) => {
        if (to > pages) throw new ReadingError("empty", `The file has no page ${to}.`);
        return copyPages(pdfium, document, from, to);
      },
      renderPage: (number, box, width) => renderPageOf(pdfium, document, number, units, box, width),
      readPageOrScan: (number) => readPageOf(pdfium, forNextPage(), number, parts, scanIfNeeded),
      knownPictures,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads the whole document. */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<Document> {
  const pdf = openPdf(await loadPdfium(), bytes, limits);
  try {
    const pages = Array.from({ length: pdf.pages }, (_, index) => pdf.readPage(index + 1));
    return documentOf("pdf", pdf, pages);
  } finally {
    pdf.close();
  }
}

/**
 * Returns the number of pages that the file states. A number above the limit may be wrong, so in
 * that case the pages that can be opened are counted.
 */
function countPages(call: PdfiumFunctions, document: number, maxPages: number): number {
  const stated = call.FPDF_GetPageCount(document);
  const exists = (index: number): boolean => {
    const page = call.FPDF_LoadPage(document, index);
    if (page !== 0) call.FPDF_ClosePage(page);
    return page !== 0;
  };
  if (stated <= maxPages || exists(maxPages)) return stated;
  let [known, missing] = [0, maxPages];
  while (known < missing) {
    const middle = (known + missing) >> 1;
    if (exists(middle)) known = middle + 1;
    else missing = middle;
  }
  return known;
}

/**
 * Adds a trailer to the end of a file that has no usable one. Returns false if this can't repair
 * the file.
 */
function mend(pdfium: Pdfium, file: { at: number; size: number }): boolean {
  const trailer = newTrailer(pdfium.memory.bytes.subarray(file.at, file.at + file.size));
  const at = trailer && pdfium.call.malloc(file.size + trailer.length);
  if (!at) return false;
  pdfium.memory.bytes.copyWithin(at, file.at, file.at + file.size);
  pdfium.memory.bytes.set(trailer, at + file.size);
  pdfium.call.free(file.at);
  file.at = at;
  file.size += trailer.length;
  return true;
}

function startsLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes("%PDF-");
}

function loadError(code: number): ReadingError {
  return code === passwordNeeded
    ? new ReadingError("encrypted", "The file needs a password.")
    : new ReadingError("corrupt", "The file is damaged.");
}

/** Data that all pages of a file share. */
interface FileParts {
  fonts: FontWeights;
  units: UserUnits;
  parents: FieldParents;
  knownPictures: KnownPictures;
}

/**
 * Returns the page. If it needs OCR, also returns the image that OCR reads. Otherwise, also returns
 * images of the parts that may contain bar codes.
 */
type AddScan = (
  pdfium: Pdfium,
  page: number,
  drawings: PageDrawings & HiddenText,
  text: Page,
  known: KnownPictures,
) => PageOrScan;

const textAlone: AddScan = (_pdfium, _handle, _drawings, page) => ({ page, textCounts: true });

const scanIfNeeded: AddScan = (pdfium, handle, drawings, page, known) => {
  const { pictures } = drawings;
  const use = useOfText(page.words, pictures, page);
  const scan = use === "use" ? undefined : renderGray(pdfium, handle, page, resolutionOf(pictures, page));
  const read = { page, textCounts: use !== "ocr" };
  if (scan !== undefined) return { ...read, ...(hasInk(scan.image) && { scan }) };
  const areas = barcodeAreas(pdfium, handle, drawings, page, known);
  return { ...read, ...(areas.length > 0 && { areas }) };
};

function readPageOf(pdfium: Pdfium, document: number, number: number, file: FileParts, addScan: AddScan): PageOrScan {
  const { call } = pdfium;
  const { fonts, units, parents, knownPictures } = file;
  const loaded = call.FPDF_LoadPage(document, number - 1);
  const found = loaded === 0 ? [] : readFormFields(pdfium, loaded, parents);
  const page = loaded === 0 ? 0 : withAnnotations(pdfium, document, number - 1, loaded);
  const space = page === 0 ? undefined : pageSpace(pdfium, page);
  try {
    if (space === undefined) return { page: blankPage(number), textCounts: true };
    const builder = new WordBuilder(space.width, space.height);
    let hidden = false;
    const text = call.FPDFText_LoadPage(page);
    try {
      const complete = visitCharacters(pdfium, text, space, fonts, maxPageCharacters, builder);
      hidden = isHidden(pdfium, text);
      if (!complete) throw new ReadingError("too_complex", `Page ${number} has too much text.`);
    } finally {
      call.FPDFText_ClosePage(text);
    }
    const { width, height, rotation } = space;
    const fields = placedFields(found, space);
    const { words, drawings } = withFormBoxes(builder.finish(), readDrawings(pdfium, page, space), fields);
    const layout = layOutPage({ width, height, words, drawings });
    const size = { width: hundredth(width), height: hundredth(height) };
    const read: Page = { number, ...size, rotation, source: "text", ...layout, ...(fields.length > 0 && { fields }) };
    const scanned = addScan(pdfium, page, { ...drawings, hidden }, read, knownPictures);
    return inPoints(scanned, unitOf(pdfium, page, units));
  } finally {
    if (page !== 0) call.FPDF_ClosePage(page);
  }
}

const invisible = 3;

/**
 * Returns true if the first text of a page is invisible, as in scans to which a text layer was
 * added by OCR.
 */
function isHidden({ call }: Pdfium, text: number): boolean {
  const object = call.FPDFText_CountChars(text) > 0 ? call.FPDFText_GetTextObject(text, 0) : 0;
  return object !== 0 && call.FPDFTextObj_GetTextRenderMode(object) === invisible;
}

/** Adds check boxes as words: first those of form fields, then those that are only drawn. */
function withFormBoxes(
  words: DrawnWord[],
  drawings: PageDrawings,
  fields: readonly FormField[],
): { words: DrawnWord[]; drawings: PageDrawings } {
  const known = fields.flatMap(({ box, checked }) => (checked === undefined ? [] : [{ box, checked }]));
  const ofFields = known.map(({ box }) => box);
  const boxes = [...known, ...drawnBoxes(drawings, words, ofFields)];
  if (boxes.length === 0) return { words, drawings };
  const rest = withoutBoxes(
    words,
    drawings,
    boxes.map(({ box }) => box),
  );
  return { ...rest, words: withBoxWords(rest.words, boxes) };
}

const unitOf = ({ call }: Pdfium, page: number, units: UserUnits): number =>
  units.size === 0 ? 1 : (units.get(call.EPDFPage_GetObjectNumber(page)) ?? 1);

function inPoints(read: PageOrScan, unit: number): PageOrScan {
  if (unit === 1) return read;
  const { page, scan, areas } = read;
  return {
    ...read,
    page: pageInPoints(page, unit),
    ...(scan && { scan: scanInPoints(scan, unit) }),
    ...(areas && { areas: areas.map((area) => ({ ...area, placed: scanInPoints(area.placed, unit) })) }),
  };
}

function renderPageOf(
  pdfium: Pdfium,
  document: number,
  number: number,
  units: UserUnits,
  box: Box | undefined,
  width: number,
): ColorImage | undefined {
  const loaded = pdfium.call.FPDF_LoadPage(document, number - 1);
  // Annotations are drawn in the same way as for reading, so that the image shows all words of the
  // page.
  const page = loaded === 0 ? 0 : withAnnotations(pdfium, document, number - 1, loaded);
  if (page === 0) return undefined;
  try {
    const space = pageSpace(pdfium, page);
    if (space === undefined) return undefined;
    const unit = unitOf(pdfium, page, units);
    const [x0, y0, x1, y1] = box ?? [0, 0, space.width * unit, space.height * unit];
    return renderColor(pdfium, page, space, [x0 / unit, y0 / unit, x1 / unit, y1 / unit], width);
  } finally {
    pdfium.call.FPDF_ClosePage(page);
  }
}

function blankPage(number: number): Page {
  return { number, width: 0, height: 0, rotation: 0, source: "text", words: [], lines: [], blocks: [], tables: [] };
}
