/** Checks requests for page images and for copies of pages. */
import type { PageImageRequest, PageRange } from "../reader.ts";

/** Maximum width of a page image, in pixels. */
export const maxPageImageWidth = 4000;

/** @throws RangeError if the request is invalid. */
export function checkPageImageRequest({ page, width, box }: PageImageRequest): void {
  const sound = Number.isInteger(page) && page > 0 && Number.isInteger(width) && width > 0;
  const soundBox = box === undefined || (box.every(Number.isFinite) && box[2] > box[0] && box[3] > box[1]);
  if (!sound || width > maxPageImageWidth || !soundBox) throw new RangeError("invalid page image request");
}

/** @throws RangeError if the range is invalid. */
export function checkPageRange({ from, to }: PageRange): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to < from)
    throw new RangeError("invalid page range");
}
