/** Decodes JPEG, PNG and AVIF with libvips. */
import type { SharpOptions } from "sharp";
import { ReadingError } from "../../reader.ts";
import type { DecodedImage } from "./decode-image.ts";
import { checkSize, reductionTo } from "./image-limits.ts";
import { loadSharp } from "./sharp.ts";

/**
 * Decodes the first image of the file and rotates it as its EXIF data specifies. If a JPEG is
 * truncated, the available part is returned. A PNG is refused if its checksums are wrong.
 * @throws ReadingError `corrupt` or `too_complex`.
 */
export async function decodeRaster(
  bytes: Uint8Array,
  kind: "jpeg" | "png" | "avif",
  maxSide: number,
): Promise<DecodedImage> {
  const sharp = await loadSharp();
  const options: SharpOptions = { failOn: kind === "jpeg" ? "none" : "error", limitInputPixels: false };
  try {
    const { autoOrient } = await sharp(bytes, options).metadata();
    const { width, height } = autoOrient;
    checkSize(width, height);
    const factor = reductionTo(maxSide, width, height);
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .flatten({ background: "white" })
      .resize(Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor)), { fit: "fill" })
      .toColourspace("b-w")
      .extractChannel(0)
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const image = {
      width: info.width,
      height: info.height,
      pixels: new Uint8Array(data.buffer, data.byteOffset, data.length),
    };
    return { image, toPage: [width / info.width, 0, 0, height / info.height, 0, 0], width, height };
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    throw new ReadingError("corrupt", "The image is damaged.", { cause: error });
  }
}
