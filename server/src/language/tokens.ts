/** Text as words with their places in it, folded and stemmed, so that those of a question can be found in a passage. */
import { createRequire } from "node:module";
import { type AnswerLanguage, languages, wordsOf } from "./question-languages.ts";
import { stopWords } from "./question-stop-words.ts";

interface Stemmer {
  stem(word: string): string;
}
const stemmers: { newStemmer(algorithm: string): Stemmer } = createRequire(import.meta.url)("snowball-stemmers");

export interface Token {
  /** As written. */
  word: string;
  /** Lower case without accents. A run of Han, Kana or Thai is cut into overlapping pairs of characters. */
  folded: string;
  /** Span of the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Begins with a capital letter, in a script that has them. */
  capital: boolean;
  /** Begins with a digit. */
  digit: boolean;
  /** A sentence, bracket or phrase mark stands before it. */
  parted: boolean;
}

const algorithms: Partial<Record<AnswerLanguage, string>> = {
  en: "english",
  fr: "french",
  de: "german",
  es: "spanish",
  it: "italian",
  nl: "dutch",
  pt: "portuguese",
  ru: "russian",
  ar: "arabic",
};

/** A number with its marks (1.234,56), or a run of letters and digits. */
const wordPattern = /\p{Nd}+(?:[.,'’]\p{Nd}+)*|[\p{L}\p{M}\p{N}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const ascii = /^[\x20-\x7e]*$/;

/** Lower case without accents and with one form of each letter. May change the length. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(/ı/g, "i")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/[’‘`´ʼ]/g, "'");
}

/** The words of a text in their order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const parted =
      tokens.length === 0 || /[.,;:!?()[\]«»„“”"。，；：！？、（）《》،؛؟|\n]/u.test(text.slice(last, index));
    last = index + word.length;
    if (unspaced.test(word)) addRuns(tokens, word, index, parted);
    else tokens.push(tokenOf(word, index, parted));
  }
  return tokens;
}

function tokenOf(word: string, start: number, parted: boolean): Token {
  const first = word.codePointAt(0) as number;
  const digit = first < 0x80 ? first >= 48 && first <= 57 : /^\p{Nd}/u.test(word);
  const capital = first < 0x80 ? first >= 65 && first <= 90 : /^\p{Lu}/u.test(word);
  return {
    word,
    folded: digit ? plainNumber(fold(word)) : fold(word),
    start,
    end: start + word.length,
    capital,
    digit,
    parted,
  };
}

/** Without the marks between groups of three digits: `10,000` and `10.000` are `10000`. */
const plainNumber = (number: string): string =>
  /^\d{1,3}(?:[.,'’]\d{3})+(?!\d)/.test(number)
    ? number.replace(/[.,'’](?=\d{3}(?!\d))/g, "")
    : number.replaceAll(",", ".");

function addRuns(tokens: Token[], word: string, offset: number, parted: boolean): void {
  for (const { 0: run, index } of word.matchAll(unspacedRuns)) {
    const start = offset + index;
    if (!unspaced.test(run)) tokens.push(tokenOf(run, start, parted && index === 0));
    else addPairs(tokens, run, start, parted && index === 0);
  }
}

function addPairs(tokens: Token[], run: string, offset: number, parted: boolean): void {
  const characters = [...run];
  let start = offset;
  for (let i = 0; i < Math.max(1, characters.length - 1); i++) {
    const pair = (characters[i] as string) + (characters[i + 1] ?? "");
    tokens.push({
      word: pair,
      folded: fold(pair),
      start,
      end: start + pair.length,
      capital: false,
      digit: false,
      parted: parted && i === 0,
    });
    start += (characters[i] as string).length;
  }
}

const maxStems = 50_000;
const stemmed = new Map<AnswerLanguage, { stemmer: Stemmer | undefined; stems: Map<string, string> }>();

/** The stem of a word as it is written, folded. */
export function stemOf(word: string, language: AnswerLanguage): string {
  let entry = stemmed.get(language);
  if (entry === undefined) {
    const algorithm = algorithms[language];
    entry = { stemmer: algorithm === undefined ? undefined : stemmers.newStemmer(algorithm), stems: new Map() };
    stemmed.set(language, entry);
  }
  const known = entry.stems.get(word);
  if (known !== undefined) return known;
  const plain = word.normalize("NFC").toLowerCase();
  const stem = fold(
    entry.stemmer !== undefined && plain.length < 60 ? entry.stemmer.stem(barePrefix(plain, language)) : plain,
  );
  if (entry.stems.size >= maxStems) entry.stems.clear();
  entry.stems.set(word, stem);
  return stem;
}

/** Arabic writes the article and short prepositions into the word. */
export function barePrefix(word: string, language: AnswerLanguage): string {
  if (language !== "ar") return word;
  const bare = word.replace(/[\u064b-\u065f\u0640]/g, "").replace(/[أإآ]/g, "ا");
  const cut = bare.replace(/^(?:[وفبك]?ال|لل)(?=.{3})/u, "");
  return cut.length < bare.length ? cut : bare.replace(/^[وبلف](?=.{4})/u, "");
}

const stopSets = new Map(languages.map((language) => [language, new Set(wordsOf(stopWords[language]))]));

export const isStopWord = (folded: string, language: AnswerLanguage): boolean =>
  stopSets.get(language)?.has(folded) === true;

const scripts: readonly [RegExp, AnswerLanguage][] = [
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Han}/gu, "zh"],
];

/** The language of a text by its script and its function words; undefined where neither tells. */
export function languageOf(text: string): AnswerLanguage | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language] of scripts) {
    if ((text.match(script)?.length ?? 0) * (language === "zh" ? 4 : 2) > letters) return language;
  }
  const words = tokensOf(text).map((token) => token.folded);
  const raw = text.toLowerCase();
  let best: { language: AnswerLanguage; votes: number } | undefined;
  for (const language of languages) {
    const known = words.filter((word) => isStopWord(word, language));
    const votes = known.reduce((sum, word) => sum + (word.length > 2 ? 1.5 : 1), 0) + accentVotes(raw, language);
    if (votes > (best?.votes ?? 0)) best = { language, votes };
  }
  return best?.language;
}

/** Letters that few of the languages have. */
const accents: Partial<Record<AnswerLanguage, RegExp>> = {
  fr: /[èêëçœùûî]|qu'|\bd'|\bl'/,
  de: /[äöüß]/,
  es: /[ñ¿¡áó]/,
  it: /[òàìù]|ch'|\bl'|dell'/,
  pt: /[ãõçâô]/,
  nl: /ij\b|\bhet\b/,
};

const accentVotes = (text: string, language: AnswerLanguage): number => (accents[language]?.test(text) ? 1 : 0);
