/** Whether a sentence says the same as a text, or denies it, or says the other end of a scale. */
import { fold, type Token } from "../../builtin/answer/analysis.ts";
import { coordinators, copulas, subordinators } from "../../builtin/answer/lexicon/connectives.ts";
import type { AnswerLanguage } from "../../builtin/answer/lexicon/language.ts";
import { polarities } from "../../builtin/answer/lexicon/negation.ts";
import { negations } from "./likeness.ts";

/**
 * True if no denial stands on one side alone, and none of the sentence's words is at the other end of a scale ("before" for "after") than one of
 * those known. `nearest` are the sentences of the text that share most with it, and `shares` tells the words of those that it shares.
 */
export function sameSense(
  sentence: readonly Token[],
  nearest: readonly (readonly Token[])[],
  shares: (token: Token) => boolean,
  language: AnswerLanguage,
  known: readonly Token[],
): boolean {
  const denied = isDenied(sentence);
  const agrees =
    nearest.length === 0 ? !denied || isDenied(known) : nearest.some((own) => saysAlike(own, denied, shares));
  return agrees && !turnsAround(sentence, known, language);
}

/** What a sentence shares with a statement that is not denied must all stand outside of what is denied, and the other way round some of it within. */
function saysAlike(own: readonly Token[], denied: boolean, shares: (token: Token) => boolean): boolean {
  if (!isDenied(own)) return !denied;
  const clauses = clausesOf(own);
  const within = clauses.filter((clause) => clause.denied).flatMap(({ tokens }) => tokens);
  const outside = new Set(
    clauses.filter((clause) => !clause.denied).flatMap(({ tokens }) => tokens.map(({ folded }) => folded)),
  );
  const shared = within.filter((token) => shares(token) && !outside.has(token.folded));
  return denied === shared.length > 0;
}

interface Clause {
  tokens: Token[];
  denied: boolean;
}

/** A denial reaches as far as its clause and those behind it that depend on it. */
function clausesOf(tokens: readonly Token[]): Clause[] {
  const dependent = tokens.some(
    ({ folded, parted }, at) => parted && subordinators.has(folded) && !copulas.has(tokens[at + 1]?.folded ?? ""),
  );
  if (dependent) return [{ tokens: [...tokens], denied: isDenied(tokens) }];
  const clauses: Clause[] = [];
  for (const token of tokens) {
    const last = clauses.at(-1);
    if (last && !token.parted && !coordinators.has(token.folded)) last.tokens.push(token);
    else clauses.push({ tokens: [token], denied: false });
  }
  let reached = false;
  for (const clause of clauses) {
    reached = isDenied(clause.tokens) || (reached && !coordinators.has(clause.tokens[0]?.folded ?? ""));
    clause.denied = reached;
  }
  return clauses;
}

function turnsAround(sentence: readonly Token[], known: readonly Token[], language: AnswerLanguage): boolean {
  const opposites = polarities.get(language)?.opposites;
  const words = new Set(known.map((token) => fold(token.word)));
  return sentence.some(({ folded }) => {
    const others = words.has(folded) ? undefined : opposites?.get(folded);
    return [...(others ?? [])].some((other) => words.has(other));
  });
}

/** "de", "t" and the like of other languages are too short to tell; "yes or no" denies nothing. */
const isDenied = (tokens: readonly Token[]): boolean =>
  tokens.some(({ folded }, at) => {
    if (folded === "t") return /n$/.test(tokens[at - 1]?.folded ?? "");
    if (folded === "no") return !tokens.slice(Math.max(0, at - 2), at + 3).some((near) => near.folded === "yes");
    return (
      folded === "ne" ||
      (folded.length > 2 && negations.has(folded)) ||
      /^[不没無无未لا]/u.test(folded) ||
      folded === "не" ||
      folded === "нет"
    );
  });
