/** Whether a sentence that a model wrote says no more than the quotes that it rests on. */
import { isStopWord, languageOf, stemOf, type Token, tokensOf } from "../../builtin/answer/analysis.ts";
import { type AnswerLanguage, languages } from "../../builtin/answer/lexicon/language.ts";
import { monthsAndTimes } from "../../builtin/answer/lexicon/value-words.ts";
import { type DateOrder, findDates } from "../../builtin/formats/date.ts";
import { sameSense } from "./sense.ts";

/** So much of a sentence's telling words must stand in its quotes: the rest is grammar and manner of speaking. */
const minShared = 0.6;
const minBeginning = 5;
const links = /https?:|www\.|\[[^[\]]*\]\(/iu;
const months = new Set(languages.flatMap((language) => monthsAndTimes[language].split(" ")));
const sentencePattern = /[^.!?。！？\n]+(?:[.](?=\S)[^.!?。！？\n]+)*[.!?。！？]*/gu;

export interface Context {
  question: string;
  /** What was asked before, titles and headings of what is quoted. */
  titles: readonly string[];
}

const nothingAsked: Context = { question: "", titles: [] };

/**
 * True if the numbers, dates, names, denials and most of the telling words of the sentence come from the quotes, which must have been found
 * in the documents before. The context may lend names, and the question its words, but no numbers, no denial, and nothing of what answers it.
 */
export function supported(
  sentence: string,
  quotes: readonly string[],
  context: Context = nothingAsked,
  order: DateOrder = "dmy",
): boolean {
  const said = quotes.join("\n");
  if (said.trim() === "" || !isPlain(sentence, said)) return false;
  const language = languageOf(`${sentence} ${said}`) ?? "en";
  const rest = withoutKnownDates(sentence, said, order);
  const tokens = tokensOf(rest);
  const known = tokensOf(said);
  if (!numbersStand(tokens, known)) return false;
  const asked = tokensOf(context.question);
  const lent = [...known, ...asked, ...tokensOf(context.titles.join("\n"))];
  if (!namesStand(tokens, lent, language) || !wordsStand(tokens, known, asked, language)) return false;
  const stems = stemsOf(tokens, language);
  const shares = (token: Token): boolean => stems.has(stemOf(token.word, language));
  return sameSense(tokensOf(sentence), nearestSentences(quotes, shares, language), shares, language, known);
}

/** True if every address in the text stands in what is quoted, and nothing is to be rendered. */
export function isPlain(sentence: string, said: string): boolean {
  if (!links.test(sentence) && !holdsTag(sentence)) return true;
  if (/\]\(|<\s*\p{L}/u.test(sentence)) return false;
  const addresses = sentence.match(/(?:https?:|www\.)[^\s)\]>"']+/giu) ?? [];
  return addresses.every((address) => said.includes(address.replace(/(?<![.,;:!?])[.,;:!?]+$/, "")));
}

function holdsTag(text: string): boolean {
  const opening = text.search(/<\s*\p{L}/u);
  return opening >= 0 && text.includes(">", opening);
}

/** Dates that the quotes have in another form are no numbers any more. */
function withoutKnownDates(sentence: string, said: string, order: DateOrder): string {
  const dates = new Set(findDates(said, order).map((date) => date.value));
  let text = sentence;
  for (const date of findDates(sentence, order).toReversed())
    if (dates.has(date.value)) text = `${text.slice(0, date.start)} ${text.slice(date.end)}`;
  return text;
}

function numbersStand(tokens: readonly Token[], known: readonly Token[]): boolean {
  const numbers = new Set(known.flatMap((token) => digitsOf(token)));
  return tokens.every((token) => digitsOf(token).every((digits) => numbers.has(digits)));
}

/** The numbers in a token; those of "A4" and "1er" too. */
const digitsOf = ({ folded, digit }: Token): string[] =>
  digit && /^[\d.]+$/.test(folded) ? [trimmed(folded)] : (folded.match(/\d+/g) ?? []);
const trimmed = (number: string): string => (/^\d+\.\d+$/.test(number) ? String(Number(number)) : number);

/** Every capitalised word inside of the sentence is one of the quotes; nouns of German count as words. */
function namesStand(tokens: readonly Token[], known: readonly Token[], language: AnswerLanguage): boolean {
  if (language === "de") return true;
  const words = new Set(known.map((token) => token.folded));
  return tokens.every((token, at) => {
    const first = at === 0 && !(tokens[1]?.capital === true && !tokens[1].parted);
    if (!token.capital || first || isKnownWord(token, language)) return true;
    return words.has(token.folded) || words.has(token.folded.replace(/s$/, "")) || words.has(`${token.folded}s`);
  });
}

const isKnownWord = ({ folded }: Token, language: AnswerLanguage): boolean =>
  isStopWord(folded, language) || months.has(folded) || folded.length < 2;

/** What a sentence says beyond the question must come from the quotes; where it says nothing beyond it, the question must have. */
function wordsStand(
  tokens: readonly Token[],
  known: readonly Token[],
  asked: readonly Token[],
  language: AnswerLanguage,
): boolean {
  const lent = new Set(asked.map((token) => stemOf(token.word, language)));
  const saying = tokens.filter((token) => !isStopWord(token.folded, language));
  // A letter by itself says nothing.
  if (!tokens.some(({ folded, digit }) => digit || folded.length > 1)) return false;
  const beyond = saying.filter((token) => !lent.has(stemOf(token.word, language)));
  const judged = beyond.length > 0 ? beyond : saying;
  const stems = new Set(known.map((token) => stemOf(token.word, language)));
  const shared = judged.filter(
    (token) => months.has(token.folded) || token.digit || hasWord(token, stems, known, language),
  );
  return shared.length >= minShared * judged.length;
}

function hasWord(token: Token, stems: ReadonlySet<string>, known: readonly Token[], language: AnswerLanguage): boolean {
  if (stems.has(stemOf(token.word, language))) return true;
  if (token.capital && language !== "de") return false;
  const beginning = token.folded.slice(0, Math.max(minBeginning, Math.ceil(token.folded.length * 0.65)));
  return token.folded.length >= minBeginning && known.some((each) => each.folded.startsWith(beginning));
}

const stemsOf = (tokens: readonly Token[], language: AnswerLanguage): Set<string> =>
  new Set(tokens.filter((token) => !isKnownWord(token, language)).map((token) => stemOf(token.word, language)));

/** Of the sentences of the quotes those that share most words with the one that is judged. */
function nearestSentences(
  quotes: readonly string[],
  shares: (token: Token) => boolean,
  language: AnswerLanguage,
): Token[][] {
  const sentences = quotes
    .flatMap((quote) => quote.match(sentencePattern) ?? [quote])
    .map((text) => tokensOf(text))
    .map((own) => ({ own, shared: new Set(own.filter(shares).map(({ word }) => stemOf(word, language))).size }));
  const most = Math.max(0, ...sentences.map(({ shared }) => shared));
  return sentences.filter(({ shared }) => shared === most && most > 0).map(({ own }) => own);
}
