/**
 * Reads wishes about the answer from `instructions` (of the request) and `consignes` (of the
 * agent). Reads only wishes that can be fulfilled by quoting, without a language model. These are
 * the answer length, the language of the fixed sentences, topics to avoid, and the text to return
 * if there is no answer. Tone, form of address and rewriting are ignored, because answers are
 * quoted, not written.
 */

import { foldWord } from "../../language/folding.ts";
import { type AnswerLanguage, phrasesOf } from "../../language/question-languages.ts";
import type { AnswerWishes } from "../answering.ts";
import {
  languageNames,
  longPhrases,
  negativePhrases,
  noAnswerPhrases,
  sentenceWords,
  shortPhrases,
  wordWords,
} from "../lexicon/questions/wish-words.ts";

/**
 * Default maximum answer length in words, about one and a half sentences. Chosen by hand, 2026-11.
 */
const usualWords = 40;
const usualSentences = 3;
const long = { words: 120, sentences: 8 };
const short = { words: 25, sentences: 1 };

/**
 * Reads the consignes first. A later wish replaces an earlier one, so the instructions of a request
 * override the consignes of its agent.
 */
export function wishesOf(
  instructions: readonly string[],
  consignes: readonly string[],
  language: AnswerLanguage,
): AnswerWishes {
  const wishes: AnswerWishes = { words: usualWords, sentences: usualSentences, language, avoid: [] };
  for (const instruction of [...consignes, ...instructions]) apply(instruction, wishes);
  return wishes;
}

function apply(instruction: string, wishes: AnswerWishes): void {
  const folded = ` ${foldWord(instruction).replace(/\s+/g, " ")} `;
  const quoted = quotedIn(instruction);
  if (quoted !== undefined && has(folded, noAnswerPhrases)) {
    wishes.noAnswer = quoted;
    return;
  }
  const avoided = avoidedIn(instruction, folded);
  if (avoided !== undefined) {
    wishes.avoid.push(avoided);
    return;
  }
  const sentences = numberBefore(folded, sentenceWords);
  const words = numberBefore(folded, wordWords);
  if (sentences !== undefined)
    Object.assign(wishes, { sentences, words: sentences === 1 ? usualWords : sentences * 30 });
  if (words !== undefined) wishes.words = Math.max(minWords, words);
  if (sentences === undefined && words === undefined) {
    if (has(folded, shortPhrases)) Object.assign(wishes, short);
    else if (has(folded, longPhrases)) Object.assign(wishes, long);
  }
  const asked = languageIn(folded);
  if (asked !== undefined) wishes.language = asked;
}

/**
 * Minimum answer length, in words, that a user can set. Shorter answers are useless. Chosen by
 * hand, 2026-11.
 */
const minWords = 5;
const maxCount = 500;

const has = (folded: string, phrases: string): boolean =>
  phrasesOf(phrases).some((phrase) => holdsPhrase(folded, phrase));

/**
 * Returns true if the text contains the phrase as whole words. In scripts without word separators
 * any occurrence counts.
 */
function holdsPhrase(folded: string, phrase: string): boolean {
  const pattern = wholeWords.get(phrase);
  return pattern === undefined ? folded.includes(phrase) : pattern.test(folded);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const wholeWords = new Map(
  [noAnswerPhrases, negativePhrases, shortPhrases, longPhrases, ...Object.values(languageNames)]
    .flatMap(phrasesOf)
    .filter((phrase) => !/\p{Script=Han}/u.test(phrase))
    .map((phrase) => [phrase, new RegExp(`(?<!\\p{L})${escaped(phrase)}(?!\\p{L})`, "u")]),
);

/**
 * For each noun, a pattern for the number or word directly before it. The pattern starts only where
 * a run of letters starts: trying every letter of a long run would take quadratic time.
 */
const numbersBefore = new Map(
  [sentenceWords, wordWords]
    .flatMap(phrasesOf)
    .map((noun) => [
      noun,
      new RegExp(
        `(\\p{Nd}{1,3}|(?:(?<!\\p{L})|(?<=${noun}))\\p{L}+?)[\\s-]*句?(?:(?:single|seule|short|kurzen|only)\\s)?${noun}`,
        "gu",
      ),
    ]),
);

const written: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  ein: 1,
  einem: 1,
  einen: 1,
  zwei: 2,
  drei: 3,
  una: 1,
  uno: 1,
  dos: 2,
  tres: 3,
  due: 2,
  tre: 3,
  een: 1,
  twee: 2,
  drie: 3,
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  одно: 1,
  одном: 1,
  одним: 1,
  двух: 2,
  трех: 3,
  一: 1,
  两: 2,
  三: 3,
  single: 1,
  seule: 1,
  einzigen: 1,
  sola: 1,
  جمله: 1,
};

/** Returns the number directly before a noun: "in two sentences", "at most 30 words". */
function numberBefore(folded: string, nouns: string): number | undefined {
  for (const noun of phrasesOf(nouns)) {
    for (const match of folded.matchAll(numbersBefore.get(noun) as RegExp)) {
      const said = match[1] ?? "";
      const value = /^\p{Nd}+$/u.test(said) ? Number(said) : written[said];
      if (value !== undefined && value >= 1 && value <= maxCount) return value;
    }
  }
  return undefined;
}

const quotePattern = /["“«„「『](.[^"”»“」』]{0,499})["”»“」』]/su;
const quotedIn = (text: string): string | undefined => quotePattern.exec(text)?.[1]?.trim() || undefined;

/** Returns the text after "do not mention", up to the end of the phrase. */
function avoidedIn(instruction: string, folded: string): string | undefined {
  const phrase = phrasesOf(negativePhrases).find((each) => holdsPhrase(folded, each));
  if (phrase === undefined) return undefined;
  const rest = foldWord(instruction).split(phrase).slice(1).join(phrase);
  const named = (quotedIn(rest) ?? rest.split(/[.;!?\n。]/)[0] ?? "")
    .replace(/^[\s:]*(?:the|any|le|la|les|l'|den|die|das|el|los|las|il|de|het|o|a|os|as)\s+/u, "")
    .trim();
  return named.length >= 2 && named.length <= 80 ? named : undefined;
}

function languageIn(folded: string): AnswerLanguage | undefined {
  const names = Object.entries(languageNames) as [AnswerLanguage, string][];
  return names.find(([, phrases]) => has(folded, phrases))?.[0];
}
