/** Renders pages, or parts of pages, as images for users. */
import type { Sharp } from "sharp";
import type { Box } from "../document.ts";
import { type PageImage, type PageImageRequest, ReadingError, type RenderableExtension } from "../reader.ts";
import { decodeHeifColors, holdsAv1 } from "./image/decode-heif.ts";
import { checkKind } from "./image/decode-image.ts";
import { checkSize } from "./image/image-limits.ts";
import { loadSharp } from "./image/sharp.ts";
import type { Pdfium } from "./pdf/pdfium.ts";
import { openPdf, type PdfLimits } from "./pdf/read-pdf.ts";

/**
 * Effort of the WebP encoder, 0 to 6. At 2, encoding two pages of text, 1,800 pixels wide, took 105
 * and 145 ms. At 4, the library's default, it took 232 and 311 ms, and the files were 3 % smaller.
 * Measured 2026-11.
 */
const webpEffort = 2;

/** @throws ReadingError */
export async function makePageImage(
  pdfium: Pdfium,
  bytes: Uint8Array,
  extension: RenderableExtension,
  request: PageImageRequest,
  limits: PdfLimits,
): Promise<PageImage> {
  const picture =
    extension === "pdf"
      ? await pageOfPdf(pdfium, bytes, request, limits)
      : await pageOfImage(bytes, extension, request);
  const file =
    request.format === "png" ? picture.png({ compressionLevel: 6 }) : picture.webp({ quality: 85, effort: webpEffort });
  const { data, info } = await file.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: new Uint8Array(data) };
}

async function pageOfPdf(
  pdfium: Pdfium,
  bytes: Uint8Array,
  { page, box, width }: PageImageRequest,
  limits: PdfLimits,
): Promise<Sharp> {
  const pdf = openPdf(pdfium, bytes, limits);
  try {
    if (page > pdf.pages) throw noSuchPage(page);
    const image = pdf.renderPage(page, box, width);
    if (image === undefined) throw new ReadingError("too_complex", `Page ${page} can't be rendered at this size.`);
    const sharp = await loadSharp();
    return sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 3 } });
  } finally {
    pdf.close();
  }
}

async function pageOfImage(
  bytes: Uint8Array,
  extension: Exclude<RenderableExtension, "pdf">,
  { page, box, width }: PageImageRequest,
): Promise<Sharp> {
  if (page > 1) throw noSuchPage(page);
  checkKind(bytes, extension);
  try {
    const upright = extension === "heic" && !holdsAv1(bytes) ? await openHeif(bytes) : await openUpright(bytes);
    const part = partOf(box, upright.width, upright.height);
    return upright.picture
      .extract(part)
      .resize({ width: Math.min(width, part.width) })
      .flatten({ background: "white" })
      .toColourspace("srgb");
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    throw new ReadingError("corrupt", "The image is damaged.", { cause: error });
  }
}

interface Upright {
  picture: Sharp;
  width: number;
  height: number;
}

async function openUpright(bytes: Uint8Array): Promise<Upright> {
  const sharp = await loadSharp();
  const options = { failOn: "none", limitInputPixels: false } as const;
  const { autoOrient } = await sharp(bytes, options).metadata();
  checkSize(autoOrient.width, autoOrient.height);
  return { picture: sharp(bytes, options).autoOrient(), ...autoOrient };
}

async function openHeif(bytes: Uint8Array): Promise<Upright> {
  const sharp = await loadSharp();
  const { width, height, pixels } = await decodeHeifColors(bytes);
  return { picture: sharp(pixels, { raw: { width, height, channels: 4 } }), width, height };
}

/** Returns the part of the image to cut out, in whole pixels. It is at least 1×1 pixel. */
function partOf(box: Box | undefined, width: number, height: number) {
  const within = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most);
  const left = within(box?.[0] ?? 0, width - 1);
  const top = within(box?.[1] ?? 0, height - 1);
  const right = Math.max(within(box?.[2] ?? width, width), left + 1);
  const bottom = Math.max(within(box?.[3] ?? height, height), top + 1);
  return { left, top, width: right - left, height: bottom - top };
}

const noSuchPage = (page: number) => new ReadingError("empty", `The file has no page ${page}.`);
