/**
 * Decodes HEIC images with libheif. Operators may choose not to install this library, because it is
 * under the LGPL and the format is covered by patents.
 */

import { identity, scaled } from "../../pixels/gray-image.ts";
import { ReadingError } from "../../reader.ts";
import type { DecodedImage } from "./decode-image.ts";
import { decodeRaster } from "./decode-raster.ts";
import { checkSize, reductionTo } from "./image-limits.ts";

/** The part of libheif that is used here. */
interface LibHeif {
  ready: Promise<unknown>;
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[]; decoder: { delete(): void } };
}

interface HeifImage {
  get_width(): number;
  get_height(): number;
  /**
   * Writes four bytes per pixel and applies the rotation that the file specifies. Passes null to
   * `done` if the image is damaged.
   */
  display(target: HeifPixels, done: (pixels: HeifPixels | null) => void): void;
  free(): void;
}

interface HeifPixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The first image of the file, upright. Each pixel has red, green, blue and opacity. */
export interface RgbaImage {
  width: number;
  height: number;
  pixels: Uint8ClampedArray;
}

/**
 * Decodes an image to grayscale, scaled down so that its shorter side is at most `maxSide`.
 * @throws ReadingError `corrupt` or `too_complex`.
 */
export async function decodeHeif(bytes: Uint8Array, maxSide: number): Promise<DecodedImage> {
  checkClaimedSizes(bytes);
  if (holdsAv1(bytes)) return decodeRaster(bytes, "avif", maxSide);
  const { width, height, pixels } = await decodeHeifColors(bytes);
  const image = { width, height, pixels: onWhite(pixels) };
  const factor = reductionTo(maxSide, width, height);
  const placed = { image, toPage: identity };
  return { ...(factor < 1 ? scaled(placed, factor) : placed), width, height };
}

/** @throws ReadingError `corrupt` or `too_complex`. */
export async function decodeHeifColors(bytes: Uint8Array): Promise<RgbaImage> {
  checkClaimedSizes(bytes);
  const library = await loadLibHeif();
  const decoder = new library.HeifDecoder();
  let images: HeifImage[] = [];
  try {
    images = decoder.decode(bytes);
    const [first] = images;
    if (first === undefined) throw new ReadingError("corrupt", "The image is damaged.");
    const [width, height] = [first.get_width(), first.get_height()];
    checkSize(width, height);
    const { data } = await pixelsOf(first, width, height);
    return { width, height, pixels: data };
  } finally {
    for (const image of images) image.free();
    decoder.decoder.delete();
  }
}

async function loadLibHeif(): Promise<LibHeif> {
  try {
    const { default: library } = (await import("libheif-js/wasm-bundle.js" as string)) as { default: LibHeif };
    await library.ready;
    return library;
  } catch (error) {
    throw new ReadingError("corrupt", "This installation can't read HEIC images: libheif-js is not installed.", {
      cause: error,
    });
  }
}

function pixelsOf(image: HeifImage, width: number, height: number): Promise<HeifPixels> {
  return new Promise((resolve, reject) => {
    image.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, (pixels) => {
      if (pixels === null) reject(new ReadingError("corrupt", "The image is damaged."));
      else resolve(pixels);
    });
  });
}

/**
 * Returns the brightness of each pixel, with colours weighted as the eye perceives them (ITU-R
 * BT.601). Transparent pixels are blended with white.
 */
function onWhite(rgba: Uint8ClampedArray): Uint8Array {
  const gray = new Uint8Array(rgba.length / 4);
  for (let pixel = 0, at = 0; pixel < gray.length; pixel++, at += 4) {
    const luma = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
    gray[pixel] = 255 + ((luma - 255) * (rgba[at + 3] ?? 0)) / 255 + 0.5;
  }
  return gray;
}

/**
 * Checks the sizes that the file states in its `ispe` boxes. The library can't be relied on for
 * this, because it decodes parts of an image before it checks the size of the whole image.
 */
function checkClaimedSizes(bytes: Uint8Array): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = view.indexOf("ispe"); at >= 0 && at + 16 <= view.length; at = view.indexOf("ispe", at + 4)) {
    // The letters `ispe` may occur in pixel data by chance. In a real box, the length of the box
    // precedes these letters, and version 0 follows them.
    if (at < 4 || view.readUInt32BE(at - 4) !== 20 || view.readUInt32BE(at + 4) !== 0) continue;
    checkSize(view.readUInt32BE(at + 8), view.readUInt32BE(at + 12));
  }
}

/** Returns true if the image is AV1. The HEVC build of libheif can't decode it, but libvips can. */
export const holdsAv1 = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).includes("av01");
