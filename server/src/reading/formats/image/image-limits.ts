/** Limits the size of images. The limits are applied to the size stated in the file's header. */
import { ReadingError } from "../../reader.ts";

/**
 * Maximum number of pixels. Cameras produce images of 50 to 100 million pixels. A scan of A3 at 600
 * dpi has 70 million.
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
 * Returns the factor that scales the image's shorter side down to `maxSide`. Returns 1 if the
 * shorter side is at most `maxSide`.
 */
export const reductionTo = (maxSide: number, width: number, height: number): number =>
  Math.min(1, maxSide / Math.min(width, height));
