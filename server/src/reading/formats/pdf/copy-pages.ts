/** Copies pages of a PDF into a new PDF. */
import { ReadingError } from "../../reader.ts";
import type { Pdfium } from "./pdfium.ts";

const bytesPerIndex = 4;

/**
 * Returns a PDF with the pages `from` to `to`, counted from 1, both included. Scripts and attached
 * files are not copied.
 * @throws ReadingError `corrupt` if a page can't be copied
 */
export function copyPages(pdfium: Pdfium, document: number, from: number, to: number): Uint8Array {
  const { call, memory } = pdfium;
  const count = to - from + 1;
  const indexes = call.malloc(count * bytesPerIndex);
  if (indexes === 0) throw new RangeError("out of memory");
  const copy = call.FPDF_CreateNewDocument();
  try {
    for (let at = 0; at < count; at++) memory.integers[indexes / bytesPerIndex + at] = from - 1 + at;
    const isCopied = copy !== 0 && call.FPDF_ImportPagesByIndex(copy, document, indexes, count, 0) !== 0;
    if (!isCopied || call.FPDF_GetPageCount(copy) !== count)
      throw new ReadingError("corrupt", "The pages can't be copied.");
    return save(pdfium, copy);
  } finally {
    if (copy !== 0) call.FPDF_CloseDocument(copy);
    call.free(indexes);
  }
}

function save({ call, memory }: Pdfium, document: number): Uint8Array {
  const writer = call.PDFiumExt_OpenFileWriter();
  try {
    const isSaved = call.PDFiumExt_SaveAsCopy(document, writer) !== 0;
    const size = call.PDFiumExt_GetFileWriterSize(writer);
    if (!isSaved || size <= 0) throw new ReadingError("corrupt", "The pages can't be saved.");
    const buffer = call.malloc(size);
    if (buffer === 0) throw new RangeError("out of memory");
    try {
      call.PDFiumExt_GetFileWriterData(writer, buffer, size);
      return memory.bytes.slice(buffer, buffer + size);
    } finally {
      call.free(buffer);
    }
  } finally {
    call.PDFiumExt_CloseFileWriter(writer);
  }
}
