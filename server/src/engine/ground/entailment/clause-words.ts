/**
 * Parses a sentence into words that can be compared. Each number or date becomes one word, and
 * synonymous phrases get the same key.
 */

import { foldWord } from "../../../language/folding.ts";
import { itemAt } from "../../../lib/item-at.ts";
import { type DateOrder, findDates } from "../../values/dates.ts";
import { byLanguage, type Grammar, grammars, type JudgedLanguage, type Tense } from "./grammar.ts";
import { phrasesByFirstWord, type SynonymPhrase } from "./synonyms.ts";

export interface ClauseWord {
  /** Lower case, with accents. */
  text: string;
  /** Comparison key. Synonymous phrases have the same key. */
  key: string;
  kind: "word" | "number" | "date";
  capital: boolean;
  /**
   * Comma, semicolon, colon, quotation mark or bracket directly before the word. Empty if there is
   * none.
   */
  mark: string;
  /** Folded article before the word. Empty if there is none. */
  article: string;
  /** True if a word for "of" in the sentence's language stands before this word. */
  of: boolean;
}

/** An auxiliary verb, and the index of the word after it. */
export interface Auxiliary {
  tense: Tense;
  before: number;
}

export interface Sentence {
  words: ClauseWord[];
  auxiliaries: Auxiliary[];
  /** True if the sentence ends with a question mark. */
  isQuestion: boolean;
}

/**
 * Function words that differ from another word only in an accent. Their keys therefore keep the
 * accent.
 */
const toldByAccent = new Set(
  "è é à às está estão están sí sì où dà né là ó würde würden hätte hätten wäre wären".split(" "),
);

/** Number words up to twelve. */
const numbersWritten: Record<JudgedLanguage, string> = {
  en: "one two three four five six seven eight nine ten eleven twelve",
  de: "- zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
  fr: "- deux trois quatre cinq six sept huit neuf dix onze douze",
  es: "- dos tres cuatro cinco seis siete ocho nueve diez once doce",
  it: "- due tre quattro cinque sei sette otto nove dieci undici dodici",
  nl: "- twee drie vier vijf zes zeven acht negen tien elf twaalf",
  pt: "- dois tres quatro cinco seis sete oito nove dez onze doze",
};
const writtenNumbers = byLanguage(
  (language): ReadonlyMap<string, string> =>
    new Map(numbersWritten[language].split(" ").map((word, at) => [word, String(at + 1)])),
);

const units: Readonly<Record<string, string>> = {
  "€": "eur",
  euro: "eur",
  euros: "eur",
  $: "usd",
  dollar: "usd",
  dollars: "usd",
  "£": "gbp",
  "%": "%",
  percent: "%",
  prozent: "%",
  kilogram: "kg",
  kilograms: "kg",
  kilogramm: "kg",
  kilometres: "km",
  kilometers: "km",
  kilometer: "km",
  kilometros: "km",
  metres: "m",
  meters: "m",
};

/**
 * Matches a number with its sign and separators, a word, a symbol, or a punctuation mark that
 * separates words.
 */
const pattern =
  /(?<![\p{L}\p{N}])[-−–]?\p{Nd}+(?:[.,'’]\p{Nd}+)*|\p{Nd}+|\p{L}[\p{L}\p{M}]*|[$€£¥%‰°§&+=<>/]|[,;:()[\]"“”„«»–—|]/gu;
const isMark = (text: string): boolean => /^[,;:()[\]"“”„«»–—|]$/u.test(text);

interface Raw {
  text: string;
  start: number;
}

/**
 * Parses a sentence. `order` is the order of day and month in the source. If it is undefined, two
 * ambiguous dates are equal only if they are written identically.
 */
export function readSentence(written: string, language: JudgedLanguage, order: DateOrder | undefined): Sentence {
  const grammar = grammars[language];
  const sentence: Sentence = { words: [], auxiliaries: [], isQuestion: /[?？]\s*$/u.test(written) };
  let [mark, article, of] = ["", "", false];
  for (const token of tokensIn(written, language, order)) {
    const isFirst = sentence.words.length === 0 && sentence.auxiliaries.length === 0;
    if ("mark" in token) {
      mark = token.mark;
      continue;
    }
    const { key, text } = token;
    const tense = token.kind === "word" ? grammar.auxiliaries.get(key) : undefined;
    if (tense !== undefined) sentence.auxiliaries.push({ tense, before: sentence.words.length });
    else if (grammar.silent.has(key)) completeLast(sentence);
    if (tense !== undefined || grammar.silent.has(key)) continue;
    if (token.kind === "word" && isFree(token, isFirst, grammar)) {
      if (grammar.of.has(key)) of = true;
      else article = key;
      continue;
    }
    const capital = /^\p{Lu}/u.test(token.written);
    sentence.words.push({ text, key, kind: token.kind, capital, mark, article, of });
    [mark, article, of] = ["", "", false];
  }
  return sentence;
}

/**
 * Changes the tense of the last auxiliary when the participle of an auxiliary follows it: "ist
 * gegründet" is present, but "ist gegründet worden" is perfect.
 */
function completeLast({ auxiliaries }: Sentence): void {
  const last = auxiliaries.at(-1);
  if (last?.tense === "present") last.tense = "perfect";
  else if (last?.tense === "past") last.tense = "pluperfect";
}

/**
 * Returns true for an article or a word for "of". Returns false for a single capital letter inside
 * a sentence, which is a name, as in "Appendix A".
 */
const isFree = ({ key, written }: ClauseToken, isFirst: boolean, { free }: Grammar): boolean =>
  free.has(key) && (isFirst || !/^\p{Lu}$/u.test(written));

interface ClauseToken {
  text: string;
  key: string;
  kind: ClauseWord["kind"];
  written: string;
}

function* tokensIn(
  written: string,
  language: JudgedLanguage,
  order: DateOrder | undefined,
): Generator<ClauseToken | { mark: string }> {
  const plain = expanded(written.normalize("NFC"), language);
  const { contractions } = grammars[language];
  const raw = currencyBehind(rawTokens(plain, order));
  for (let at = 0; at < raw.length; at++) {
    const { text } = itemAt(raw, at);
    if (isMark(text)) {
      yield { mark: text };
    } else if (text.startsWith("date:")) {
      yield { text, key: text, kind: "date", written: text };
    } else if (/^[-−–]?\p{Nd}/u.test(text)) {
      yield { text, key: numberKey(text), kind: "number", written: text };
    } else {
      const phrase = phraseAt(raw, at, language);
      const lower = text.toLowerCase();
      const bare = keyOf(lower);
      const number = writtenNumbers[language].get(bare);
      if (phrase) at += phrase.words.length - 1;
      const key = phrase?.key ?? number ?? units[lower] ?? units[bare] ?? contractions.get(bare) ?? bare;
      const kind = number !== undefined && !phrase ? "number" : "word";
      yield { text: phrase && phrase.words.length > 1 ? phrase.key : lower, key, kind, written: text };
    }
  }
}

function rawTokens(text: string, order: DateOrder | undefined): Raw[] {
  const dates = findDates(text, order ?? "dmy").map((date) => ({
    ...date,
    value: date.ambiguous && order === undefined ? text.slice(date.start, date.end) : date.value,
  }));
  const raw: Raw[] = [];
  let next = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    while ((dates[next]?.end ?? Infinity) <= index) next++;
    const date = dates[next];
    if (date && date.start <= index && index < date.end) {
      if (raw.at(-1)?.text !== `date:${date.value}` || raw.at(-1)?.start !== date.start)
        raw.push({ text: `date:${date.value}`, start: date.start });
    } else raw.push({ text: found, start: index });
  }
  return raw;
}

/** Puts the currency after the number: "€ 5" becomes "5 €". */
function currencyBehind(raw: Raw[]): Raw[] {
  for (const [at, { text }] of raw.entries()) {
    const next = raw[at + 1];
    if (next && /^(?:[$€£¥]|EUR|USD|GBP|CHF)$/.test(text) && /^\p{Nd}/u.test(next.text))
      [raw[at], raw[at + 1]] = [next, itemAt(raw, at)];
  }
  return raw;
}

/** Expands contracted negations: "isn't" becomes "is not". */
function expanded(text: string, language: JudgedLanguage): string {
  if (language !== "en") return text;
  return text
    .replace(/\bcan(?:['’]t|not)\b/giu, "can not")
    .replace(/\bwon['’]t\b/giu, "will not")
    .replace(/n['’]t\b/giu, " not");
}

const keyOf = (lower: string): string => (toldByAccent.has(lower) ? lower : foldWord(lower));

function phraseAt(raw: readonly Raw[], at: number, language: JudgedLanguage): SynonymPhrase | undefined {
  const first = keyOf(itemAt(raw, at).text.toLowerCase());
  return phrasesByFirstWord[language]
    .get(first)
    ?.find(({ words }) => words.every((word, next) => keyOf(raw[at + next]?.text.toLowerCase() ?? "") === word));
}

/** Returns the number without thousands separators, and with a point as decimal mark. */
function numberKey(text: string): string {
  const sign = /^[-−–]/.test(text) ? "-" : "";
  const digits = text
    .replace(/^[-−–]/, "")
    .normalize("NFKC")
    .replaceAll("’", "'");
  const grouped = /^\d{1,3}(?:[.,']\d{3})+(?!\d)/.test(digits);
  const plain = grouped ? digits.replace(/[.,'](?=\d{3}(?!\d))/g, "") : digits.replaceAll(",", ".");
  return sign + (/^\d+\.\d+$/.test(plain) ? String(Number(plain)) : plain);
}
