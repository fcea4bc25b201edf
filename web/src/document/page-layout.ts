/** Positions of the pages in the scrolled column of the page view, in CSS pixels. */
import { type Rotation, rotatedSize, type Size } from "./geometry.ts";

/** Gap between pages, and above the first and below the last one. */
export const pageGap = 12;

export interface PagePositions {
  /** Width of every page. */
  width: number;
  /** Top and height of each page. The index is the page number minus 1. */
  tops: readonly number[];
  heights: readonly number[];
  total: number;
}

interface LayoutInput {
  pages: number;
  sizeOf: (page: number) => Size;
  width: number;
  rotation: Rotation;
}

export function layOutPages({ pages, sizeOf, width, rotation }: LayoutInput): PagePositions {
  const tops: number[] = [];
  const heights: number[] = [];
  let top = pageGap;
  for (let page = 1; page <= pages; page++) {
    const size = rotatedSize(sizeOf(page), rotation);
    const height = Math.round((width * size.height) / size.width);
    tops.push(top);
    heights.push(height);
    top += height + pageGap;
  }
  return { width, tops, heights, total: top };
}

/** Returns the number of the page at an offset. In a gap, returns the page above the gap. */
export function pageAt({ tops }: PagePositions, offset: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/**
 * A position in the document, relative to its page. The view stores it to keep that position in
 * place while pages change size.
 */
export interface Anchor {
  page: number;
  /** Position within the page as a fraction of its height (0 to 1). */
  share: number;
  /** Pixels beyond the page if the position is in a gap between pages; otherwise 0. */
  beyond: number;
}

export function anchorAt(layout: PagePositions, offset: number): Anchor {
  const page = pageAt(layout, offset);
  const top = layout.tops[page - 1] ?? 0;
  const height = layout.heights[page - 1] ?? 1;
  const share = Math.min(Math.max((offset - top) / height, 0), 1);
  return { page, share, beyond: offset - top - share * height };
}

export const offsetOf = ({ tops, heights }: PagePositions, { page, share, beyond }: Anchor): number =>
  (tops[page - 1] ?? 0) + share * (heights[page - 1] ?? 0) + beyond;
