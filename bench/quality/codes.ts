/**
 * Measures how many bar codes are read correctly: 20 codes of each of five kinds, on pages with
 * text. The pages are JPEG images rendered at 150 to 200 dpi, skewed by up to 3 degrees, with
 * scanner noise.
 */
import { mulberry32 } from "../../fit/random.ts";
import { openBarcodeFinder } from "../../server/src/reading/codes/find-barcodes.ts";
import type { GrayImage } from "../../server/src/reading/pixels/gray-image.ts";
import { type BarcodeStyle, barcodeImage, placedBarcode } from "../../server/src/reading/testing/make-barcodes.ts";
import { type Mark, makePdf } from "../../server/src/reading/testing/make-pdf.ts";
import { noisyScan } from "../../server/src/reading/testing/noisy-scan.ts";

const perKind = 20;
const maxSkew = 3;
const [minDpi, maxDpi] = [150, 200];
/** Size of a page, in points: A4. */
const [width, height] = [595, 842];
const pointsPerMm = 72 / 25.4;

type Random = () => number;

interface Kind {
  style: BarcodeStyle;
  /** Width of the printed code in millimetres, as on real documents. */
  mm: number;
  /** Height of the bars in millimetres, as passed to the generator. */
  bars?: number;
  textOf: (next: Random) => string;
}

const digits = (count: number, next: Random): string =>
  Array.from({ length: count }, () => Math.floor(next() * 10)).join("");

/**
 * Returns an EAN-13 number. Its first digit is never 0, because an EAN-13 that begins with 0 is a
 * UPC-A code, which is reported as another kind and without the 0.
 */
function articleNumber(next: Random): string {
  const number = `4${digits(11, next)}`;
  const sum = [...number].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${number}${(10 - (sum % 10)) % 10}`;
}

const kinds: readonly Kind[] = [
  {
    style: "qrcode",
    mm: 25,
    textOf: (next) => `https://pay.example.com/i/${digits(20, next)}?amount=${digits(5, next)}`,
  },
  { style: "datamatrix", mm: 12, textOf: (next) => `LOT${digits(10, next)}-${digits(8, next)}` },
  { style: "code128", mm: 60, bars: 12, textOf: (next) => `AWB${digits(12, next)}` },
  { style: "ean13", mm: 31, bars: 18, textOf: articleNumber },
  { style: "pdf417", mm: 60, textOf: (next) => `M1DOE/JOHN E${digits(6, next)} ZRHLHR${digits(10, next)}` },
];

/**
 * Prints the number of codes of each kind that are read correctly, and the processor time per page.
 */
export async function runCodes(): Promise<void> {
  const next = mulberry32(20261127);
  const finder = openBarcodeFinder();
  let [right, others, cpuMs] = [0, 0, 0];
  for (const kind of kinds) {
    let ofKind = 0;
    for (let index = 0; index < perKind; index++) {
      const text = kind.textOf(next);
      const image = await scanOf(kind, text, next);
      const started = process.cpuUsage();
      const found = await finder.find({ image, toPage: [1, 0, 0, 1, 0, 0] });
      const { user, system } = process.cpuUsage(started);
      cpuMs += (user + system) / 1000;
      if (found.some((code) => code.text === text)) ofKind++;
      const wrong = found.filter((code) => code.text !== text);
      for (const code of wrong) console.log(`${text} was read as ${code.text} (${code.kind})`);
      others += wrong.length;
    }
    right += ofKind;
    console.log(`${kind.style.padEnd(12)} ${ofKind} of ${perKind}`);
  }
  const all = kinds.length * perKind;
  console.log(
    `read right   ${right} of ${all}, wrong texts ${others}, ${(cpuMs / all).toFixed(0)} ms of processor time per page`,
  );
  if (right < 0.98 * all || others > 0) process.exitCode = 1;
}

async function scanOf(kind: Kind, text: string, next: Random): Promise<GrayImage> {
  const code = await barcodeImage(kind.style, text, { scale: 6, ...(kind.bars && { height: kind.bars }) });
  const wide = kind.mm * pointsPerMm;
  const high = (wide * code.height) / code.width;
  const [left, bottom] = [60 + next() * (width - 120 - wide), 820 - high - next() * 60];
  const lines = Array.from(
    { length: 40 },
    (_, row): Mark => ({
      text: `${row + 1} Lorem ipsum dolor sit amet ${digits(5, next)} EUR ${digits(3, next)}.50`,
      x: 60,
      y: 600 - row * 14,
      size: 10,
    }),
  );
  const marks = [...lines, placedBarcode(code, [left, bottom, wide, high])];
  const dpi = minDpi + next() * (maxDpi - minDpi);
  const pdf = makePdf({ pages: [{ marks, mediaBox: [0, 0, width, height] }] });
  const skew = (next() * 2 - 1) * maxSkew;
  return noisyScan(pdf, { width: Math.round((width * dpi) / 72), skew, next });
}
