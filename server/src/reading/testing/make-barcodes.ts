/** Makes bar codes for tests, as images and as drawings of PDF pages. */
import bwip from "bwip-js/node";
import sharp, { type Sharp } from "sharp";
import type { GrayImage } from "../pixels/gray-image.ts";
import type { RawMark } from "./make-pdf.ts";

/** The names that the bar code generator uses for the kinds of codes. */
export type BarcodeStyle =
  | "qrcode"
  | "microqrcode"
  | "datamatrix"
  | "azteccode"
  | "pdf417"
  | "code128"
  | "code39"
  | "ean13"
  | "ean8"
  | "upca"
  | "interleaved2of5"
  | "gs1-128"
  | "gs1datamatrix";

export interface BarcodeShape {
  /** Width of a module (the narrowest bar or dot) in pixels. The default is 4. */
  scale?: number;
  /** Height of the bars in millimetres, if the image is shown at 72 dpi. */
  height?: number;
  /** True if the text has one character for each byte of the payload. */
  binary?: boolean;
}

/** Returns an image of the bar code, without any margin around it. */
export async function barcodeImage(
  style: BarcodeStyle,
  text: string,
  { scale = 4, height, binary = false }: BarcodeShape = {},
): Promise<GrayImage> {
  const { width, height: rows, pixels } = await rendered(style, text, { scale, height, binary });
  return { width, height: rows, pixels };
}

async function rendered(
  style: BarcodeStyle,
  text: string,
  { scale, height, binary }: { scale: number; height: number | undefined; binary: boolean },
): Promise<GrayImage> {
  const bars = height === undefined ? {} : { height };
  const columns = style === "pdf417" ? { columns: 4 } : {};
  const png = await bwip.toBuffer({
    bcid: style,
    text,
    scale,
    ...bars,
    ...columns,
    ...(binary && { binarytext: true }),
  });
  const { data, info } = await sharp(png)
    .flatten({ background: "white" })
    .toColourspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

/**
 * Returns a PDF drawing of the code, with one rectangle for each run of dark modules.
 * @param image the code with one pixel for each module
 * @param at left and bottom edge, in points
 */
export function drawnBarcode(image: GrayImage, [left, bottom]: readonly [number, number], module: number): RawMark {
  const operators: string[] = [];
  const { width, height, pixels } = image;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = x;
      while (x < width && (pixels[y * width + x] ?? 255) < 128) x++;
      const [u, v] = [left + from * module, bottom + (height - 1 - y) * module];
      if (x > from) operators.push(`${u} ${v} ${(x - from) * module} ${module} re`);
    }
  }
  return { raw: `q 0 g ${operators.join(" ")} f Q` };
}

/** Returns a PDF image of the code. */
export function placedBarcode(
  { width, height, pixels }: GrayImage,
  box: readonly [number, number, number, number],
): RawMark {
  const [x, y, wide, high] = box;
  const samples = Buffer.from(pixels).toString("hex");
  return {
    raw: `q ${wide} 0 0 ${high} ${x} ${y} cm BI /W ${width} /H ${height} /CS /G /BPC 8 /F /AHx ID ${samples}> EI Q`,
  };
}

/** Returns an image with white paper around it. */
export async function onPaper(
  { width, height, pixels }: GrayImage,
  paper: { width: number; height: number; left: number; top: number },
): Promise<Sharp> {
  const code = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  const { width: wide, height: high, left, top } = paper;
  const page = sharp({ create: { width: wide, height: high, channels: 3, background: "white" } });
  return sharp(
    await page
      .composite([{ input: code, left, top }])
      .png()
      .toBuffer(),
  );
}
