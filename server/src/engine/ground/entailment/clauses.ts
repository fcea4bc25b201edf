/** The parts of a source sentence that stand without the rest of it. */

import type { Sentence, Word } from "./clause-words.ts";
import type { Grammar } from "./grammar.ts";

/** Words a clause must have to be taken out of its sentence. */
const minWords = 2;

/** The whole sentence first, then its clauses; none are cut out where a condition, denial or attribution may reach into them. */
export function clausesOf(sentence: Sentence, grammar: Grammar): Sentence[] {
  const { words } = sentence;
  const cuts = words.flatMap((word, at) => (at > 0 && isCut(word, grammar) ? [at] : []));
  const bounds = [0, ...cuts, words.length];
  const clauses =
    cuts.length === 0 ? [] : bounds.slice(1).map((end, at) => slice(sentence, bounds[at] as number, end, grammar));
  const isScoped = (at: number) =>
    clauses.some((other, index) => index !== at && other.words.some(({ key }) => grammar.scopes.has(key)));
  return [
    withoutConnectives(sentence, grammar),
    ...clauses.filter((clause, at) => clause.words.length >= minWords && !isScoped(at)),
  ];
}

/** A semicolon, or a comma before a coordinator. */
const isCut = ({ mark, key }: Word, { coordinators }: Grammar): boolean =>
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

/** "However, …" and "and …" at the beginning join a sentence to the one before. */
export function withoutConnectives(sentence: Sentence, { connectives, coordinators }: Grammar): Sentence {
  const [first] = sentence.words;
  if (!first || !(connectives.has(first.key) || coordinators.has(first.key))) return sentence;
  return {
    ...sentence,
    words: sentence.words.slice(1),
    auxiliaries: sentence.auxiliaries.map(({ tense, before }) => ({ tense, before: Math.max(0, before - 1) })),
  };
}
