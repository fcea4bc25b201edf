/** Pictures from files: sizes are checked before a pixel is decoded, and what comes out is grey, upright and on white. */

import type { PlacedImage } from "../../pixels/gray-image.ts";
import { ReadingError } from "../../reader.ts";
import { decodeHeif } from "./decode-heif.ts";
import { decodeRaster } from "./decode-raster.ts";
import { type ImageExtension, type ImageKind, imageKindOf, isWholePng, kindOfExtension } from "./file-kind.ts";

export interface DecodedImage extends PlacedImage {
  /** Of the upright picture, in pixels of the file: the units of its page. */
  width: number;
  height: number;
}

const names: Record<ImageKind, string> = { jpeg: "JPEG", png: "PNG", heif: "HEIC" };

/**
 * Decodes the picture; one that is wider and higher than `maxSide` is scaled until its shorter side is that.
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

/** @throws ReadingError `empty` or `corrupt` where the content is not what the extension says. */
export function checkKind(bytes: Uint8Array, extension: ImageExtension): ImageKind {
  if (bytes.length === 0) throw new ReadingError("empty", "The file is empty.");
  const kind = kindOfExtension(extension);
  if (imageKindOf(bytes) !== kind) throw new ReadingError("corrupt", `The file is not a ${names[kind]} picture.`);
  if (kind === "png" && !isWholePng(bytes)) throw new ReadingError("corrupt", "The picture was cut short.");
  return kind;
}
