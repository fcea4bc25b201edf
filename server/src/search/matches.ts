/** Counts the terms of a query in the passages that may answer it. */
import type { QueryTerm } from "./analyzer.ts";
import { type CandidateTerms, candidateOf } from "./candidate-terms.ts";
import type { TermShares } from "./term-statistics.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface RankedTerm {
  /**
   * Slots of the term's forms that occur in at least one candidate passage. A slot is the index of
   * a form in the counts.
   */
  slots: readonly number[];
  idf: number;
  text: string;
}

/** How often each form of the query terms occurs in a passage, by slot. */
export interface Counts {
  /** Number of occurrences in the text, plus one if the form is in title, name or headings. */
  all: Uint32Array;
  /** 1 if the form is in title, name or headings, else 0. */
  about: Uint8Array;
}

export interface Matches {
  vocabulary: Vocabulary;
  candidates: readonly CandidateTerms[];
  terms: readonly RankedTerm[];
  /** Counts for each of the `candidates`, in their order. */
  counts: readonly Counts[];
  /** Slot of each word of the vocabulary. -1 for a word that is not in the query. */
  slotOfId: Int32Array;
  /** For each slot, the index of its term. */
  termOfSlot: readonly number[];
  statistics: TermShares;
  /** Total number of passages. */
  passages: number;
}

export function matchesOf(
  query: readonly QueryTerm[],
  columns: readonly Buffer[],
  statistics: TermShares,
  passages: number,
): Matches {
  const vocabulary = new Vocabulary();
  const candidates = columns.map((column) => candidateOf(column, vocabulary));
  const slotOfId = new Int32Array(vocabulary.size).fill(-1);
  const forms = [...new Set(query.flat())].filter((form) => vocabulary.find(form) !== undefined);
  forms.forEach((form, slot) => {
    slotOfId[vocabulary.find(form) ?? 0] = slot;
  });
  const counts = candidates.map((candidate) => countsOf(candidate, slotOfId, forms.length));
  const terms = query.map((all): RankedTerm => {
    const slots = all.map((form) => forms.indexOf(form)).filter((slot) => slot >= 0);
    const found = counts.filter((each) => anyOf(slots, each.all)).length;
    const expected = Math.max(...all.map((form) => statistics.shareOf(form))) * passages;
    return { slots, idf: idf(Math.max(found, expected), Math.max(passages, found)), text: all[0] };
  });
  const termOfSlot = forms.map((_, slot) => terms.findIndex(({ slots }) => slots.includes(slot)));
  return { vocabulary, candidates, terms, counts, slotOfId, termOfSlot, statistics, passages };
}

/**
 * Returns the inverse document frequency of a term, in the variant of BM25 that is never negative.
 */
export const idf = (found: number, passages: number): number => Math.log(1 + (passages - found + 0.5) / (found + 0.5));

export const anyOf = (slots: readonly number[], counts: ArrayLike<number>): boolean =>
  slots.some((slot) => (counts[slot] ?? 0) > 0);

/** Returns the sum of the inverse document frequencies of the terms that occur in `counts`. */
export const idfSumOf = (terms: readonly RankedTerm[], counts: ArrayLike<number>): number =>
  terms.reduce((sum, term) => sum + (anyOf(term.slots, counts) ? term.idf : 0), 0);

/** Returns how often the ids of each slot occur in a candidate. `size` is the number of slots. */
export function countsOf({ ids, text, about }: CandidateTerms, slotOfId: Int32Array, size: number): Counts {
  const all = new Uint32Array(size);
  const inAbout = new Uint8Array(size);
  for (const id of about) {
    const slot = slotOfId[id] ?? -1;
    if (slot < 0) continue;
    all[slot] = 1;
    inAbout[slot] = 1;
  }
  for (let at = text; at < ids.length; at++) {
    const id = ids[at] ?? -1;
    const slot = id < 0 ? -1 : (slotOfId[id] ?? -1);
    if (slot >= 0) all[slot] = (all[slot] ?? 0) + 1;
  }
  return { all, about: inAbout };
}
