const wordSegmenter = new Intl.Segmenter("zh", { granularity: "word" });
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Counts words. White space separates words; text of scripts without spaces is split by dictionary.
 */
export function countWords(text: string): number {
  let count = 0;
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    if (!unspaced.test(word)) count++;
    else for (const { isWordLike } of wordSegmenter.segment(word)) if (isWordLike) count++;
  }
  return count;
}
