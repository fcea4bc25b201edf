/**
 * Finds the areas of a PDF page that may contain a bar code: images of suitable size and shape, and
 * clusters of small filled shapes. On a page with text, only these areas are rendered and searched,
 * because rendering and searching take longer than reading the text.
 */
import type { Box } from "../../document.ts";
import type { PlacedImage } from "../../pixels/gray-image.ts";
import { fingerprintOf, mayBeCode } from "./code-pictures.ts";
import type { PageDrawings, PagePicture } from "./drawings.ts";
import { looksLikeCode } from "./looks-like-code.ts";
import type { Pdfium } from "./pdfium.ts";
import { type PageSize, renderGrayPart } from "./render.ts";
import { isScan, resolutionOf } from "./usable-text.ts";

/**
 * Fingerprints of pictures without codes. Thanks to them, a logo that appears on every page of a
 * document is searched only once.
 */
export type KnownPictures = Set<string>;

/**
 * Margin around an area, in points. It consists of the white margin that a code must have, and some
 * extra space. Chosen by hand, 2026-11.
 */
const margin = 6;
/**
 * Resolutions of the rendered images, in dots per inch. Drawings are rendered at `usualDpi`. Areas
 * whose shorter side is at most `smallSide` points are rendered at `smallDpi`, because their
 * modules are small. Pictures are rendered at twice their own resolution, within limits. Chosen by
 * hand, 2026-11.
 */
const [usualDpi, smallDpi, smallSide] = [300, 450, 40];
const minPictureDpi = 150;
/**
 * Maximum number of areas that are searched one by one. If a page has more, such as a sheet of
 * labels, the whole page is searched instead. Chosen by hand, 2026-11.
 */
const maxAreas = 8;

interface Area {
  box: Box;
  /** Fingerprint of the picture. Undefined for drawings, and for pictures that are too large. */
  fingerprint: string | undefined;
  /** Resolution at which the area is rendered. */
  dpi: number;
}

/** An image of a part of a page that may contain codes. */
export interface BarcodeArea {
  placed: PlacedImage;
  /** Fingerprints of the pictures in this area. */
  pictures: string[];
  /**
   * "drawn" if the image shows only a picture or a drawing. "scanned" if it shows the whole page,
   * which may be a scan.
   */
  origin: "scanned" | "drawn";
}

/** Minimum resolution of a scan, in pixels per point: 50 dpi. */
const minScanned = 50 / 72;

export interface HiddenText {
  /** True if the text of the page is invisible, like the text layer of a scan. */
  hidden: boolean;
}

/** Returns images of all areas of a page that may contain codes. Most pages have none. */
export function barcodeAreas(
  pdfium: Pdfium,
  page: number,
  { pictures, clusters, hidden }: Pick<PageDrawings, "pictures" | "clusters"> & HiddenText,
  size: PageSize,
  known: KnownPictures,
): BarcodeArea[] {
  if (pictures.length === 0 && clusters.length === 0) return [];
  // A page-sized picture under visible text is only a background, so it does not count as a scan.
  const fine = pictures.filter(({ pixelsPerPoint, overText }) => pixelsPerPoint >= minScanned && (hidden || overText));
  const scan = isScan(fine, size);
  const suitable = scan
    ? pictures.slice(0, maxPictures)
    : pictures.filter((picture) => mayBeCode(pdfium, picture)).slice(0, maxPictures);
  const ofPictures = suitable.flatMap((picture): Area[] => {
    const fingerprint = fingerprintOf(pdfium, picture);
    return fingerprint !== undefined && known.has(fingerprint)
      ? []
      : [{ box: picture.box, fingerprint, dpi: dpiOf(picture) }];
  });
  const areas = joined(
    [...ofPictures, ...clusters.map((box) => ({ box, fingerprint: undefined, dpi: usualDpi }))],
    size,
  );
  if (areas.length > 0 && (scan || areas.length > maxAreas)) {
    const whole: Box = [0, 0, size.width, size.height];
    const placed = renderGrayPart(pdfium, page, size, whole, resolutionOf(pictures, size));
    return placed === undefined
      ? []
      : [{ placed, pictures: areas.flatMap((area) => area.pictures), origin: "scanned" }];
  }
  return areas.flatMap(({ box, pictures, dpi }): BarcodeArea[] => {
    const shortSide = Math.min(box[2] - box[0], box[3] - box[1]);
    const placed = renderGrayPart(pdfium, page, size, box, shortSide <= smallSide ? smallDpi : dpi);
    if (placed !== undefined && looksLikeCode(placed.image)) return [{ placed, pictures, origin: "drawn" }];
    for (const picture of pictures) known.add(picture);
    return [];
  });
}

/**
 * Maximum number of pictures per page that are compared with the pictures known to contain no code.
 * Chosen by hand, 2026-11.
 */
const maxPictures = 200;
const dpiOf = ({ pixelsPerPoint }: PagePicture): number =>
  Math.min(Math.max(2 * 72 * pixelsPerPoint, minPictureDpi), usualDpi);

interface JoinedArea {
  box: Box;
  pictures: string[];
  dpi: number;
}

/** Adds the margin to all areas, and joins those that overlap, such as the strips of one image. */
function joined(areas: readonly Area[], { width, height }: PageSize): JoinedArea[] {
  const rest: JoinedArea[] = [];
  for (const { box, fingerprint, dpi } of areas) {
    let highest = dpi;
    let [x0, y0, x1, y1] = [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin];
    [x0, y0, x1, y1] = [Math.max(0, x0), Math.max(0, y0), Math.min(width, x1), Math.min(height, y1)];
    if (!(x1 > x0 && y1 > y0)) continue;
    const pictures = fingerprint === undefined ? [] : [fingerprint];
    for (let at = rest.length - 1; at >= 0; at--) {
      const other = rest[at];
      if (other === undefined || !overlaps(other.box, [x0, y0, x1, y1])) continue;
      rest.splice(at, 1);
      const [otherX0, otherY0, otherX1, otherY1] = other.box;
      [x0, y0] = [Math.min(x0, otherX0), Math.min(y0, otherY0)];
      [x1, y1] = [Math.max(x1, otherX1), Math.max(y1, otherY1)];
      pictures.push(...other.pictures);
      highest = Math.max(highest, other.dpi);
    }
    rest.push({ box: [x0, y0, x1, y1], pictures, dpi: highest });
  }
  return rest;
}

const overlaps = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
