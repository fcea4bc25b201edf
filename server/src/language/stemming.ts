/** A word of one language → its stem, without case and, where the language allows, without diacritics. */
import snowball from "snowball-stemmers";

/** Snowball algorithms by ISO 639-1 code. */
const algorithms: Record<string, string> = {
  ar: "arabic",
  ca: "catalan",
  cs: "czech",
  da: "danish",
  de: "german",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hu: "hungarian",
  hy: "armenian",
  it: "italian",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sl: "slovene",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
};

/** Letters that Unicode doesn't take apart, as they are commonly typed without their keyboard. */
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

/** Far more words than are in use at once; a full cache starts again. */
const cacheSize = 50_000;
const stemmers = new Map<string, (word: string) => string>();

/** `word` is in lower case and NFKC; an unknown language only folds. */
export function stemOf(word: string, language: string): string {
  let stemmer = stemmers.get(language);
  if (!stemmer) {
    stemmer = cached(stemmerOf(language));
    stemmers.set(language, stemmer);
  }
  return stemmer(word);
}

function stemmerOf(language: string): (word: string) => string {
  const algorithm = algorithms[language];
  if (algorithm === undefined) return folded;
  const stemmer = snowball.newStemmer(algorithm);
  return (word) =>
    /\p{N}/u.test(word) ? folded(word) : folded(stemmer.stem(word.replaceAll("ё", "е"))) || folded(word);
}

function cached(compute: (word: string) => string): (word: string) => string {
  const cache = new Map<string, string>();
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    if (cache.size >= cacheSize) cache.clear();
    const value = compute(word);
    cache.set(word, value);
    return value;
  };
}

/**
 * Without diacritics in Latin and Greek, points in Hebrew, and vowel signs, tatweel and the forms of alef in Arabic. Marks of other scripts are letters of their own
 * (Devanagari, Thai, Japanese; й is not и).
 */
export function folded(word: string): string {
  let text = word;
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
