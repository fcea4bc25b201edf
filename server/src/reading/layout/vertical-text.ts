/**
 * Joins the characters of Chinese, Japanese and Korean text that is set from top to bottom. Such
 * characters stand upright, so PDFium reports each of them as a separate word.
 */
import type { DrawnWord } from "./page-content.ts";

/** Matches a single full-width character, as used in Chinese, Japanese and Korean text. */
const squareLetter =
  /^[\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffee]$|^[\u{20000}-\u{3ffff}]$/u;

/**
 * Minimum and maximum distance from a character to the next one below it, as a multiple of the font
 * size. Lines of horizontal text are further apart than the maximum. Chosen by hand, 2026-11.
 */
const [minPitch, maxPitch] = [0.7, 1.1];
/**
 * Maximum sideways shift between two characters of a column, as a share of the font size. Chosen by
 * hand, 2026-11.
 */
const maxShiftOfSize = 0.2;
/** Maximum ratio between the font sizes of two characters of a column. Chosen by hand, 2026-11. */
const sizeRatio = 1.1;

/**
 * Joins characters that stand below one another into words that run downwards, and returns all
 * other words unchanged.
 */
export function withVerticalWords(words: readonly DrawnWord[]): readonly DrawnWord[] {
  if (!words.some(({ text }, index) => isSquare(text) && isSquare(words[index + 1]?.text ?? ""))) return words;
  const joined: DrawnWord[] = [];
  let column: DrawnWord[] = [];
  for (const word of words) {
    const last = column.at(-1);
    if (last !== undefined && !isBelow(last, word)) {
      joined.push(...joinedColumn(column));
      column = [];
    }
    column.push(word);
  }
  joined.push(...joinedColumn(column));
  return joined;
}

/**
 * Minimum cosine of the angle between a word and the horizontal for the word to count as
 * horizontal. The limit corresponds to 8 degrees. Chosen by hand, 2026-11.
 */
const minLevel = 0.99;
/**
 * Lower limit for the smaller of two font sizes, in points, so that their ratio is never infinite.
 */
const minSize = 0.1;

/**
 * Returns true if the text is one full-width character. The cheap first comparison rules out nearly
 * all words, so the regular expression seldom runs.
 */
const isSquare = (text: string): boolean => text.charCodeAt(0) >= 0x2e80 && squareLetter.test(text);

function isBelow(upper: DrawnWord, lower: DrawnWord): boolean {
  if (!isSquare(upper.text) || !isSquare(lower.text)) return false;
  const { size } = upper;
  if (lower.direction[0] < minLevel || upper.direction[0] < minLevel || ratioOf(size, lower.size) > sizeRatio)
    return false;
  const shift = Math.min(Math.abs(lower.origin[0] - upper.origin[0]), Math.abs(lower.box[2] - upper.box[2]));
  const pitch = (lower.origin[1] - upper.origin[1]) / size;
  return shift <= maxShiftOfSize * size && pitch >= minPitch && pitch <= maxPitch;
}

const ratioOf = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), minSize);

/**
 * Joins the characters of a column into one word. For such characters, PDFium reports correct right
 * edges, but left edges that are up to one character too far left. So the left edge of the word is
 * computed from the right edges.
 */
function joinedColumn(column: readonly DrawnWord[]): readonly DrawnWord[] {
  const [first] = column;
  if (first === undefined || column.length === 1) return column;
  const right = Math.max(...column.map(({ box }) => box[2]));
  const left = Math.max(right - first.size, Math.min(...column.map(({ box }) => box[0])));
  const bottom = column.at(-1)?.box[3] ?? first.box[3];
  const word: DrawnWord = {
    ...first,
    text: column.map(({ text }) => text).join(""),
    box: [Math.round(left * 100) / 100, first.box[1], right, bottom],
    direction: [0, 1],
    origin: [left, first.box[1]],
  };
  return [word];
}
