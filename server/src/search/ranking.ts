/**
 * Ranks passages that share terms with a query. The score is a weighted sum of parts, each in units
 * of a term's inverse document frequency:
 *
 * - BM25 (Robertson and Zaragoza, 2009) over title and text;
 * - the sentence with most of the query, because answers are mostly in one sentence;
 * - adjacent query terms that are adjacent in the passage;
 * - words similar to a query term that the passage lacks: another ending, a part of a compound,
 *   another spelling;
 * - terms of the title, the name and the headings;
 * - the other passages found with the same title;
 * - characteristic terms of the best passages (pseudo-relevance feedback after RM3), weighted less
 *   if these cover more of the query.
 *
 * The weights are the same for all languages. `npm run quality -- squad2 piaf xquad cranfield`
 * measures them.
 */
import { itemAt } from "../lib/item-at.ts";
import type { QueryTerm } from "./analyzer.ts";
import { type CandidateTerms, candidateOf } from "./candidate-terms.ts";
import { Kinship } from "./kinship.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface RankingWeights {
  k1: number;
  b: number;
  sentence: number;
  neighbours: number;
  kin: number;
  title: number;
  group: number;
  feedback: number;
}

const defaultWeights: RankingWeights = {
  k1: 0.9,
  b: 0.75,
  sentence: 0.5,
  neighbours: 0.8,
  kin: 1,
  title: 1,
  group: 0.25,
  feedback: 0.4,
};

/** Maximum number of best passages used for feedback, and of terms taken from them. */
const feedbackPassages = 10;
const feedbackTerms = 30;
/** Maximum number of passages in a group that support each other. */
const groupSize = 4;

interface RankedTerm {
  /** Slots of the counts of its forms, only for forms that occur. */
  slots: readonly number[];
  idf: number;
  text: string;
}

/** Occurrences of the forms of query terms in a candidate, by slot. */
interface Counts {
  /** Occurrences in the text, plus one if the form is in title, name or headings. */
  all: Uint32Array;
  /** 1 if the form is in title, name or headings. */
  about: Uint8Array;
}

/**
 * Returns a score for each of `columns`, which are terms columns. Higher is better. `passages` is
 * the total number of passages.
 */
export function scoresOf(
  query: readonly QueryTerm[],
  columns: readonly Buffer[],
  statistics: TermStatistics,
  passages: number,
  weights: RankingWeights = defaultWeights,
): number[] {
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
  const { k1, b } = weights;
  const saturated = (count: number, length: number): number =>
    (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / statistics.meanLength));

  const bm25 = candidates.map(({ length }, index) =>
    terms.reduce((sum, term) => {
      let count = 0;
      for (const slot of term.slots) count += counts[index]?.all[slot] ?? 0;
      return sum + (count > 0 ? term.idf * saturated(count, length) : 0);
    }, 0),
  );
  const kinship = new Kinship(vocabulary);
  const kin = terms.map(({ text }) => (hasKin(text) ? sharesOf(kinship.kinOf(text), slotOfId) : undefined));
  const scores = candidates.map((candidate, index) => {
    const held = itemAt(counts, index);
    const { sentence, neighbours } = proximity(candidate, terms, slotOfId, termOfSlot);
    return (
      (bm25[index] ?? 0) +
      weights.sentence * sentence +
      weights.neighbours * neighbours +
      weights.kin * kinScore(candidate, held, terms, kin) +
      weights.title * idfSumOf(terms, held.about)
    );
  });
  addGroups(scores, candidates, bm25, weights.group);
  addFeedback(scores);
  return scores;

  function addFeedback(all: number[]): void {
    const best = [...all.keys()].toSorted((x, y) => (bm25[y] ?? 0) - (bm25[x] ?? 0)).slice(0, feedbackPassages);
    const { ids, values } = expansionOf(best);
    const places = new Int32Array(vocabulary.size).fill(-1);
    ids.forEach((id, place) => {
      places[id] = place;
    });
    candidates.forEach((candidate, index) => {
      const { all: times } = countsOf(candidate, places, ids.length);
      let sum = 0;
      times.forEach((count, place) => {
        if (count > 0) sum += (values[place] ?? 0) * saturated(count, candidate.length);
      });
      all[index] = (all[index] ?? 0) + weights.feedback * sum;
    });
  }

  /** Returns terms of the best passages that the query lacks, with the score for each. */
  function expansionOf(best: readonly number[]): { ids: number[]; values: number[] } {
    const top = bm25[best[0] ?? 0] ?? 0;
    const believed = best.map((index) => Math.exp(((bm25[index] ?? 0) - top) / 4));
    const sum = believed.reduce((all, each) => all + each, 0) || 1;
    const shares = new Float64Array(vocabulary.size);
    best.forEach((index, place) => {
      const { about, ids, text, length } = itemAt(candidates, index);
      const share = (believed[place] ?? 0) / sum / Math.max(1, length);
      for (const id of about) shares[id] = (shares[id] ?? 0) + share;
      for (let at = text; at < ids.length; at++) {
        const id = ids[at] ?? -1;
        if (id >= 0) shares[id] = (shares[id] ?? 0) + share;
      }
    });
    const found: { id: number; rare: number; weight: number }[] = [];
    for (let id = 0; id < shares.length; id++) {
      const share = shares[id] ?? 0;
      if (share === 0 || slotOfId[id] !== -1) continue;
      const among = statistics.shareOfHash(vocabulary.hashAt(id));
      if (among * statistics.sampled <= 1) continue;
      const rare = idf(among * passages, passages);
      found.push({ id, rare, weight: share * rare });
    }
    const telling = found.toSorted((x, y) => y.weight - x.weight).slice(0, feedbackTerms);
    const all = telling.reduce((weight, each) => weight + each.weight, 0) || 1;
    const total = terms.reduce((sum, term) => sum + term.idf, 0);
    const covered = Math.max(0, ...best.map((index) => idfSumOf(terms, counts[index]?.all ?? [])));
    const doubt = total > 0 ? 1 - covered / total : 0;
    return {
      ids: telling.map(({ id }) => id),
      values: telling.map(({ rare, weight }) => (weight / all) * terms.length * doubt * rare),
    };
  }
}

/** Returns the inverse document frequency of BM25, which is never negative. */
const idf = (found: number, passages: number): number => Math.log(1 + (passages - found + 0.5) / (found + 0.5));

const anyOf = (slots: readonly number[], counts: ArrayLike<number>): boolean =>
  slots.some((slot) => (counts[slot] ?? 0) > 0);

/** Returns the total inverse document frequency of the terms that occur in `counts`. */
const idfSumOf = (terms: readonly RankedTerm[], counts: ArrayLike<number>): number =>
  terms.reduce((sum, term) => sum + (anyOf(term.slots, counts) ? term.idf : 0), 0);

/** Counts the ids that have one of the `size` slots. */
function countsOf({ ids, text, about }: CandidateTerms, slotOfId: Int32Array, size: number): Counts {
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

/**
 * Returns the inverse document frequency in the best sentence, and that of adjacent query terms
 * that are adjacent in the passage.
 */
function proximity(
  { ids }: CandidateTerms,
  terms: readonly RankedTerm[],
  slotOfId: Int32Array,
  termOfSlot: readonly number[],
): { sentence: number; neighbours: number } {
  let best = 0;
  let sentence = 0;
  let neighbours = 0;
  let seen = new Set<number>();
  const pairs = new Set<number>();
  let previous = -1;
  for (const id of ids) {
    const slot = id < 0 ? -1 : (slotOfId[id] ?? -1);
    const term = slot < 0 ? -1 : (termOfSlot[slot] ?? -1);
    if (id < 0) {
      best = Math.max(best, sentence);
      sentence = 0;
      if (seen.size > 0) seen = new Set();
    } else if (term >= 0) {
      if (!seen.has(term)) {
        seen.add(term);
        sentence += terms[term]?.idf ?? 0;
      }
      if (previous >= 0 && term === previous + 1 && !pairs.has(previous)) {
        pairs.add(previous);
        neighbours += Math.min(terms[previous]?.idf ?? 0, terms[term]?.idf ?? 0);
      }
    }
    previous = term;
  }
  return { sentence: Math.max(best, sentence), neighbours };
}

const hasKin = (term: string): boolean => term.length >= 4 && !/\p{N}/u.test(term);

/** Returns the similarity of each word by id, without words of the query. */
function sharesOf(kin: ReadonlyMap<number, number>, slotOfId: Int32Array): Float32Array {
  const shares = new Float32Array(slotOfId.length);
  for (const [id, share] of kin) if (slotOfId[id] === -1) shares[id] = share;
  return shares;
}

function kinScore(
  { ids, about }: CandidateTerms,
  held: Counts,
  terms: readonly RankedTerm[],
  kin: readonly (Float32Array | undefined)[],
): number {
  let sum = 0;
  terms.forEach((term, index) => {
    const shares = kin[index];
    if (!shares || anyOf(term.slots, held.all)) return;
    let most = 0;
    for (const id of about) most = Math.max(most, shares[id] ?? 0);
    for (const id of ids) if (id >= 0) most = Math.max(most, shares[id] ?? 0);
    sum += term.idf * most;
  });
  return sum;
}

/**
 * Adds the mean BM25 of the best passages of the same title. A passage without others counts with
 * half of its own.
 */
function addGroups(
  scores: number[],
  candidates: readonly CandidateTerms[],
  bm25: readonly number[],
  weight: number,
): void {
  for (const group of Map.groupBy(candidates.keys(), (index) => candidates[index]?.title || index).values()) {
    const best = group
      .map((index) => bm25[index] ?? 0)
      .toSorted((x, y) => y - x)
      .slice(0, groupSize);
    const mean = best.length > 1 ? best.reduce((sum, value) => sum + value, 0) / best.length : (best[0] ?? 0) / 2;
    for (const index of group) scores[index] = (scores[index] ?? 0) + weight * mean;
  }
}
