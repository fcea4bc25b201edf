/** Finds the bar codes in an image: their kinds, their texts, and their positions. */
import { type Barcode, type Box, maxBarcodes } from "../document.ts";
import { type Affine, type GrayImage, moved, type PlacedImage, scaled } from "../pixels/gray-image.ts";
import type { Corner } from "../pixels/painted.ts";
import { smoothed } from "../pixels/smooth.ts";
import { type BarcodeLibrary, loadBarcodeLibrary, type RawCode } from "./barcode-library.ts";
import { payloadText } from "./payload-text.ts";

/** A code that was found on a page. It has no words yet. */
export interface FoundBarcode extends Omit<Barcode, "start" | "end"> {
  /**
   * The four corners, in page units. If the code is skewed, they are not the corners of its box.
   */
  corners: readonly Corner[];
}

export interface BarcodeFinder {
  /**
   * Returns the codes of an image, with boxes in page units. Never fails: if the library fails, the
   * image counts as having no codes.
   * @param origin "drawn" if a program rendered the image, which then has neither noise nor blur,
   * and contains nothing besides the code
   */
  find(placed: PlacedImage, origin?: "scanned" | "drawn"): Promise<FoundBarcode[]>;
}

/** Maps the library's names of the supported symbologies to kinds of bar code. */
const kinds: Readonly<Record<string, Barcode["kind"]>> = {
  ...{ QRCode: "qr_code", QRCodeModel1: "qr_code", QRCodeModel2: "qr_code", MicroQRCode: "micro_qr_code" },
  ...{ DataMatrix: "data_matrix", Aztec: "aztec", AztecCode: "aztec", AztecRune: "aztec" },
  ...{ PDF417: "pdf417", CompactPDF417: "pdf417", Code128: "code_128", ITF: "itf", ITF14: "itf" },
  ...{ Code39: "code_39", Code39Std: "code_39", Code39Ext: "code_39" },
  ...{ EAN13: "ean_13", ISBN: "ean_13", EAN8: "ean_8", UPCA: "upc_a" },
};
const all = [
  ...["QRCode", "MicroQRCode", "DataMatrix", "Aztec", "PDF417"],
  ...["Code128", "Code39", "EAN13", "EAN8", "UPCA", "ITF"],
];
/**
 * The symbologies that are searched for a second time, in a smoothed copy of the image. The library
 * reads the other symbologies equally well without smoothing. Of 20 PDF417 images with the noise of
 * a scanner, it reads 12 to 16 without smoothing, and all 20 with smoothing (2026-11).
 */
const smoothedOnly = ["PDF417"];

/**
 * Images with more pixels than this are scaled down before the search. An A4 page at 300 dpi has
 * 8.7 million pixels. The time and memory that the search takes are proportional to the number of
 * pixels.
 */
const maxPixels = 9_000_000;
/** Minimum width and height of an image, in pixels. A smaller one can't contain a code. */
const minSide = 10;

/**
 * Returns a finder. The library is loaded at the first search. If it can't be loaded, no codes are
 * found.
 * @param load loads an instance of the library
 */
export function openBarcodeFinder(load: () => Promise<BarcodeLibrary> = loadBarcodeLibrary): BarcodeFinder {
  let library: Promise<BarcodeLibrary> | undefined;
  const find = async (placed: PlacedImage, origin = "scanned"): Promise<FoundBarcode[]> => {
    try {
      library ??= load();
      return searched(await library, placed, origin === "scanned");
    } catch {
      // The memory of the instance may be inconsistent, so the next search loads a new instance.
      library = undefined;
      return [];
    }
  };
  return { find };
}

function searched(library: BarcodeLibrary, placed: PlacedImage, scanned: boolean): FoundBarcode[] {
  const { width, height } = placed.image;
  if (Math.min(width, height) < minSide) return [];
  const reduction = Math.sqrt(maxPixels / (width * height));
  const { image, toPage } = reduction < 1 ? scaled(placed, reduction) : placed;
  const first = library.read(image, { formats: all, smaller: scanned, most: maxBarcodes });
  const again = scanned
    ? library.read(smoothed(image), { formats: smoothedOnly, smaller: false, most: maxBarcodes })
    : [];
  return distinct([...first, ...again].flatMap((raw) => barcodeOf(raw, image, toPage))).slice(0, maxBarcodes);
}

function barcodeOf(raw: RawCode, image: GrayImage, toPage: Affine): FoundBarcode[] {
  const kind = kinds[raw.format];
  const corners = raw.corners.map(({ x, y }) =>
    moved(toPage, Math.min(Math.max(x, 0), image.width), Math.min(Math.max(y, 0), image.height)),
  );
  const box = boxAround(corners);
  if (kind === undefined || !(box[2] > box[0] && box[3] > box[1])) return [];
  // A UPC-A code is an EAN-13 code that begins with 0. The 0 is not printed.
  const isUpc = (kind === "ean_13" || kind === "upc_a") && /^0\d{12}$/.test(raw.text);
  const payload = isUpc ? raw.text.slice(1) : raw.text;
  return [{ kind: isUpc ? "upc_a" : kind, box, corners, ...payloadText(payload, raw.binary) }];
}

function boxAround(corners: readonly Corner[]): Box {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [
    hundredth(Math.min(...xs)),
    hundredth(Math.min(...ys)),
    hundredth(Math.max(...xs)),
    hundredth(Math.max(...ys)),
  ];
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

/**
 * Two results count as the same code if their overlap is at least this share of the smaller box.
 * Codes are never printed over each other. Chosen by hand, 2026-11.
 */
const minShared = 0.5;

/**
 * Returns the codes without duplicates, from top to bottom. Of each set of duplicates, the first is
 * kept.
 */
export function distinct(found: readonly FoundBarcode[]): FoundBarcode[] {
  const kept: FoundBarcode[] = [];
  for (const code of found) if (!kept.some(({ box }) => sharedPart(box, code.box) >= minShared)) kept.push(code);
  return kept.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
}

function sharedPart(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? (width * height) / Math.min(areaOf(a), areaOf(b)) : 0;
}

const areaOf = ([x0, y0, x1, y1]: Box): number => (x1 - x0) * (y1 - y0);
