/**
 * Distinguishes pictures that may be bar codes from logos and photographs, by what the PDF states
 * about them. The pictures are not decoded, because decoding a logo takes longer than reading the
 * text of a page.
 */
import { crc32 } from "node:zlib";
import type { PagePicture } from "./drawings.ts";
import { type Pdfium, readByteString, scratchBytes } from "./pdfium.ts";

/**
 * Limits for a picture that may be a code: minimum length of its shorter side, minimum and maximum
 * length of its longer side (in points), and maximum ratio of the sides. Chosen by hand, 2026-11.
 */
const [minSide, minLongSide, maxLongSide, maxRatio] = [10, 20, 480, 14];
/**
 * Maximum number of pixels. Images of codes are drawn by programs and are usually small. Chosen by
 * hand, 2026-11.
 */
const maxPixels = 2_000_000;
/**
 * Maximum size of losslessly compressed data, in bytes per pixel. Codes compress well, because a
 * module has a single bit and most rows of pixels repeat the row above. In four sets of documents
 * (2026-11), codes had at most 0.07 bytes per pixel, and half of the logos had more than 0.13.
 */
const maxPacked = 0.13;
/**
 * Like `maxPacked`, but for images of at most `smallPixels` pixels, in which a module may be a
 * single pixel. Chosen by hand, 2026-11.
 */
const [maxPackedSmall, smallPixels] = [0.3, 15_000];
/**
 * Maximum ratio of the sides, and maximum number of pixels, of a picture in a photo format (JPEG,
 * JPEG 2000). Programs seldom draw codes in these formats, and if they do, the codes are square.
 * Chosen by hand, 2026-11.
 */
const [maxPhotoRatio, maxPhotoPixels] = [1.15, 500_000];

const photoFilters: ReadonlySet<string> = new Set(["DCTDecode", "JPXDecode"]);
const packedFilters: ReadonlySet<string> = new Set(["FlateDecode", "LZWDecode", "CCITTFaxDecode", "JBIG2Decode"]);

/** Returns true if the size, the shape and the data of the picture are typical of a code. */
export function mayBeCode(pdfium: Pdfium, { object, box: [x0, y0, x1, y1] }: PagePicture): boolean {
  const { call, scratch, memory } = pdfium;
  const [width, height] = [x1 - x0, y1 - y0];
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < minSide || long < minLongSide || long > maxLongSide || long > maxRatio * short) return false;
  if (call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) === 0) return false;
  const pixels = (memory.integers[scratch >> 2] ?? 0) * (memory.integers[(scratch >> 2) + 1] ?? 0);
  if (pixels > maxPixels) return false;
  const filter = lastFilter(pdfium, object);
  if (photoFilters.has(filter)) return long <= maxPhotoRatio * short && pixels <= maxPhotoPixels;
  if (!packedFilters.has(filter)) return true;
  const bytes = call.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  return bytes <= pixels * (pixels <= smallPixels ? maxPackedSmall : maxPacked);
}

/** Returns the name of the filter that unpacks the pixels, or "" if the pixels are not packed. */
function lastFilter(pdfium: Pdfium, object: number): string {
  const { call } = pdfium;
  const count = call.FPDFImageObj_GetImageFilterCount(object);
  return count <= 0
    ? ""
    : readByteString(pdfium, (buffer, bytes) => call.FPDFImageObj_GetImageFilter(object, count - 1, buffer, bytes));
}

/**
 * Maximum data size, in bytes, of pictures for which fingerprints are computed. Chosen by hand,
 * 2026-11.
 */
const maxFingerprinted = 4 << 20;

/**
 * Returns the fingerprint of a picture. Two pictures have the same fingerprint only if their data
 * and their sizes on the page are equal. Returns undefined if the data is missing or too large.
 */
export function fingerprintOf({ call, memory, scratch }: Pdfium, { object, box }: PagePicture): string | undefined {
  const size = call.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (size === 0 || size > maxFingerprinted) return undefined;
  const buffer = size <= scratchBytes ? scratch : call.malloc(size);
  if (buffer === 0) return undefined;
  try {
    call.FPDFImageObj_GetImageDataRaw(object, buffer, size);
    const sum = crc32(memory.bytes.subarray(buffer, buffer + size));
    // The fingerprint includes the size on the page, because the same image may be too small for a
    // code on one page and large enough on another.
    return `${size} ${sum} ${Math.round(box[2] - box[0])} ${Math.round(box[3] - box[1])}`;
  } finally {
    if (buffer !== scratch) call.free(buffer);
  }
}
