/** Finds the clauses of a source sentence that make sense on their own. */

import type { ClauseWord, Sentence } from "./clause-words.ts";
import type { Grammar } from "./grammar.ts";

/** Minimum number of words of a clause. Chosen by hand, 2026-11. */
const minWords = 2;

/**
 * Returns the whole sentence, and its clauses. A clause is left out if a condition, negation or
 * attribution elsewhere in the sentence may change its meaning.
 */
export function clausesOf(sentence: Sentence, grammar: Grammar): Sentence[] {
  const { words } = sentence;
  const cuts = words.flatMap((word, at) => (at > 0 && isCut(word, grammar) ? [at] : []));
  const bounds = [0, ...cuts, words.length];
  const clauses =
    cuts.length === 0 ? [] : bounds.slice(1).map((end, at) => slice(sentence, bounds[at] ?? 0, end, grammar));
  const isScoped = (at: number) =>
    clauses.some((other, index) => index !== at && other.words.some(({ key }) => grammar.scopes.has(key)));
  return [
    withoutConnectives(sentence, grammar),
    ...clauses.filter((clause, at) => clause.words.length >= minWords && !isScoped(at)),
  ];
}

/**
 * Returns true if a sentence can be cut before the word: after a semicolon, or after a comma if the
 * word is a coordinator such as "and".
 */
const isCut = ({ mark, key }: ClauseWord, { coordinators }: Grammar): boolean =>
  mark === ";" || (mark === "," && coordinators.has(key));

function slice({ words, auxiliaries, isQuestion }: Sentence, start: number, end: number, grammar: Grammar): Sentence {
  return withoutConnectives(
    {
      words: words.slice(start, end),
      auxiliaries: auxiliaries
        .filter(({ before }) => before >= start && (before < end || (before === end && end === words.length)))
        .map(({ tense, before }) => ({ tense, before: before - start })),
      isQuestion,
    },
    grammar,
  );
}

/**
 * Removes an initial "However, …" or "and …", which only connects the sentence to the previous one.
 */
export function withoutConnectives(sentence: Sentence, { connectives, coordinators }: Grammar): Sentence {
  const [first] = sentence.words;
  if (!first || !(connectives.has(first.key) || coordinators.has(first.key))) return sentence;
  return {
    ...sentence,
    words: sentence.words.slice(1),
    auxiliaries: sentence.auxiliaries.map(({ tense, before }) => ({ tense, before: Math.max(0, before - 1) })),
  };
}
