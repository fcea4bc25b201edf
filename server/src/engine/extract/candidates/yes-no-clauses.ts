/**
 * Finds sentences that affirm or deny what a yes/no field asks. One clause of the sentence must
 * contain the words of the field.
 */

import { foldLabel } from "../../../language/folding.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { labelTerms } from "../labels/label-scores.ts";

export interface Statement {
  /** Start of the span in the text, in UTF-16 units. */
  start: number;
  end: number;
  value: boolean;
  /** 0 to 1: how likely the sentence is about the field. */
  score: number;
}

const negation =
  /^(?:not|no|never|without|none|cannot|\p{L}+n't|nicht|kein\p{L}{0,2}|ohne|pas|sans|aucune?|sin|senza|non|geen|niet|zonder)$/u;
/** Only this many UTF-16 units of a text are read. Chosen by hand, 2026-11. */
const maxLength = 600;
/** Only this many words of a sentence are read. Chosen by hand, 2026-11. */
const maxWords = 80;
/**
 * Maximum distance, in words, between a negation and the words that it negates. Chosen by hand,
 * 2026-11.
 */
const reach = 4;
/**
 * A sentence scores `base`, plus `perFurther` for each matching word, up to `maxScore`. Chosen by
 * hand, 2026-11.
 */
const base = 0.45;
const perFurther = 0.08;
const maxScore = 0.65;

/** Yields the sentences that affirm or deny what the field asks, with true or false. */
export function* statementsIn(query: AskedField, text: string): Generator<Statement> {
  const name = query.phrases[0]?.terms ?? [];
  if (name.length === 0 || !/\s/.test(text)) return;
  for (const match of text.slice(0, maxLength).matchAll(/[^.;!?]+(?:\.(?=\S)[^.;!?]+)*[.;!?]?/gu)) {
    const [sentence] = match;
    const judged = sentence.endsWith("?") ? undefined : judge(query, name, sentence);
    if (judged) yield { start: match.index, end: match.index + sentence.trimEnd().length, ...judged };
  }
}

function judge(
  query: AskedField,
  name: readonly (readonly string[])[],
  sentence: string,
): { value: boolean; score: number } | undefined {
  const words = sentence.trim().split(/\s+/).slice(0, maxWords);
  const families = words.map(
    (word) => new Set(labelTerms(word).flatMap((term) => (term.weight > 0 ? term.texts : []))),
  );
  const places = name.map((asked) => families.findIndex((said) => asked.some((family) => said.has(family))));
  if (places.some((place) => place < 0)) return undefined;
  const further = [...query.asks].filter(
    (family) => !name.some((asked) => asked.includes(family)) && families.some((said) => said.has(family)),
  );
  // A single matching word is not enough evidence, because it also occurs in unrelated sentences.
  if (name.length < 2 && further.length === 0) return undefined;
  const value = !isDenied(words, Math.min(...places), Math.max(...places));
  return { value, score: Math.min(maxScore, base + perFurther * (further.length + name.length)) };
}

/**
 * Returns true if a negation is among the words from `first` to `last` or near them in the same
 * clause.
 */
function isDenied(words: readonly string[], first: number, last: number): boolean {
  let from = first;
  while (from > 0 && first - from < reach && !/[,:]$/.test(words[from - 1] ?? "")) from--;
  let to = last;
  while (to < words.length - 1 && to - last < reach && !/[,:]$/.test(words[to] ?? "")) to++;
  return words.slice(from, to + 1).some((word) => negation.test(foldLabel(word).replace(/[^\p{L}']/gu, "")));
}
