/**
 * Reduces words to their stems. The stem depends on the language and on what it is used for: the
 * search index, questions, or labels.
 */
import snowball from "snowball-stemmers";
import { cachedByText } from "./cached-by-text.ts";
import { foldTerm, foldWord } from "./folding.ts";
import type { AnswerLanguage } from "./question-languages.ts";

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

/**
 * Maximum number of cached stems for each language. This is far more than are in use at any time,
 * so a full cache is simply emptied.
 */
const maxStems = 50_000;
/** Words of questions with at least this many characters are not stemmed. */
const maxStemmed = 60;

type Stem = (word: string) => string;

const termStemmers = new Map<string, Stem>();
const wordStemmers = new Map<string, Stem>();

/**
 * Returns the stem of a term of the search index. The term must be in lower case and NFKC. If the
 * language is unknown, the term is only folded. Stored indexes contain these stems, so they must be
 * rebuilt if this function changes.
 */
export const stemOfTerm = (term: string, language: string): string =>
  stemmerIn(termStemmers, language, termStemmerOf)(term);

function termStemmerOf(language: string): Stem {
  const algorithm = algorithms[language];
  if (algorithm === undefined) return foldTerm;
  const stemmer = snowball.newStemmer(algorithm);
  return (term) =>
    /\p{N}/u.test(term) ? foldTerm(term) : foldTerm(stemmer.stem(term.replaceAll("ё", "е"))) || foldTerm(term);
}

/**
 * Returns the folded stem of a word of a question or passage. The word must be as written, not
 * folded.
 */
export const stemOfWord = (word: string, language: AnswerLanguage): string =>
  stemmerIn(wordStemmers, language, () => wordStemmerOf(language))(word);

function wordStemmerOf(language: AnswerLanguage): Stem {
  const algorithm = algorithms[language];
  const stemmer = algorithm === undefined ? undefined : snowball.newStemmer(algorithm);
  return (word) => {
    const plain = word.normalize("NFC").toLowerCase();
    const isStemmed = stemmer !== undefined && plain.length < maxStemmed;
    return foldWord(isStemmed ? stemmer.stem(withoutPrefix(plain, language)) : plain);
  };
}

/** Removes the article and short prepositions, which Arabic writes as one word with the noun. */
export function withoutPrefix(word: string, language: AnswerLanguage): string {
  if (language !== "ar") return word;
  const bare = word.replace(/[\u064b-\u065f\u0640]/g, "").replace(/[أإآ]/g, "ا");
  const cut = bare.replace(/^(?:[وفبك]?ال|لل)(?=.{3})/u, "");
  return cut.length < bare.length ? cut : bare.replace(/^[وبلف](?=.{4})/u, "");
}

/**
 * Removes common plural and case endings of the languages in the lexicon. This is crude, but when
 * two words are compared, both are shortened in the same way.
 */
export function stemOfLabel(word: string): string {
  if (word.length < 5) return word;
  return word.replace(/(?:ungen|ung)$/, "ung").replace(/(?:en|es|er|e|s|n)$/, "");
}

function stemmerIn(stemmers: Map<string, Stem>, language: string, make: (language: string) => Stem): Stem {
  const known = stemmers.get(language);
  if (known) return known;
  const made = cachedByText(maxStems, make(language));
  stemmers.set(language, made);
  return made;
}
