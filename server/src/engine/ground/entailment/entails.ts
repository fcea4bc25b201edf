/**
 * Checks whether one clause of the source entails a sentence. Returns true only if both have the
 * same words, in the same order or in another order that grammar allows. If there is any doubt, it
 * returns false, and callers use the source sentence instead.
 */
import { itemAt } from "../../../lib/item-at.ts";
import type { DateOrder } from "../../values/dates.ts";
import { type ClauseWord, readSentence, type Sentence } from "./clause-words.ts";
import { clausesOf, withoutConnectives } from "./clauses.ts";
import { type Grammar, grammars, type JudgedLanguage, type Tense } from "./grammar.ts";
import { isSameWord } from "./same-word.ts";
import { activesOf } from "./voice.ts";

/**
 * Maximum number of words of a sentence, and of its source. Longer sentences are not judged, which
 * bounds the running time. Chosen by hand, 2026-11.
 */
const mostWords = 80;

export function entails(source: string, said: string, language: JudgedLanguage, order: DateOrder | undefined): boolean {
  const grammar = grammars[language];
  const sentence = withoutConnectives(readSentence(said, language, order), grammar);
  const whole = readSentence(source, language, order);
  if (sentence.words.length === 0 || sentence.isQuestion || whole.isQuestion) return false;
  if (sentence.words.length > mostWords || whole.words.length > mostWords) return false;
  return clausesOf(whole, grammar).some((clause) => statesSame(sentence, clause, language));
}

function statesSame(sentence: Sentence, clause: Sentence, language: JudgedLanguage): boolean {
  const grammar = grammars[language];
  const agrees = (a: readonly ClauseWord[], b: readonly ClauseWord[]): boolean =>
    a.length === b.length &&
    a.every((word, at) => isSameWord(word, itemAt(b, at), language) && sameCase(word, itemAt(b, at), language));
  if (sameTime(sentence, clause) || isLabel(clause, sentence))
    if (arrangementsOf(clause, sentence, grammar, language).some((words) => agrees(sentence.words, words))) return true;
  return (
    activesOf(clause, language).some((active) => active.isStatedBy(sentence)) ||
    activesOf(sentence, language).some((active) => active.isStatedBy(clause))
  );
}

/**
 * Returns true if both words may have the same grammatical case. In German, the article shows which
 * noun is subject and which is object.
 */
function sameCase(a: ClauseWord, b: ClauseWord, language: JudgedLanguage): boolean {
  if (language !== "de" || a.article === b.article || a.article === "" || b.article === "") return true;
  const [first, second] = [a, b].map(({ article }) => cases.get(article) ?? "");
  // Two different definite articles differ in case or number. Different articles can therefore
  // agree only if one is definite and the other is indefinite.
  return a.article[0] !== b.article[0] && [...(first ?? "")].some((each) => second?.includes(each));
}

/**
 * Cases that each German article can have: N nominative, A accusative, G genitive, D dative. A
 * lower-case letter stands for a feminine form.
 */
const cases = new Map(
  "der/Ngd die/NA das/NA den/A dem/D des/G ein/NA eine/NA einen/A einem/D einer/gd eines/G"
    .split(" ")
    .map((pair) => pair.split("/") as [string, string]),
);

const timesOf = ({ auxiliaries }: Sentence): string =>
  auxiliaries
    .map(({ tense }) => tense)
    .toSorted()
    .join(" ");

const sameTime = (a: Sentence, b: Sentence): boolean => timesOf(a) === timesOf(b);

/**
 * Returns true if the clause has no verb and consists of a label and its value, such as "Invoice
 * number: 4711". The sentence must have "is" in place of the colon or before the number.
 */
function isLabel(clause: Sentence, sentence: Sentence): boolean {
  const [auxiliary, ...others] = sentence.auxiliaries;
  if (clause.auxiliaries.length > 0 || others.length > 0 || auxiliary?.tense !== ("present" satisfies Tense))
    return false;
  const value = clause.words[auxiliary.before];
  if (!value || auxiliary.before === 0) return false;
  const isNumber = value.kind !== "word" || (value.capital && clause.words[auxiliary.before + 1]?.kind === "number");
  return value.mark === ":" || value.mark === "|" || (isNumber && auxiliary.before <= maxLabelWords);
}

const maxLabelWords = 4;

/**
 * Returns the orders of the clause's words that do not change its meaning. The sentence may use any
 * of these orders.
 */
function arrangementsOf(
  clause: Sentence,
  sentence: Sentence,
  grammar: Grammar,
  language: JudgedLanguage,
): ClauseWord[][] {
  const { words } = clause;
  const orders = [
    words,
    ...timeMoved(words, grammar).flatMap((moved) => (inverts(moved, language) ? verbMoved(moved) : [moved])),
    ...clauseMoved(words, sentence.words, grammar),
    ...copulaTurned(clause, sentence, grammar),
  ];
  return language === "en" ? orders.flatMap((each) => [each, ...ofTurned(each, sentence.words)]) : orders;
}

const verbSecond: ReadonlySet<JudgedLanguage> = new Set(["de", "nl"]);
const mayInvert: ReadonlySet<JudgedLanguage> = new Set(["es", "it", "pt"]);
/** Number of words in a clause that consists of a date, a verb and a subject, without an object. */
const wordsWithoutObject = 3;

const inverts = (words: readonly ClauseWord[], language: JudgedLanguage): boolean =>
  verbSecond.has(language) || (mayInvert.has(language) && words.length <= wordsWithoutObject);

/**
 * Swaps the parts before and after a comma: "B, according to A" means the same as "According to A,
 * B".
 */
function clauseMoved(
  words: readonly ClauseWord[],
  said: readonly ClauseWord[],
  { scopes, timePrepositions }: Grammar,
): ClauseWord[][] {
  const commas = words.flatMap(({ mark }, at) => (at > 0 && mark === "," ? [at] : []));
  const [at, ...others] = commas;
  if (at === undefined || others.length > 0) return [];
  const [front, end] = [words.slice(0, at), words.slice(at)];
  const isMovable = (block: readonly ClauseWord[]) =>
    scopes.has(block[0]?.key ?? "") || timePrepositions.has(block[0]?.key ?? "");
  const isParted = said[end.length]?.mark === ",";
  return isMovable(front) || isMovable(end) || isParted ? [[...end, ...front]] : [];
}
const maxTimeWords = 5;

/** Moves an expression of time from one end of the sentence to the other: "In 1911 A founded B". */
function timeMoved(words: readonly ClauseWord[], { timePrepositions }: Grammar): ClauseWord[][] {
  const isTime = (block: readonly ClauseWord[]): boolean =>
    block.some((word) => word.kind === "date" || (word.kind === "number" && /^(?:1[5-9]|20)\d\d$/.test(word.key))) &&
    (timePrepositions.has(block[0]?.key ?? "") || block[0]?.kind === "date") &&
    block.slice(1).every((word) => word.mark === "");
  const moved: ClauseWord[][] = [];
  for (let length = 1; length <= Math.min(maxTimeWords, words.length - 1); length++) {
    const [head, tail] = [words.slice(0, length), words.slice(length)];
    if (isTime(head)) moved.push([...tail, ...head]);
    const [front, end] = [words.slice(0, -length), words.slice(-length)];
    if (isTime(end)) moved.push([...end, ...front]);
  }
  return moved;
}

/**
 * Returns the given order, and all orders in which one of the first words is moved among them.
 * Numbers, dates and capitalized words are not moved. The moved word may be the verb, which stands
 * before its subject if the sentence begins with an adverbial.
 */
function verbMoved(words: readonly ClauseWord[]): ClauseWord[][] {
  const orders = [[...words]];
  const most = Math.min(words.length, mostWordsBeforeVerb);
  for (let from = 0; from < most; from++)
    for (let to = 0; to < most; to++) {
      const word = itemAt(words, from);
      if (from === to || word.capital || word.kind !== "word") continue;
      const rest = words.toSpliced(from, 1);
      orders.push(rest.toSpliced(to, 0, word));
    }
  return orders;
}

const mostWordsBeforeVerb = 12;

/**
 * Swaps the two sides of "is" if one of them is a name: "Anna Berg is the director", "The director
 * is Anna Berg".
 */
function copulaTurned({ words, auxiliaries }: Sentence, sentence: Sentence, { definite }: Grammar): ClauseWord[][] {
  const [auxiliary, ...others] = auxiliaries;
  if (!auxiliary || others.length > 0 || sentence.auxiliaries.length !== 1) return [];
  if (auxiliary.tense !== "present" && auxiliary.tense !== "past") return [];
  const [first, second] = [words.slice(0, auxiliary.before), words.slice(auxiliary.before)];
  if (first.length === 0 || second.length === 0 || sentence.auxiliaries[0]?.before !== second.length) return [];
  const isName = (side: readonly ClauseWord[]) => side.every(({ capital, article }) => capital && article === "");
  const isOne = (side: readonly ClauseWord[]) => definite.has(side[0]?.article ?? "");
  return (isName(first) && isOne(second)) || (isName(second) && isOne(first)) ? [[...second, ...first]] : [];
}

/** Turns "invoice number" into "number of the invoice". */
function ofTurned(words: readonly ClauseWord[], said: readonly ClauseWord[]): ClauseWord[][] {
  const orders: ClauseWord[][] = [];
  for (let at = 0; at + 1 < said.length; at++) {
    if (!said[at + 1]?.of || at + 1 >= words.length) continue;
    const turned = [...words];
    [turned[at], turned[at + 1]] = [itemAt(turned, at + 1), itemAt(turned, at)];
    orders.push(turned);
  }
  return orders;
}
