/** Maximum size of an image, checked against its header. */
import { ReadingError } from "../../reader.ts";

/** Maximum pixels. Today's cameras make 50 to 100 million, a scan of A3 at 600 dpi 70 million. */
const maxPixels = 100_000_000;
/** Maximum width and height in pixels: the limit of JPEG, and of OCR engines. */
const maxSidePixels = 32_767;

/** @throws ReadingError `too_complex`, or `corrupt` if there are no pixels. */
export function checkSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new ReadingError("corrupt", "The image has no size.");
  if (width * height > maxPixels || Math.max(width, height) > maxSidePixels) {
    throw new ReadingError("too_complex", `The image of ${width} by ${height} pixels is too large.`);
  }
}

/** Returns the factor that scales the shorter side to `maxSide`; 1 if it is not longer. */
export const reductionTo = (maxSide: number, width: number, height: number): number =>
  Math.min(1, maxSide / Math.min(width, height));
