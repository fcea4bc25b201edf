const wordSegmenter = new Intl.Segmenter("zh", { granularity: "word" });
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Counts words. Words are separated by white space. Text in scripts without spaces, such as
 * Chinese, is split into words with a dictionary.
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
