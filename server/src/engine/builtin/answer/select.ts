/** Joins the units that answer best into an answer of few words, each of them quoted as it stands. */
import { type Token, tokensOf } from "./analysis.ts";
import type { Candidate, ReadPassage } from "./features.ts";
import type { AnswerType } from "./lexicon/focus-nouns.ts";
import type { AnswerLanguage } from "./lexicon/language.ts";
import { holds } from "./values.ts";

export interface Scored {
  candidate: Candidate;
  score: number;
  /** 0 to 1: the chance that the answer stands here, if it stands anywhere. */
  share: number;
}

/** A quote: a span of a passage's text. */
export interface Quote {
  passage: number;
  start: number;
  end: number;
  share: number;
}

export interface Limits {
  words: number;
  sentences: number;
}

export interface Context {
  texts: readonly string[];
  read: readonly ReadPassage[];
  weights: readonly number[];
  type: AnswerType | undefined;
  asked: ReadonlySet<string>;
  language: AnswerLanguage;
}

/** Enough: with this chance that the answer is among the sentences chosen, no more are added. */
const enough = 0.9;
/** A sentence with less of a chance than this is not added. */
const least = 0.03;
/** Nor one with less than this part of the best one's chance. */
const leastOfBest = 0.1;
/** A first sentence with less of a chance than this leaves room for a second one. */
const unsure = 0.5;
const roomWhenUnsure = 0.7;
/** Fewer words aren't a clause worth adding. */
const fewestWords = 6;
const maxTried = 8;

/** The best units, in the order of their chance; those of one passage that follow each other in the order of the text. */
export function select(ranked: readonly Scored[], limits: Limits, context: Context): Quote[] {
  const chosen: Quote[] = [];
  let words = limits.words;
  let sure = 0;
  for (const scored of ranked.slice(0, maxTried)) {
    if (chosen.length >= limits.sentences || sure >= enough) break;
    if (
      chosen.length > 0 &&
      (scored.share < least || scored.share < leastOfBest * (ranked[0] as Scored).share || words < fewestWords)
    )
      break;
    const { unit, passage } = scored.candidate;
    const text = context.texts[passage] as string;
    if (chosen.some((quote) => sameText(quote, text.slice(unit.start, unit.end), context))) continue;
    const span =
      chosen.length > 0
        ? clip(scored.candidate, words, false, context)
        : ((scored.share < unsure ? clip(scored.candidate, roomWhenUnsure * words, false, context) : undefined) ??
          clip(scored.candidate, words, true, context));
    if (span === undefined || (chosen.length > 0 && span.end - span.start < (unit.end - unit.start) / 3)) continue;
    chosen.push({ passage, ...span, share: scored.share });
    words -= countWords(text.slice(span.start, span.end));
    sure += scored.share;
  }
  return inReadingOrder(chosen);
}

/** Quotes of one passage follow each other as they do there; the passage of the best quote comes first. */
function inReadingOrder(quotes: readonly Quote[]): Quote[] {
  const passages = [...new Set(quotes.map((quote) => quote.passage))];
  return passages.flatMap((passage) =>
    quotes.filter((quote) => quote.passage === passage).toSorted((a, b) => a.start - b.start),
  );
}

function sameText(quote: Quote, text: string, context: Context): boolean {
  const known = (context.texts[quote.passage] as string).slice(quote.start, quote.end);
  return plain(known).includes(plain(text)) || plain(text).includes(plain(known));
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const wordSegmenter = new Intl.Segmenter("zh", { granularity: "word" });
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Words as white space parts them; of scripts without it, as a dictionary does. */
export function countWords(text: string): number {
  let count = 0;
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    if (!unspaced.test(word)) count++;
    else for (const { isWordLike } of wordSegmenter.segment(word)) if (isWordLike) count++;
  }
  return count;
}

interface Clause {
  start: number;
  end: number;
  words: number;
}

/** The whole unit, or of one with too many words those neighbouring clauses that hold most of the question and a value of its type. */
function clip(
  { unit, passage, index }: Candidate,
  words: number,
  betweenWords: boolean,
  context: Context,
): { start: number; end: number } | undefined {
  const text = context.texts[passage] as string;
  if (countWords(text.slice(unit.start, unit.end)) <= words) return { start: unit.start, end: unit.end };
  const clauses = clausesOf(text, unit.start, unit.end, betweenWords ? words : Number.POSITIVE_INFINITY);
  const read = context.read[passage] as ReadPassage;
  const found = (read.found[index] ?? []).map(({ term, token, strength }) => ({
    term,
    strength,
    at: unit.start + ((read.tokens[index] as Token[])[token] as Token).start,
  }));
  let best: { start: number; end: number; score: number } | undefined;
  for (let first = 0; first < clauses.length; first++) {
    let count = 0;
    for (let last = first; last < clauses.length; last++) {
      count += (clauses[last] as Clause).words;
      if (count > words) break;
      const [start, end] = [(clauses[first] as Clause).start, (clauses[last] as Clause).end];
      const terms = new Map<number, number>();
      for (const { term, strength, at } of found)
        if (at >= start && at < end) terms.set(term, Math.max(strength, terms.get(term) ?? 0));
      const covered = [...terms].reduce((sum, [term, strength]) => sum + strength * (context.weights[term] ?? 0), 0);
      const slice = text.slice(start, end);
      const typed =
        context.type === undefined
          ? 0
          : holds(context.type, { text: slice, tokens: tokensOf(slice) }, context.asked, context.language);
      const score = covered + typed * typeWorth + count * wordWorth + (first === 0 ? beginningWorth : 0);
      if (best === undefined || score > best.score) best = { start, end, score };
    }
  }
  return best;
}

/** Against the weights of terms, which are about 1 to 4 each. */
const typeWorth = 2;
const wordWorth = 0.05;
/** The subject of a sentence mostly stands where it begins. */
const beginningWorth = 1;

const clauseEnd = /[,;:)،؛]["'”»]?\s+|[，；：、）—]["'”»]?\s*|\s[-–]\s|\s(?=[(（])/gu;

/** Cut behind the marks between clauses; where one is still too long, between words. */
function clausesOf(text: string, start: number, end: number, words: number): Clause[] {
  const slice = text.slice(start, end);
  const cuts = [0, ...[...slice.matchAll(clauseEnd)].map((mark) => mark.index + mark[0].length), slice.length];
  const clauses: Clause[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) addClause(clauses, slice, cuts[i] as number, cuts[i + 1] as number, words);
  return clauses.map((clause) =>
    withoutSpace(text, { ...clause, start: start + clause.start, end: start + clause.end }),
  );
}

function addClause(clauses: Clause[], text: string, start: number, end: number, words: number): void {
  if (start >= end) return;
  const count = countWords(text.slice(start, end));
  const middle = count > words ? cutBetweenWords(text, start, end) : undefined;
  if (middle === undefined) {
    clauses.push({ start, end, words: count });
    return;
  }
  addClause(clauses, text, start, middle, words);
  addClause(clauses, text, middle, end, words);
}

/** The white space, or the border of a word, nearest to the middle. */
function cutBetweenWords(text: string, start: number, end: number): number | undefined {
  const middle = (start + end) / 2;
  let best: number | undefined;
  for (const { index } of wordSegmenter.segment(text.slice(start, end))) {
    const at = start + index;
    if (at > start && (best === undefined || Math.abs(at - middle) < Math.abs(best - middle))) best = at;
  }
  return best;
}

function withoutSpace(text: string, clause: Clause): Clause {
  let { start, end } = clause;
  while (start < end && /\s/u.test(text[start] as string)) start++;
  while (end > start && /\s/u.test(text[end - 1] as string)) end--;
  return { ...clause, start, end };
}
