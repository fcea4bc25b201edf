/** Decides whether the text of a PDF page can be used, or whether the page needs OCR. */
import type { Word } from "../../document.ts";
import type { GrayImage } from "../../pixels/gray-image.ts";
import type { PagePicture } from "./drawings.ts";
import type { PageSize } from "./render.ts";

type Picture = Pick<PagePicture, "box" | "pixelsPerPoint">;

/** A page is a scan if images cover at least this share of it. Chosen by hand, 2026-11. */
const scanPart = 0.6;
/**
 * Minimum number of words in the text layer of a scan. A text layer with fewer words may contain
 * only a stamp or a header. Chosen by hand, 2026-11.
 */
const sparseWords = 30;
/**
 * Maximum share of unreadable characters. If there are more, the text layer was made by bad OCR, or
 * its font has a custom encoding. Chosen by hand, 2026-11.
 */
const maxUnreadablePart = 0.3;
/**
 * Maximum share of words in the text layer of a scan that do not look like words or numbers. If
 * there are more, the text is compared with OCR. Chosen by hand, 2026-11.
 */
const maxOddPart = 0.5;
/**
 * Maximum share of words that mix scripts. If there are more, the font has a custom encoding.
 * Chosen by hand, 2026-11.
 */
const maxMixedPart = 0.1;

export type TextUse = "use" | "ocr" | "compare";

/**
 * Returns how the text of a page can be used. With "compare", the text may be incomplete, and OCR
 * replaces it if OCR finds more text.
 */
export function useOfText(words: readonly Word[], pictures: readonly Picture[], page: PageSize): TextUse {
  if (words.length === 0 || unreadablePart(words) > maxUnreadablePart || mixedPart(words) > maxMixedPart) return "ocr";
  if (!isScan(pictures, page)) return "use";
  return words.length < sparseWords || oddPart(words) > maxOddPart ? "compare" : "use";
}

export function isScan(pictures: readonly Picture[], { width, height }: PageSize): boolean {
  const covered = pictures.reduce((sum, picture) => sum + areaOf(picture), 0);
  return covered >= scanPart * width * height;
}

/**
 * Matches a word with a character that is not printable ASCII. Most words have no such character,
 * and this test excludes them faster than the patterns below.
 */
const beyondAscii = /[^!-~]/;

/**
 * Matches characters that nobody writes: private use, replacement, control and unassigned
 * characters.
 */
const unreadable = /[\p{Co}\p{Cn}\p{Cc}\p{Cs}\ufffd]/gu;

function unreadablePart(words: readonly Word[]): number {
  let [all, bad] = [0, 0];
  for (const { text } of words) {
    all += text.length;
    if (beyondAscii.test(text)) bad += text.match(unreadable)?.join("").length ?? 0;
  }
  return all > 0 ? bad / all : 1;
}

/**
 * Matches letters of scripts other than Latin and Greek. Latin and Greek letters occur in words of
 * any script, in units, formulas and names.
 */
const foreign = /(?![\p{Script=Latin}\p{Script=Greek}])\p{L}/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const scripts = [
  eastAsian,
  ...[
    /\p{Script=Greek}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Georgian}/u,
    /\p{Script=Hebrew}/u,
  ],
  ...[/\p{Script=Arabic}/u, /\p{Script=Syriac}/u, /\p{Script=Thaana}/u, /\p{Script=Ethiopic}/u, /\p{Script=Cherokee}/u],
  ...[/\p{Script=Devanagari}/u, /\p{Script=Bengali}/u, /\p{Script=Gurmukhi}/u, /\p{Script=Gujarati}/u],
  ...[/\p{Script=Oriya}/u, /\p{Script=Tamil}/u, /\p{Script=Telugu}/u, /\p{Script=Kannada}/u, /\p{Script=Malayalam}/u],
  ...[/\p{Script=Sinhala}/u, /\p{Script=Thai}/u, /\p{Script=Lao}/u, /\p{Script=Tibetan}/u, /\p{Script=Myanmar}/u],
  ...[/\p{Script=Khmer}/u, /\p{Script=Mongolian}/u, /\p{Script=Canadian_Aboriginal}/u],
];

const isMixed = (text: string): boolean =>
  beyondAscii.test(text) && foreign.test(text) && scripts.filter((script) => script.test(text)).length > 1;

function mixedPart(words: readonly Word[]): number {
  let [all, mixed] = [0, 0];
  for (const { text } of words) {
    if (!letter.test(text)) continue;
    all++;
    if (isMixed(text)) mixed++;
  }
  return mixed / Math.max(all, 1);
}

const letter = /\p{L}/u;

/** Matches a word or number in any script. Punctuation may stand around it. */
const plain =
  /^\p{P}*(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}{2,}|\p{Sc}?\p{N}(?:[.,:/%-]*\p{N})*(?:[.,:/%-]*\p{Sc})?|\p{L}['’]\p{L}+|\p{L}+-\p{L}+)\p{P}*$/u;

const oddPart = (words: readonly Word[]): number => words.filter(({ text }) => !plain.test(text)).length / words.length;

/**
 * Usual resolution for OCR. With more dots per inch, OCR is slower and not better. With fewer,
 * letters run together.
 */
const usualDpi = 200;
const [minDpi, maxDpi] = [150, 300];

/**
 * Returns the resolution at which a page is rendered, in dots per inch. A scan gets its own
 * resolution, within limits, so that it is not blurred.
 */
export function resolutionOf(pictures: readonly Picture[], page: PageSize): number {
  if (!isScan(pictures, page)) return usualDpi;
  const largest = pictures.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a));
  const dpi = largest.pixelsPerPoint * 72;
  return dpi > 0 ? Math.min(Math.max(dpi, minDpi), maxDpi) : usualDpi;
}

const areaOf = ({ box }: Picture): number => (box[2] - box[0]) * (box[3] - box[1]);

/**
 * Minimum contrast of print. If the darkest and the brightest pixel differ by less, the image is
 * only a tint. Chosen by hand, 2026-11.
 */
const minContrast = 32;

/** Returns false if all pixels have nearly the same colour. There is then nothing to read. */
export function hasInk({ pixels }: GrayImage): boolean {
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  return brightest - darkest > minContrast;
}
