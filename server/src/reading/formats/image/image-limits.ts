/** Limits the size of images. It is checked in the header of the file. */
import { ReadingError } from "../../reader.ts";

/**
 * Maximum number of pixels. Cameras make 50 to 100 million. A scan of A3 at 600 dpi has 70 million.
 */
const maxPixels = 100_000_000;
/** Maximum width and height, in pixels. JPEG and OCR engines have the same limit. */
const maxSidePixels = 32_767;

/** @throws ReadingError `too_complex`, or `corrupt` if there are no pixels. */
export function checkSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new ReadingError("corrupt", "The image has no size.");
  if (width * height > maxPixels || Math.max(width, height) > maxSidePixels) {
    throw new ReadingError("too_complex", `The image of ${width} by ${height} pixels is too large.`);
  }
}

/**
 * Returns the factor by which the image is scaled, so that its shorter side is at most `maxSide`.
 * Returns 1 if it already is.
 */
export const reductionTo = (maxSide: number, width: number, height: number): number =>
  Math.min(1, maxSide / Math.min(width, height));
