/** Amounts that the engine took apart at their point, as it does where letters stand wide: "RM20. 40" is one word on paper. */
import type { OcrWord } from "./ocr-engine.ts";

const beforePoint = /\d\.$/;
const onlyDigits = /^\d+\.$/;
const afterPoint = /^\d\d$/;
/** A wider gap than this part of the height of the words is a space that somebody wrote. */
const maxGapOfHeight = 1;

/** `words` in the order of the engine. At the beginning of a line a number with a point counts the lines, and nothing is joined to it. */
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
