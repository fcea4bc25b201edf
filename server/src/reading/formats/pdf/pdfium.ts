/**
 * Loads the PDFium library as WebAssembly. Also contains the types of the functions that are used,
 * and helpers for the library's memory.
 *
 * The exports of the WebAssembly module are called directly. The wrappers of the package check
 * every argument, which would double the time of the loop over characters. Pointers are numbers,
 * and 0 is null.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { init } from "@embedpdf/pdfium";
import type { IncomingFile } from "../incoming-file.ts";

type Pointer = number;
/** Memory of a WebAssembly module. When it grows, `buffer` is replaced. */
type Heap = { readonly buffer: ArrayBuffer };

/**
 * The functions of the C interface that are used. They return booleans as 0 or 1. They write
 * strings as UTF-16LE to a buffer that the caller provides.
 */
export interface PdfiumFunctions {
  malloc(bytes: number): Pointer;
  free(pointer: Pointer): void;
  FPDF_GetLastError(): number;
  FPDF_LoadMemDocument64(data: Pointer, size: number, password: Pointer): Pointer;
  FPDF_CloseDocument(document: Pointer): void;
  FPDF_GetPageCount(document: Pointer): number;
  FPDF_GetMetaText(document: Pointer, tag: Pointer, buffer: Pointer, bytes: number): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_ClosePage(page: Pointer): void;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDF_GetPageBoundingBox(page: Pointer, rect: Pointer): number;
  FPDF_PageToDevice(
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: Pointer,
    deviceY: Pointer,
  ): number;
  FPDFPage_GetRotation(page: Pointer): number;
  EPDFPage_GetObjectNumber(page: Pointer): number;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFAnnot_GetSubtype(annotation: Pointer): number;
  FPDFAnnot_GetFlags(annotation: Pointer): number;
  FPDFAnnot_GetRect(annotation: Pointer, rect: Pointer): number;
  FPDFAnnot_HasKey(annotation: Pointer, key: Pointer): number;
  FPDFAnnot_GetStringValue(annotation: Pointer, key: Pointer, buffer: Pointer, bytes: number): number;
  FPDFAnnot_GetNumberValue(annotation: Pointer, key: Pointer, value: Pointer): number;
  EPDFAnnot_GetButtonExportValue(annotation: Pointer, buffer: Pointer, bytes: number): number;
  EPDFAnnot_GetObjectNumber(annotation: Pointer): number;
  EPDFAnnot_HasAppearanceStream(annotation: Pointer, mode: number): number;
  EPDFAnnot_GenerateAppearance(annotation: Pointer): number;
  EPDFAnnot_GenerateFormFieldAP(annotation: Pointer): number;
  FPDFPage_Flatten(page: Pointer, usage: number): number;
  FPDFBookmark_GetFirstChild(document: Pointer, bookmark: Pointer): Pointer;
  FPDFBookmark_GetNextSibling(document: Pointer, bookmark: Pointer): Pointer;
  FPDFBookmark_GetTitle(bookmark: Pointer, buffer: Pointer, bytes: number): number;
  FPDFBookmark_GetDest(document: Pointer, bookmark: Pointer): Pointer;
  FPDFDest_GetDestPageIndex(document: Pointer, destination: Pointer): number;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_IsGenerated(text: Pointer, index: number): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  FPDFText_GetLooseCharBox(text: Pointer, index: number, rect: Pointer): number;
  FPDFText_GetCharOrigin(text: Pointer, index: number, x: Pointer, y: Pointer): number;
  FPDFText_GetMatrix(text: Pointer, index: number, matrix: Pointer): number;
  FPDFText_GetFontSize(text: Pointer, index: number): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFTextObj_GetTextRenderMode(object: Pointer): number;
  FPDFTextObj_GetFont(object: Pointer): Pointer;
  FPDFFont_GetWeight(font: Pointer): number;
  FPDFPage_CountObjects(page: Pointer): number;
  FPDFPage_GetObject(page: Pointer, index: number): Pointer;
  FPDFFormObj_CountObjects(form: Pointer): number;
  FPDFFormObj_GetObject(form: Pointer, index: number): Pointer;
  FPDFPageObj_GetType(object: Pointer): number;
  FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number;
  FPDFPageObj_GetFillColor(object: Pointer, red: Pointer, green: Pointer, blue: Pointer, alpha: Pointer): number;
  FPDFPageObj_GetStrokeWidth(object: Pointer, width: Pointer): number;
  FPDFPath_GetDrawMode(path: Pointer, fill: Pointer, stroke: Pointer): number;
  FPDFPath_CountSegments(path: Pointer): number;
  FPDFPath_GetPathSegment(path: Pointer, index: number): Pointer;
  FPDFPathSegment_GetPoint(segment: Pointer, x: Pointer, y: Pointer): number;
  FPDFPathSegment_GetType(segment: Pointer): number;
  FPDFPathSegment_GetClose(segment: Pointer): number;
  FPDFImageObj_GetImagePixelSize(image: Pointer, width: Pointer, height: Pointer): number;
  FPDFImageObj_GetImageFilterCount(image: Pointer): number;
  FPDFImageObj_GetImageFilter(image: Pointer, index: number, buffer: Pointer, bytes: number): number;
  FPDFImageObj_GetImageDataRaw(image: Pointer, buffer: Pointer, bytes: number): number;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, memory: Pointer, stride: number): Pointer;
  FPDFBitmap_FillRect(bitmap: Pointer, left: number, top: number, width: number, height: number, argb: number): number;
  FPDFBitmap_GetBuffer(bitmap: Pointer): Pointer;
  FPDFBitmap_GetStride(bitmap: Pointer): number;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
  FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void;
  FPDF_CreateNewDocument(): Pointer;
  FPDF_ImportPagesByIndex(to: Pointer, from: Pointer, indexes: Pointer, count: number, at: number): number;
  PDFiumExt_OpenFileWriter(): Pointer;
  PDFiumExt_SaveAsCopy(document: Pointer, writer: Pointer): number;
  PDFiumExt_GetFileWriterSize(writer: Pointer): number;
  PDFiumExt_GetFileWriterData(writer: Pointer, buffer: Pointer, bytes: number): number;
  PDFiumExt_CloseFileWriter(writer: Pointer): void;
  FPDFFont_GetBaseFontName(font: Pointer, buffer: Pointer, bytes: number): number;
}

export interface Pdfium {
  readonly call: PdfiumFunctions;
  /**
   * Views of the library's memory. They are replaced when the memory grows, so code must not keep a
   * view across a call of the library.
   */
  readonly memory: {
    readonly bytes: Uint8Array;
    readonly floats: Float32Array;
    readonly doubles: Float64Array;
    readonly integers: Int32Array;
  };
  /** `scratchBytes` bytes that any code may use. The next call of a helper may overwrite them. */
  readonly scratch: Pointer;
  /** Returns the size of the library's memory, in bytes. The memory never shrinks. */
  readonly heapBytes: () => number;
}

/** Size of the scratch memory, in bytes. */
export const scratchBytes = 1024;

/** Loads a new instance of the library with its own memory. Takes about 50 ms. */
export async function loadPdfium(): Promise<Pdfium> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")));
  const silent = () => {};
  const { pdfium: module } = await init({ wasmBinary, print: silent, printErr: silent } as never);
  (module as unknown as { _PDFiumExt_Init(): void })._PDFiumExt_Init();
  const call = module.wasmExports as unknown as PdfiumFunctions;
  const { memory: heap } = module.wasmExports as unknown as { memory: Heap };
  return { call, memory: viewsOf(heap), scratch: call.malloc(scratchBytes), heapBytes: () => heap.buffer.byteLength };
}

/**
 * Returns the views of the library's memory. New views are created only when the memory has grown.
 */
function viewsOf(heap: Heap): Pdfium["memory"] {
  const view = () => ({
    bytes: new Uint8Array(heap.buffer),
    floats: new Float32Array(heap.buffer),
    doubles: new Float64Array(heap.buffer),
    integers: new Int32Array(heap.buffer),
  });
  let views = view();
  const current = () => {
    if (views.bytes.length === 0) views = view();
    return views;
  };
  return {
    get bytes() {
      return current().bytes;
    },
    get floats() {
      return current().floats;
    },
    get doubles() {
      return current().doubles;
    },
    get integers() {
      return current().integers;
    },
  };
}

/**
 * Copies `data` into the library's memory. The caller must free it. Throws if the library has no
 * memory left.
 */
export function copyIn(pdfium: Pdfium, data: Uint8Array): Pointer {
  const pointer = allocate(pdfium, data.length);
  pdfium.memory.bytes.set(data, pointer);
  return pointer;
}

/**
 * Like `copyIn`, but writes a file that is still arriving directly into the library's memory, so
 * that only one copy exists.
 */
export function receiveIn(pdfium: Pdfium, file: IncomingFile): Pointer {
  const pointer = allocate(pdfium, file.size);
  file.writeTo(pdfium.memory.bytes.subarray(pointer, pointer + file.size));
  return pointer;
}

function allocate({ call }: Pdfium, bytes: number): Pointer {
  const pointer = call.malloc(Math.max(bytes, 1));
  if (pointer === 0) throw new RangeError("out of memory");
  return pointer;
}

/**
 * Reads a string that the library writes as UTF-16LE with a zero at the end. `write` is called
 * twice: first for the size in bytes, then with a buffer. Returns undefined for a string longer
 * than `maxBytes`, because a hostile file may claim any length.
 */
export function readWideString(
  pdfium: Pdfium,
  write: (buffer: Pointer, bytes: number) => number,
  maxBytes = 1 << 20,
): string | undefined {
  const size = write(0, 0);
  if (size <= 2 || size > maxBytes) return undefined;
  const buffer = pdfium.call.malloc(size);
  if (buffer === 0) return undefined;
  try {
    write(buffer, size);
    return wideText.decode(pdfium.memory.bytes.subarray(buffer, buffer + size - 2));
  } finally {
    pdfium.call.free(buffer);
  }
}

const wideText = new TextDecoder("utf-16le");
const narrowText = new TextDecoder("latin1");

/**
 * Reads a string of bytes with a zero at the end. A string that does not fit into the scratch
 * memory is truncated.
 */
export function readByteString(pdfium: Pdfium, write: (buffer: Pointer, bytes: number) => number): string {
  const size = Math.min(write(pdfium.scratch, scratchBytes), scratchBytes);
  return size <= 1 ? "" : narrowText.decode(pdfium.memory.bytes.subarray(pdfium.scratch, pdfium.scratch + size - 1));
}

/**
 * Calls `use` with `text`, which is copied to the library's memory as an ASCII string with a zero
 * at the end.
 */
export function withString<T>(pdfium: Pdfium, text: string, use: (pointer: Pointer) => T): T {
  const pointer = copyIn(pdfium, new TextEncoder().encode(`${text}\0`));
  try {
    return use(pointer);
  } finally {
    pdfium.call.free(pointer);
  }
}
