/**
 * Finds the areas of a PDF page that may contain a bar code: images of suitable size and shape, and
 * clusters of small filled shapes. Only these areas of a page with text are rendered and searched,
 * because that takes longer than reading the text.
 */
import { crc32 } from "node:zlib";
import type { Box } from "../../document.ts";
import type { GrayImage, PlacedImage } from "../../pixels/gray-image.ts";
import type { PageDrawings, PagePicture } from "./drawings.ts";
import { type Pdfium, scratchBytes } from "./pdfium.ts";
import { type PageSize, renderGrayPart } from "./render.ts";
import { isScan, resolutionOf } from "./usable-text.ts";

/**
 * Pictures without codes, by their fingerprints. A logo is mostly on every page of a document, so it
 * is searched only once.
 */
export type KnownPictures = Set<string>;

/** Minimum and maximum side of a picture, in points, and its greatest ratio. Chosen by hand, 2026-11. */
const [minSide, minLongSide, maxRatio] = [10, 20, 14];
/** The area around a code that must be white, and a reserve, in points. Chosen by hand, 2026-11. */
const margin = 6;
/**
 * Resolution of the images, in dots per inch: for most codes, and for areas of at most `smallSide`
 * points, whose modules are small. Chosen by hand, 2026-11.
 */
const [usualDpi, smallDpi, smallSide] = [300, 450, 40];
/**
 * Maximum number of areas that are searched one by one. If a page has more, as a sheet of labels
 * has, the whole page is searched. Chosen by hand, 2026-11.
 */
const maxAreas = 8;

interface Area {
  box: Box;
  /** Fingerprint of the picture. Undefined for drawings, and for pictures that are too large. */
  fingerprint: string | undefined;
}

/** An image of a part of a page that may contain codes. */
export interface BarcodeArea {
  placed: PlacedImage;
  /** Fingerprints of the pictures in it. */
  pictures: string[];
}

/** Returns images of all areas of a page that may contain codes. Most pages have none. */
export function barcodeAreas(
  pdfium: Pdfium,
  page: number,
  { pictures, clusters }: Pick<PageDrawings, "pictures" | "clusters">,
  size: PageSize,
  known: KnownPictures,
): BarcodeArea[] {
  if (pictures.length === 0 && clusters.length === 0) return [];
  const scan = isScan(pictures, size);
  const suitable = scan ? pictures.slice(0, maxPictures) : pictures.filter(mayBeCode).slice(0, maxPictures);
  const ofPictures = suitable.flatMap((picture): Area[] => {
    const fingerprint = fingerprintOf(pdfium, picture);
    return fingerprint !== undefined && known.has(fingerprint) ? [] : [{ box: picture.box, fingerprint }];
  });
  const areas = joined([...ofPictures, ...clusters.map((box) => ({ box, fingerprint: undefined }))], size);
  if (areas.length > 0 && (scan || areas.length > maxAreas)) {
    const whole: Box = [0, 0, size.width, size.height];
    const placed = renderGrayPart(pdfium, page, size, whole, resolutionOf(pictures, size));
    return placed === undefined ? [] : [{ placed, pictures: areas.flatMap((area) => area.pictures) }];
  }
  return areas.flatMap(({ box, pictures }): BarcodeArea[] => {
    const shortSide = Math.min(box[2] - box[0], box[3] - box[1]);
    const placed = renderGrayPart(pdfium, page, size, box, shortSide <= smallSide ? smallDpi : usualDpi);
    if (placed !== undefined && looksLikeCode(placed.image)) return [{ placed, pictures }];
    for (const picture of pictures) known.add(picture);
    return [];
  });
}

function mayBeCode({ box: [x0, y0, x1, y1] }: PagePicture): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short >= minSide && long >= minLongSide && long <= maxRatio * short;
}

/** Maximum number of pictures of a page that are compared with the known ones. Chosen by hand, 2026-11. */
const maxPictures = 200;
/** Maximum size of the data of a picture that gets a fingerprint, in bytes. Chosen by hand, 2026-11. */
const maxFingerprinted = 4 << 20;

/** Returns a text that two pictures share only if their data are the same. */
function fingerprintOf({ call, memory, scratch }: Pdfium, { object, box }: PagePicture): string | undefined {
  const size = call.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (size === 0 || size > maxFingerprinted) return undefined;
  const buffer = size <= scratchBytes ? scratch : call.malloc(size);
  if (buffer === 0) return undefined;
  try {
    call.FPDFImageObj_GetImageDataRaw(object, buffer, size);
    const sum = crc32(memory.bytes.subarray(buffer, buffer + size));
    // The same image may be too small on one page and large enough on another.
    return `${size} ${sum} ${Math.round(box[2] - box[0])} ${Math.round(box[3] - box[1])}`;
  } finally {
    if (buffer !== scratch) call.free(buffer);
  }
}

interface JoinedArea {
  box: Box;
  pictures: string[];
}

/** Adds the margin to all areas, and joins those that overlap, such as the strips of one image. */
function joined(areas: readonly Area[], { width, height }: PageSize): JoinedArea[] {
  const rest: JoinedArea[] = [];
  for (const { box, fingerprint } of areas) {
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
    }
    rest.push({ box: [x0, y0, x1, y1], pictures });
  }
  return rest;
}

const overlaps = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Minimum difference between the darkest and the brightest pixel of a code. Chosen by hand, 2026-11. */
const minContrast = 80;
/** Number of rows, and of columns, in which changes between dark and bright are counted. */
const samples = 32;
/**
 * Minimum number of changes in a row or column through a two-dimensional code, and through the bars
 * of a bar code: the smallest codes have 8 and 20. Chosen by hand, 2026-11.
 */
const [changesOfModules, changesOfBars] = [6, 16];
/** Minimum share of the rows and columns that have so many changes. Chosen by hand, 2026-11. */
const [partOfModules, partOfBars] = [0.25, 0.15];

/** Returns true if dark and bright change as often as in a code, which they do not in most logos. */
export function looksLikeCode(image: GrayImage): boolean {
  const { width, height, pixels } = image;
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  if (brightest - darkest < minContrast) return false;
  const middle = (darkest + brightest) / 2;
  const across = sampled(height, (y) => changesIn(image, { from: y * width, step: 1, length: width }, middle));
  const down = sampled(width, (x) => changesIn(image, { from: x, step: width, length: height }, middle));
  const isBars = (changes: number[]): boolean => partAbove(changes, changesOfBars) >= partOfBars;
  const isModules = (changes: number[]): boolean => partAbove(changes, changesOfModules) >= partOfModules;
  return isBars(across) || isBars(down) || (isModules(across) && isModules(down));
}

function sampled(length: number, count: (at: number) => number): number[] {
  const step = Math.max(1, length / samples);
  return Array.from({ length: Math.floor(length / step) }, (_, index) => count(Math.floor((index + 0.5) * step)));
}

const partAbove = (changes: readonly number[], least: number): number =>
  changes.filter((count) => count >= least).length / Math.max(changes.length, 1);

interface PixelLine {
  from: number;
  step: number;
  length: number;
}

function changesIn({ pixels }: GrayImage, { from, step, length }: PixelLine, middle: number): number {
  let changes = 0;
  let dark = false;
  for (let index = 0, at = from; index < length; index++, at += step) {
    const isDark = (pixels[at] ?? 255) < middle;
    if (isDark !== dark) changes++;
    dark = isDark;
  }
  return changes;
}
