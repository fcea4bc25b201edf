/**
 * Computes the transform from the coordinates of a PDF to the page as displayed. The displayed page
 * has its origin at the top left of the crop box, and is rotated as the file specifies.
 */
import type { Pdfium } from "./pdfium.ts";

export interface PageSpace {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  /** Transforms a point (u, v) of the PDF: `x = a·u + c·v + e`, `y = b·u + d·v + f`. */
  matrix: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
}

/** Maximum width and height of a page, in points. A million points are 350 metres. */
const maxPagePoints = 1e6;

/** Returns the transform and the size of the page, or undefined if the page has no usable size. */
export function pageSpace(pdfium: Pdfium, page: number): PageSpace | undefined {
  const { call, scratch, memory } = pdfium;
  const width = call.FPDF_GetPageWidthF(page);
  const height = call.FPDF_GetPageHeightF(page);
  if (!(width > 0 && height > 0 && width <= maxPagePoints && height <= maxPagePoints)) return undefined;
  call.FPDF_GetPageBoundingBox(page, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = memory.floats.subarray(scratch >> 2, (scratch >> 2) + 4);
  if (!(right > left && top > bottom)) return undefined;
  // PDFium returns integer device coordinates. On a device of 1×1 units, the corners of the page
  // are exact. Three of these corners determine the matrix.
  const corner = (u: number, v: number): [number, number] => {
    call.FPDF_PageToDevice(page, 0, 0, 1, 1, 0, u, v, scratch, scratch + 4);
    const at = scratch >> 2;
    return [(memory.integers[at] ?? 0) * width, (memory.integers[at + 1] ?? 0) * height];
  };
  const [x0, y0] = corner(left, bottom);
  const [x1, y1] = corner(right, bottom);
  const [x2, y2] = corner(left, top);
  const a = (x1 - x0) / (right - left);
  const b = (y1 - y0) / (right - left);
  const c = (x2 - x0) / (top - bottom);
  const d = (y2 - y0) / (top - bottom);
  const rotation = ((call.FPDFPage_GetRotation(page) & 3) * 90) as PageSpace["rotation"];
  return { width, height, rotation, matrix: [a, b, c, d, x0 - a * left - c * bottom, y0 - b * left - d * bottom] };
}
