/**
 * Folding removes differences in case, accents and letter variants, so that two spellings of a word
 * become equal. There are three kinds of folding. None of them may change, because the following
 * data was created with them:
 * - `foldLabel`: the word families of the lexicon;
 * - `foldWord`: the word lists and weights of question answering;
 * - `foldTerm`: the terms of stored search indexes. After a change, every index must be rebuilt.
 */

const ascii = /^[\x20-\x7e]*$/;
/** Matches text that `foldLabel` only has to convert to lower case. */
const plainLabel = /^[\x20-\x5f\x61-\x7e]*$/;
const dashes = /[‐-―−]/g;

/**
 * Folds a label of a document. One character may become two (`ß` becomes `ss`), so offsets change.
 */
export const foldLabel = (text: string): string =>
  plainLabel.test(text)
    ? text.toLowerCase()
    : withPlainLatin(
        text
          .normalize("NFKD")
          .replace(/\p{M}+/gu, "")
          .toLowerCase(),
      )
        .replace(dashes, "-")
        .replace(/[’‘`´]/g, "'");

/**
 * Folds a word of a question or passage, including Arabic letter variants and the dotless i. The
 * length of the word may change.
 */
export function foldWord(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const plain = text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]+/gu, "")
    .toLowerCase();
  return withPlainLatin(plain)
    .replace(/ı/g, "i")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/[’‘`´ʼ]/g, "'");
}

/**
 * Replaces Latin letters that have no Unicode decomposition, such as `ß`, with their usual
 * transcription, such as `ss`.
 */
const withPlainLatin = (text: string): string =>
  text.replace(/ß/g, "ss").replace(/œ/g, "oe").replace(/æ/g, "ae").replace(/ø/g, "o");

/**
 * Letters that `foldTerm` replaces: the letters that `withPlainLatin` replaces, and others. The
 * terms of stored indexes depend on this table.
 */
const plainLetters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/**
 * Folds a term of the search index. The term must be in lower case and NFKC. Removes diacritics in
 * Latin and Greek, points in Hebrew, and vowel signs, tatweel and variants of alef in Arabic. Keeps
 * the marks of other scripts, such as Devanagari, Thai and Japanese, because they distinguish
 * letters, such as й and и in Cyrillic.
 */
export function foldTerm(term: string): string {
  let text = term;
  if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text))
    text = text
      .normalize("NFD")
      .replace(/[\p{Mn}\u0640]/gu, "")
      .normalize("NFC");
  return text
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/ى/g, "ي")
    .replaceAll("ё", "е");
}
