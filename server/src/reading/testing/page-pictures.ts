/**
 * Makes images of pages for tests. They are rendered from PDF files that the tests write, so no
 * installed font is needed.
 */
import sharp, { type Sharp } from "sharp";
import { loadPdfium } from "../formats/pdf/pdfium.ts";
import { openPdf } from "../formats/pdf/read-pdf.ts";
import type { GrayImage } from "../pixels/gray-image.ts";
import { type Mark, makePdf } from "./make-pdf.ts";

export const receiptLines = [
  "HARBOUR STREET BAKERY LTD",
  "14 Harbour Street, Bristol",
  "Invoice number 20417",
  "Date 23 March 2025",
  "Rye bread large 7.40",
  "Butter croissant 2.95",
  "Apple cake 12.60",
  "Total amount 22.95",
  "Thank you for your visit",
];

export const receiptMarks: readonly Mark[] = receiptLines.map((text, index) => ({
  ...{ text, x: 30, y: 370 - index * 36, size: 14 },
}));

export const receiptWords: readonly string[] = receiptLines.flatMap((line) => line.split(" "));

/**
 * Returns a PDF with one page of 300×420 points that contains the given marks, by default the lines
 * of a receipt.
 */
export const receiptPdf = (marks = receiptMarks): Uint8Array =>
  makePdf({ pages: [{ marks, mediaBox: [0, 0, 300, 420] }] });

/**
 * Renders the first page of a PDF, `width` pixels wide, as an image that can be processed further.
 */
export async function pictureOf(pdf: Uint8Array, width = 830): Promise<Sharp> {
  const open = openPdf(await loadPdfium(), pdf, { maxPages: 10 });
  try {
    const image = open.renderPage(1, undefined, width);
    if (image === undefined) throw new Error("the page can't be rendered");
    // The image is encoded as PNG first, so that later operations work on a complete image.
    const raw = { width: image.width, height: image.height, channels: 3 as const };
    return sharp(await sharp(image.pixels, { raw }).png().toBuffer());
  } finally {
    open.close();
  }
}

export async function grayOf(picture: Sharp): Promise<GrayImage> {
  const { data, info } = await picture
    .toColourspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

/** @param quality quality of the JPEG, 1 to 100 */
export const jpegOf = ({ width, height, pixels }: GrayImage, quality: number): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .jpeg({ quality })
    .toBuffer();

/**
 * Returns a JPEG that simulates a bad scanner or fax machine: the image is reduced, blurred and
 * enlarged again. If its EXIF data contain a rotation, the image is rotated accordingly.
 */
export async function madePoor(path: string, { shrunk, blur }: { shrunk: number; blur: number }): Promise<Uint8Array> {
  const { data, info } = await sharp(path).rotate().toBuffer({ resolveWithObject: true });
  const small = await sharp(data)
    .resize({ width: Math.round(info.width * shrunk) })
    .blur(blur)
    .toBuffer();
  return sharp(small).resize({ width: info.width }).jpeg({ quality: 30 }).toBuffer();
}
