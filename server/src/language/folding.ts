/**
 * Folding removes differences in case, accents and letter variants, so that two spellings of a word
 * become equal. There are three kinds of folding. None of them may change, because data was made
 * with each of them:
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
 * Replaces Latin letters that Unicode can't decompose, such as `ß`, by their usual spelling with
 * other letters.
 */
const withPlainLatin = (text: string): string =>
  text.replace(/ß/g, "ss").replace(/œ/g, "oe").replace(/æ/g, "ae").replace(/ø/g, "o");

/**
 * Letters that `foldTerm` replaces: those of `withPlainLatin` and more. The terms of stored indexes
 * depend on them.
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
 * Latin and Greek, points in Hebrew, and vowel signs, tatweel and variants of alef in Arabic. Marks
 * of other scripts stay, because they distinguish letters, as in Devanagari, Thai, Japanese, or й
 * and и.
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
