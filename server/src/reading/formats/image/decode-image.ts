/**
 * Decodes image files to upright grayscale images on a white background. The size is checked before
 * any pixel is decoded.
 */

import type { PlacedImage } from "../../pixels/gray-image.ts";
import { ReadingError } from "../../reader.ts";
import { decodeHeif } from "./decode-heif.ts";
import { decodeRaster } from "./decode-raster.ts";
import { type ImageExtension, type ImageKind, imageKindOf, isWholePng, kindOfExtension } from "./file-kind.ts";

export interface DecodedImage extends PlacedImage {
  /**
   * Size of the upright image in pixels, before it is scaled down. Positions on the page are
   * measured in these pixels.
   */
  width: number;
  height: number;
}

const names: Record<ImageKind, string> = { jpeg: "JPEG", png: "PNG", heif: "HEIC" };

/**
 * Decodes the image. If its shorter side is longer than `maxSide`, the image is scaled down until
 * that side is `maxSide`.
 * @throws ReadingError `empty`, `corrupt` or `too_complex`.
 */
export async function decodeImage(
  bytes: Uint8Array,
  extension: ImageExtension,
  maxSide: number,
): Promise<DecodedImage> {
  const kind = checkKind(bytes, extension);
  return kind === "heif" ? decodeHeif(bytes, maxSide) : decodeRaster(bytes, kind, maxSide);
}

/** @throws ReadingError `empty`, or `corrupt` if the content does not match the extension. */
export function checkKind(bytes: Uint8Array, extension: ImageExtension): ImageKind {
  if (bytes.length === 0) throw new ReadingError("empty", "The file is empty.");
  const kind = kindOfExtension(extension);
  if (imageKindOf(bytes) !== kind) throw new ReadingError("corrupt", `The file is not a ${names[kind]} image.`);
  if (kind === "png" && !isWholePng(bytes)) throw new ReadingError("corrupt", "The image is truncated.");
  return kind;
}
