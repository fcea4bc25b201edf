/**
 * Converts a passive sentence that names its agent into the active voice: "B was founded by A"
 * becomes "A founded B".
 */

import { itemAt } from "../../../lib/item-at.ts";
import type { ClauseWord, Sentence } from "./clause-words.ts";
import { type Grammar, grammars, type JudgedLanguage, type Tense } from "./grammar.ts";
import { isIrregularPast, isSameVerb, isSameWord } from "./same-word.ts";

export interface Active {
  isStatedBy(other: Sentence): boolean;
}

type Time = "present" | "past";

const timeOfPassive: Partial<Record<Tense, Time>> = {
  present: "present",
  passive: "present",
  past: "past",
  perfect: "past",
  "past-passive": "past",
};

/**
 * Returns the active forms of a passive sentence. There are several if it is not clear where the
 * agent ends.
 */
export function activesOf({ words, auxiliaries }: Sentence, language: JudgedLanguage): Active[] {
  const grammar = grammars[language];
  const by = words.findIndex(({ key }) => grammar.by.has(key));
  const [auxiliary, ...others] = auxiliaries;
  if (by < 1 || !auxiliary || others.some(({ tense }) => tense !== auxiliary.tense)) return [];
  if (words.some(({ key }, at) => at > by && grammar.by.has(key))) return [];
  const time = timeOf(
    auxiliaries.map(({ tense }) => tense),
    language,
  );
  const patient = words.slice(0, auxiliary.before);
  const actives: Active[] = [];
  const add = (verb: ClauseWord | undefined, agent: readonly ClauseWord[], rest: readonly ClauseWord[]) => {
    if (!verb || !time || agent.length === 0 || patient.length === 0) return;
    actives.push({ isStatedBy: (other) => isActive(other, { verb, agent, patient, rest, time }, language, grammar) });
  };
  // In "B was founded by A in 1911", the verb stands directly before the agent.
  const verbBefore = auxiliary.before === by - 1;
  // In "B wurde von A gegründet", the verb stands at the end of the sentence.
  const verbLast = auxiliary.before === by;
  for (let end = by + 2; end <= words.length; end++) {
    const agent = words.slice(by + 1, end);
    if (verbBefore) add(words[by - 1], agent, words.slice(end));
    if (verbLast && end < words.length) add(words.at(-1), agent, words.slice(end, -1));
  }
  return actives;
}

function timeOf(tenses: readonly Tense[], language: JudgedLanguage): Time | undefined {
  const time = timeOfPassive[itemAt(tenses, 0)];
  // Dutch "is opgericht" and German "ist gegründet" are past tense. In other languages the same
  // form is present tense.
  return (language === "de" || language === "nl") && tenses[0] === "present" ? "past" : time;
}

interface Parts {
  verb: ClauseWord;
  agent: readonly ClauseWord[];
  patient: readonly ClauseWord[];
  rest: readonly ClauseWord[];
  time: Time;
}

function isActive(
  { words, auxiliaries }: Sentence,
  { verb, agent, patient, rest, time }: Parts,
  language: JudgedLanguage,
  { by }: Grammar,
): boolean {
  if (words.some(({ key }) => by.has(key)) || auxiliaries.length > 1) return false;
  const perfect = auxiliaries[0]?.tense === "perfect";
  if (auxiliaries.length === 1 && !perfect) return false;
  // A noun in the accusative, dative or genitive is not the subject.
  if (language === "de" && objectArticles.has(words[0]?.article ?? "")) return false;
  const orders = [[...agent, verb, ...patient, ...rest]];
  if (perfect && (language === "de" || language === "nl")) orders.push([...agent, ...patient, ...rest, verb]);
  return orders.some(
    (expected) =>
      expected.length === words.length &&
      expected.every((word, at) => {
        const other = itemAt(words, at);
        return word === verb ? isSameVerb(other, verb, language) && hasTime(other) : isSameWord(other, word, language);
      }),
  );

  function hasTime(other: ClauseWord): boolean {
    return perfect ? time === "past" : activeTime(other.text, language) === time;
  }
}

const objectArticles = new Set(["den", "dem", "des", "einen", "einem", "eines"]);

/**
 * Endings of the past tense in the third person. A verb without such an ending counts as present.
 */
const pastEndings: Partial<Record<JudgedLanguage, RegExp>> = {
  en: /ed$/u,
  de: /te[n]?$/u,
  nl: /(?:te|de)[n]?$/u,
  es: /(?:ó|aron|ieron)$/u,
  it: /(?:ò|ì|é|arono|irono|erono)$/u,
  pt: /(?:ou|eu|iu|aram|eram|iram)$/u,
  fr: /(?:èrent|irent|urent)$/u,
};

function activeTime(text: string, language: JudgedLanguage): Time {
  if (language === "en" && isIrregularPast(text)) return "past";
  return pastEndings[language]?.test(text) ? "past" : "present";
}
