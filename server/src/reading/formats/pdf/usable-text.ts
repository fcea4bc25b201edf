/** Whether the text that a PDF page carries can be used, or its picture has to be read. */
import type { Word } from "../../document.ts";
import type { GrayImage } from "../../pixels/gray-image.ts";
import type { PagePicture } from "./drawings.ts";
import type { PageSize } from "./render.ts";

/** From this part of the page on a picture is taken for a scan of the page. */
const scanPart = 0.6;
/** A scan with fewer words than this carries a stamp or a header, and not the text of the page. */
const sparseWords = 30;
/** A text layer of which a larger part is no word of any language was recognized badly or is encoded in its own way. */
const maxUnreadablePart = 0.3;
const maxOddPart = 0.5;
/** Words with letters of several scripts come from a font that has its letters in places of its own. */
const maxMixedPart = 0.1;

export type TextUse = "use" | "ocr" | "compare";

/** "compare" where the text may be all there is: recognition must find more. */
export function useOfText(words: readonly Word[], pictures: readonly PagePicture[], page: PageSize): TextUse {
  if (words.length === 0 || unreadablePart(words) > maxUnreadablePart || mixedPart(words) > maxMixedPart) return "ocr";
  if (!isScan(pictures, page)) return "use";
  return words.length < sparseWords || oddPart(words) > maxOddPart ? "compare" : "use";
}

export function isScan(pictures: readonly PagePicture[], { width, height }: PageSize): boolean {
  const covered = pictures.reduce((sum, picture) => sum + areaOf(picture), 0);
  return covered >= scanPart * width * height;
}

/** Most words have nothing else than ASCII, which this tells faster than the expressions below. */
const beyondAscii = /[^!-~]/;

/** Characters that no one writes: private use, replacement, control and unassigned ones. */
const unreadable = /[\p{Co}\p{Cn}\p{Cc}\p{Cs}\ufffd]/gu;

function unreadablePart(words: readonly Word[]): number {
  let [all, bad] = [0, 0];
  for (const { text } of words) {
    all += text.length;
    if (beyondAscii.test(text)) bad += text.match(unreadable)?.join("").length ?? 0;
  }
  return all > 0 ? bad / all : 1;
}

/** Letters of other scripts than these stand in the words of any: units, formulas, names. */
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

/** Looks like a word or a number in any script, perhaps with punctuation around it. */
const plain =
  /^\p{P}*(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}{2,}|\p{Sc}?\p{N}(?:[.,:/%-]*\p{N})*(?:[.,:/%-]*\p{Sc})?|\p{L}['’]\p{L}+|\p{L}+-\p{L}+)\p{P}*$/u;

const oddPart = (words: readonly Word[]): number => words.filter(({ text }) => !plain.test(text)).length / words.length;

/** More dots than this an inch are slower to read, and not read better; with fewer, letters run together. */
const usualDpi = 200;
const [minDpi, maxDpi] = [150, 300];

/** Dots an inch at which to render a page: those of the scan, so that it is not blurred, within reason. */
export function resolutionOf(pictures: readonly PagePicture[], page: PageSize): number {
  if (!isScan(pictures, page)) return usualDpi;
  const largest = pictures.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a));
  const dpi = largest.pixelsPerPoint * 72;
  return dpi > 0 ? Math.min(Math.max(dpi, minDpi), maxDpi) : usualDpi;
}

const areaOf = ({ box }: PagePicture): number => (box[2] - box[0]) * (box[3] - box[1]);

/** Less than this between the darkest and the brightest pixel is a tint and its edges. */
const minContrast = 32;

/** False where all of the picture is of about one colour: nothing is written there. */
export function hasInk({ pixels }: GrayImage): boolean {
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  return brightest - darkest > minContrast;
}
