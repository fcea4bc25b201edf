/**
 * Joins amounts that the engine has split after their decimal point. The engine does so if the
 * characters are widely spaced: it reads "RM20. 40" where one word is printed.
 */
import type { OcrWord } from "./ocr-engine.ts";

const beforePoint = /\d\.$/;
const onlyDigits = /^\d+\.$/;
const afterPoint = /^\d\d$/;
/**
 * Maximum gap inside an amount, as a multiple of the word height. A wider gap is a real space.
 * Chosen by hand, 2026-11.
 */
const maxGapOfHeight = 1;

/**
 * Returns the words, with the two parts of each split amount joined into one word. A number with a
 * point at the start of a line, such as "3.", may be the number of a list item, so nothing is
 * joined to it.
 * @param words words in the order in which the engine reports them
 */
export function withWholeAmounts(words: readonly OcrWord[]): OcrWord[] {
  const whole: OcrWord[] = [];
  for (const word of words) {
    const before = whole.at(-1);
    const begins = before?.line !== whole.at(-2)?.line;
    if (before && isRest(word, before) && !(begins && onlyDigits.test(before.text))) {
      whole[whole.length - 1] = joined(before, word);
    } else whole.push(word);
  }
  return whole;
}

function isRest(word: OcrWord, before: OcrWord): boolean {
  if (word.line !== before.line || !beforePoint.test(before.text) || !afterPoint.test(word.text)) return false;
  const height = Math.max(word.box[3] - word.box[1], before.box[3] - before.box[1]);
  return word.box[0] - before.box[2] < maxGapOfHeight * height;
}

const joined = (a: OcrWord, b: OcrWord): OcrWord => ({
  text: a.text + b.text,
  box: [a.box[0], Math.min(a.box[1], b.box[1]), b.box[2], Math.max(a.box[3], b.box[3])],
  confidence: Math.min(a.confidence, b.confidence),
  line: a.line,
});
