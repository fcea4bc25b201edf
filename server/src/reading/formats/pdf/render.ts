/** Renders PDF pages: in gray for OCR, and in colour for users. */
import type { Box } from "../../document.ts";
import type { PlacedImage } from "../../pixels/gray-image.ts";
import type { Pdfium } from "./pdfium.ts";

/** Size of the rotated page in points. Rendering needs only this part of `PageSpace`. */
export interface PageSize {
  width: number;
  height: number;
}

export interface ColorImage {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row from the top. */
  pixels: Uint8Array;
}

const pointsPerInch = 72;
/**
 * Maximum number of pixels of an image. This is A2 at 200 dpi. A larger page is rendered at a lower
 * resolution.
 */
const maxPixels = 16_000_000;
/** Maximum width and height of an image, in pixels. Chosen by hand, 2026-11. */
const maxSidePixels = 10_000;
/**
 * Maximum width and height of the whole page, in pixels. It applies even if only a part is
 * rendered, because the library computes positions in 32 bits.
 */
const maxWholePixels = 1_000_000;

const formats = { gray: { code: 1, bytes: 1 }, color: { code: 3, bytes: 4 } } as const;
const withAnnotationsFlag = 1;
const grayFlag = 8;
const white = 0xffffffff;

/**
 * Renders the page in gray at `dpi`. Returns the image and its transform to points. Returns
 * undefined if the library has too little memory for it.
 */
export function renderGray(
  pdfium: Pdfium,
  page: number,
  { width, height }: PageSize,
  dpi: number,
): PlacedImage | undefined {
  const wanted = dpi / pointsPerInch;
  const scale = Math.min(wanted, Math.sqrt(maxPixels / (width * height)), maxSidePixels / Math.max(width, height));
  const [columns, rows] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const pixels = render(pdfium, page, "gray", { left: 0, top: 0, width: columns, height: rows }, columns, rows);
  if (pixels === undefined) return undefined;
  return { image: { width: columns, height: rows, pixels }, toPage: [width / columns, 0, 0, height / rows, 0, 0] };
}

/**
 * Renders the part of the page in `box` (in points) in gray. Returns the image and its transform to
 * points. Returns undefined if the library has too little memory for it.
 */
export function renderGrayPart(
  pdfium: Pdfium,
  page: number,
  { width, height }: PageSize,
  box: Box,
  dpi: number,
): PlacedImage | undefined {
  const [wide, high] = [box[2] - box[0], box[3] - box[1]];
  const scale = Math.min(
    ...[dpi / pointsPerInch, Math.sqrt(maxPixels / (wide * high)), maxSidePixels / Math.max(wide, high)],
    maxWholePixels / Math.max(width, height),
  );
  const [columns, rows] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
  const viewport = {
    left: Math.round(-box[0] * scale),
    top: Math.round(-box[1] * scale),
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const pixels = render(pdfium, page, "gray", viewport, columns, rows);
  if (pixels === undefined) return undefined;
  const [unitX, unitY] = [width / viewport.width, height / viewport.height];
  const toPage = [unitX, 0, 0, unitY, -viewport.left * unitX, -viewport.top * unitY] as const;
  return { image: { width: columns, height: rows, pixels }, toPage };
}

/**
 * Renders the part of the page in `box` (in points), `columns` pixels wide. Returns undefined if
 * the image would be too large.
 */
export function renderColor(
  pdfium: Pdfium,
  page: number,
  { width, height }: PageSize,
  box: Box,
  columns: number,
): ColorImage | undefined {
  const scale = columns / (box[2] - box[0]);
  const rows = Math.max(1, Math.round((box[3] - box[1]) * scale));
  if (columns * rows > maxPixels || Math.max(width, height) * scale > maxWholePixels) return undefined;
  const whole = {
    left: Math.round(-box[0] * scale),
    top: Math.round(-box[1] * scale),
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const bgrx = render(pdfium, page, "color", whole, columns, rows);
  return bgrx && { width: columns, height: rows, pixels: rgbOf(bgrx) };
}

interface Viewport {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Renders on a white bitmap of `columns` by `rows` pixels. `viewport` is the position and size that
 * the whole page would have on the bitmap.
 */
function render(
  { call, memory }: Pdfium,
  page: number,
  format: keyof typeof formats,
  viewport: Viewport,
  columns: number,
  rows: number,
): Uint8Array | undefined {
  const { code, bytes } = formats[format];
  const bitmap = call.FPDFBitmap_CreateEx(columns, rows, code, 0, 0);
  if (bitmap === 0) return undefined;
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, white);
    const flags = withAnnotationsFlag | (format === "gray" ? grayFlag : 0);
    call.FPDF_RenderPageBitmap(bitmap, page, viewport.left, viewport.top, viewport.width, viewport.height, 0, flags);
    const stride = call.FPDFBitmap_GetStride(bitmap);
    const start = call.FPDFBitmap_GetBuffer(bitmap);
    const pixels = new Uint8Array(columns * bytes * rows);
    for (let row = 0; row < rows; row++) {
      const from = start + row * stride;
      pixels.set(memory.bytes.subarray(from, from + columns * bytes), row * columns * bytes);
    }
    return pixels;
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
}

function rgbOf(bgrx: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((bgrx.length / 4) * 3);
  for (let from = 0, to = 0; from < bgrx.length; from += 4) {
    rgb[to++] = bgrx[from + 2] ?? 0;
    rgb[to++] = bgrx[from + 1] ?? 0;
    rgb[to++] = bgrx[from] ?? 0;
  }
  return rgb;
}
