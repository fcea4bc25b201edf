/** Simulates scans of pages: skewed, gray, noisy, and compressed as JPEG. */
import sharp from "sharp";
import type { GrayImage } from "../pixels/gray-image.ts";
import { grayOf, pictureOf } from "./page-pictures.ts";

export interface ScanQuality {
  /** Width of the page in pixels. */
  width: number;
  /** Skew angle in degrees, clockwise. */
  skew: number;
  /** Returns a random number from 0 to 1. */
  next: () => number;
}

/** Returns a simulated scan of the first page of a PDF. */
export async function noisyScan(pdf: Uint8Array, { width, skew, next }: ScanQuality): Promise<GrayImage> {
  const page = await pictureOf(pdf, width);
  const skewed = await page.rotate(skew, { background: "white" }).blur(0.5).png().toBuffer();
  const image = await grayOf(sharp(skewed));
  // Scanned paper is not pure white and print is not pure black. Each pixel has noise with a
  // standard deviation of about 12 gray levels.
  for (let at = 0; at < image.pixels.length; at++) {
    const noise = (next() + next() + next() + next() - 2) * 21;
    image.pixels[at] = Math.min(255, Math.max(0, (image.pixels[at] ?? 0) * 0.85 + 20 + noise));
  }
  const raw = { width: image.width, height: image.height, channels: 1 as const };
  return grayOf(sharp(await sharp(image.pixels, { raw }).jpeg({ quality: 70 }).toBuffer()));
}
