/** Decides whether the text of a PDF page can be used or the page needs OCR. */
import type { Word } from "../../document.ts";
import type { GrayImage } from "../../pixels/gray-image.ts";
import type { PagePicture } from "./drawings.ts";
import type { PageSize } from "./render.ts";

/**
 * Minimum share of the page that an image must cover to count as a scan. Chosen by hand, 2026-11.
 */
const scanPart = 0.6;
/**
 * Minimum words of the text of a scan. With fewer, that text is only a stamp or header. Chosen by
 * hand, 2026-11.
 */
const sparseWords = 30;
/**
 * Maximum share of unreadable text; a text layer with more has bad OCR or its own encoding. Chosen
 * by hand, 2026-11.
 */
const maxUnreadablePart = 0.3;
/**
 * Maximum share of odd words on a scan. If there are more, the text is compared with OCR. Chosen by
 * hand, 2026-11.
 */
const maxOddPart = 0.5;
/**
 * Maximum share of words that mix scripts. If there are more, the font has its own encoding. Chosen
 * by hand, 2026-11.
 */
const maxMixedPart = 0.1;

export type TextUse = "use" | "ocr" | "compare";

/** Returns "compare" if the text may be complete: OCR then replaces it only if it finds more. */
export function useOfText(words: readonly Word[], pictures: readonly PagePicture[], page: PageSize): TextUse {
  if (words.length === 0 || unreadablePart(words) > maxUnreadablePart || mixedPart(words) > maxMixedPart) return "ocr";
  if (!isScan(pictures, page)) return "use";
  return words.length < sparseWords || oddPart(words) > maxOddPart ? "compare" : "use";
}

export function isScan(pictures: readonly PagePicture[], { width, height }: PageSize): boolean {
  const covered = pictures.reduce((sum, picture) => sum + areaOf(picture), 0);
  return covered >= scanPart * width * height;
}

/**
 * Matches what is not printable ASCII. Most words are, and this test rules them out faster than the
 * expressions below.
 */
const beyondAscii = /[^!-~]/;

/** Characters that nobody writes: private use, replacement, control and unassigned ones. */
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
 * Letters of scripts other than Latin and Greek, whose letters occur in words of any script: units,
 * formulas, names.
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

/** A word or number in any script, perhaps with punctuation around it. */
const plain =
  /^\p{P}*(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}{2,}|\p{Sc}?\p{N}(?:[.,:/%-]*\p{N})*(?:[.,:/%-]*\p{Sc})?|\p{L}['’]\p{L}+|\p{L}+-\p{L}+)\p{P}*$/u;

const oddPart = (words: readonly Word[]): number => words.filter(({ text }) => !plain.test(text)).length / words.length;

/**
 * Usual resolution for OCR: more dots per inch are slower and not better; with fewer, letters run
 * together.
 */
const usualDpi = 200;
const [minDpi, maxDpi] = [150, 300];

/**
 * Returns the resolution at which to render a page, in dots per inch: that of the scan, so that it
 * is not blurred, within limits.
 */
export function resolutionOf(pictures: readonly PagePicture[], page: PageSize): number {
  if (!isScan(pictures, page)) return usualDpi;
  const largest = pictures.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a));
  const dpi = largest.pixelsPerPoint * 72;
  return dpi > 0 ? Math.min(Math.max(dpi, minDpi), maxDpi) : usualDpi;
}

const areaOf = ({ box }: PagePicture): number => (box[2] - box[0]) * (box[3] - box[1]);

/**
 * Minimum contrast of print. If the darkest and brightest pixel differ less, the image is only a
 * tint. Chosen by hand, 2026-11.
 */
const minContrast = 32;

/** Returns false if all pixels have about the same colour, so that there is nothing to read. */
export function hasInk({ pixels }: GrayImage): boolean {
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  return brightest - darkest > minContrast;
}
