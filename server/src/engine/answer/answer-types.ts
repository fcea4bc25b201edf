/**
 * Checks whether a text span holds a value of the type that the question asks for. Values that are
 * already in the question do not count.
 */

import { foldWord } from "../../language/folding.ts";
import { isStopWord } from "../../language/function-words.ts";
import { type AnswerLanguage, languages, wordsOf } from "../../language/question-languages.ts";
import type { WordToken } from "../../language/word-tokens.ts";
import type { AnswerType } from "../lexicon/questions/focus-nouns.ts";
import { moneyWords, monthsAndTimes, numberWords, percentWords } from "../lexicon/questions/value-words.ts";
import { typeWeights } from "./answer-weights.ts";

const setOf = (lists: Readonly<Record<AnswerLanguage, string>>): Set<string> =>
  new Set(languages.flatMap((language) => wordsOf(lists[language])));
const times = setOf(monthsAndTimes);
const numbers = setOf(numberWords);
const money = new Set(wordsOf(moneyWords).map(foldWord));
const percents = new Set(wordsOf(percentWords).map(foldWord));

const moneyMarks = /[$€£¥₹₽]/;
const percentMarks = /[%٪]/;
const chineseTime = /[\p{Nd}〇一二三四五六七八九十](?:年|月|日|世纪|天|周|小时)/u;
const chineseNumber = /[\p{Nd}一二三四五六七八九十百千万亿两半]/u;
const year = /^(?:1\d{3}|20\d{2})s?$/;

/** Text of a unit or piece, with its tokens. */
export interface ValueSpan {
  text: string;
  tokens: readonly WordToken[];
}

/**
 * Returns the degree to which the span holds a value of the type: 1 if it certainly does, 0 if it
 * does not, and a number in between if it may. `asked` contains the folded words of the question.
 */
export function holds(type: AnswerType, span: ValueSpan, asked: ReadonlySet<string>, language: AnswerLanguage): number {
  const w = typeWeights;
  const fresh = (token: WordToken): boolean => !asked.has(token.folded);
  switch (type) {
    case "time":
      return holdsTime(span, fresh) ? 1 : span.tokens.some((token) => token.digit && fresh(token)) ? w.digitForTime : 0;
    case "number":
      return holdsNumber(span, fresh);
    case "money":
      return (moneyMarks.test(span.text) || span.tokens.some((token) => money.has(token.folded))) &&
        holdsNumber(span, fresh) > 0
        ? 1
        : holdsNumber(span, fresh) * w.numberForMoney;
    case "percent":
      return percentMarks.test(span.text) || span.tokens.some((token) => percents.has(token.folded) && fresh(token))
        ? 1
        : holdsNumber(span, fresh) * w.numberForPercent;
    default:
      return holdsName(type, span, fresh, language);
  }
}

function holdsTime(span: ValueSpan, fresh: (token: WordToken) => boolean): boolean {
  return (
    span.tokens.some((token) => fresh(token) && (year.test(token.folded) || times.has(token.folded))) ||
    /\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{1,4}/u.test(span.text) ||
    chineseTime.test(span.text)
  );
}

function holdsNumber(span: ValueSpan, fresh: (token: WordToken) => boolean): number {
  if (span.tokens.some((token) => token.digit && fresh(token) && !year.test(token.folded))) return 1;
  if (span.tokens.some((token) => numbers.has(token.folded) && fresh(token))) return typeWeights.numberWord;
  if (chineseNumber.test(span.text)) return typeWeights.chineseNumber;
  return span.tokens.some((token) => token.digit && fresh(token)) ? typeWeights.yearForNumber : 0;
}

const caseless = new Set<AnswerLanguage>(["ar", "zh"]);
const placeMarks = new Set(
  "in at near from to of à a au aux en dans de vers chez près im am aus bei nach zu von em no na ad da nel nella te naar uit в во на из под около near into across"
    .split(" ")
    .map(foldWord),
);

function holdsName(
  type: AnswerType,
  { tokens }: ValueSpan,
  fresh: (token: WordToken) => boolean,
  language: AnswerLanguage,
): number {
  const w = typeWeights;
  // Names are recognized by capital letters. In a script without letter case, all sentences get the
  // same score.
  if (caseless.has(language)) return w.caseless;
  let best = 0;
  for (const [index, token] of tokens.entries()) {
    if (!token.capital || !fresh(token) || isStopWord(token.folded, language)) continue;
    const next = tokens[index + 1];
    const before = tokens[index - 1];
    const pair = next?.capital === true && !next.parted && !isStopWord(next.folded, language);
    const inside = !token.parted;
    let score = pair ? 1 : inside ? (language === "de" ? w.germanNoun : w.capitalized) : w.firstWord;
    if (type === "place" && !(before !== undefined && placeMarks.has(before.folded))) score *= w.withoutPlaceMark;
    best = Math.max(best, score);
  }
  return best;
}
