/**
 * Finds the areas of a PDF page that may contain a bar code: images of suitable size and shape, and
 * clusters of small filled shapes. Only these areas of a page with text are rendered and searched,
 * because that takes longer than reading the text.
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
 * Pictures without codes, by their fingerprints. A logo is mostly on every page of a document, so it
 * is searched only once.
 */
export type KnownPictures = Set<string>;

/** The area around a code that must be white, and a reserve, in points. Chosen by hand, 2026-11. */
const margin = 6;
/**
 * Resolution of the images, in dots per inch: for drawings, and for areas of at most `smallSide`
 * points, whose modules are small. Pictures get twice their own resolution, within limits. Chosen by
 * hand, 2026-11.
 */
const [usualDpi, smallDpi, smallSide] = [300, 450, 40];
const minPictureDpi = 150;
/**
 * Maximum number of areas that are searched one by one. If a page has more, as a sheet of labels
 * has, the whole page is searched. Chosen by hand, 2026-11.
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
  /** Fingerprints of the pictures in it. */
  pictures: string[];
  /** "drawn" if only one picture or drawing is in the image, and not a scan. */
  origin: "scanned" | "drawn";
}

/** Minimum resolution of a scan, in pixels per point: 50 dpi. */
const minScanned = 50 / 72;

export interface HiddenText {
  /** True if the text of the page is not drawn. */
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
  // Under text that is drawn, a picture of the size of the page is only its background.
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

/** Maximum number of pictures of a page that are compared with the known ones. Chosen by hand, 2026-11. */
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
