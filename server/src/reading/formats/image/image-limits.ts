/** How large a picture may be: a claim in its header is enough to refuse it. */
import { ReadingError } from "../../reader.ts";

/** The cameras of today make 50 to 100 million pixels, a scan of A3 at 600 dpi 70 million. */
const maxPixels = 100_000_000;
/** The format JPEG ends here, and no recognition engine takes more. */
const maxSidePixels = 32_767;

/** @throws ReadingError `too_complex`, or `corrupt` where there is nothing to see. */
export function checkSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new ReadingError("corrupt", "The picture has no size.");
  if (width * height > maxPixels || Math.max(width, height) > maxSidePixels) {
    throw new ReadingError("too_complex", `The picture of ${width} by ${height} pixels is too large.`);
  }
}

/** By how much to scale a picture so that its shorter side is at most `maxSide`; 1 where it already is. */
export const reductionTo = (maxSide: number, width: number, height: number): number =>
  Math.min(1, maxSide / Math.min(width, height));
