/**
 * Folding: text without case, accents and letter variants, so that two spellings of a word are
 * equal. There are three foldings, because each is the key of data that was made with it:
 * - `foldLabel`: the lexicon's word families;
 * - `foldWord`: the word lists and weights of question answering;
 * - `foldTerm`: the terms of stored search indexes. A change needs a rebuild of every index.
 */

const ascii = /^[\x20-\x7e]*$/;
/**
 * Matches text that has nothing to replace, so that `foldLabel` only needs to convert it to lower
 * case.
 */
const plainLabel = /^[\x20-\x5f\x61-\x7e]*$/;
const dashes = /[‐-―−]/g;

/**
 * Folds a label of a document. One character may become two (`ß` to `ss`), so offsets do not
 * survive.
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
 * Folds the words of questions and passages. Also folds Arabic letter variants and the dotless i.
 * May change the length of a word.
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

/** Replaces Latin letters that Unicode does not decompose by their usual spelling without them. */
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
 * Folds a term of the search index, which must be in lower case and NFKC. Removes diacritics in
 * Latin and Greek, points in Hebrew, and vowel signs, tatweel and the variants of alef in Arabic.
 * Marks of other scripts are kept, since they distinguish letters (Devanagari, Thai, Japanese; й is
 * not и).
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
