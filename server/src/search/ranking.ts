/**
 * Ranks passages that share terms with a query. The score is a weighted sum of parts, each in units
 * of a term's inverse document frequency:
 *
 * - BM25 (Robertson and Zaragoza, 2009) over title and text;
 * - the sentence that contains most of the query, because answers are mostly in one sentence;
 * - adjacent query terms that are adjacent in the passage;
 * - words that are similar to a query term missing from the passage: another ending, a part of a
 *   compound, another spelling;
 * - terms of the title, the name and the headings;
 * - the other candidate passages that have the same title;
 * - characteristic terms of the best passages (pseudo-relevance feedback after RM3), weighted less
 *   if these passages cover more of the query.
 *
 * The weights are the same for all languages.
 */
import { itemAt } from "../lib/item-at.ts";
import type { QueryTerm } from "./analyzer.ts";
import type { CandidateTerms } from "./candidate-terms.ts";
import { feedbackOf, type Saturation } from "./feedback.ts";
import { Kinship } from "./kinship.ts";
import { anyOf, type Counts, idfSumOf, type Matches, matchesOf, type RankedTerm } from "./matches.ts";
import { type RankingWeights, rankingWeights } from "./ranking-weights.ts";
import type { TermShares } from "./term-statistics.ts";

/**
 * The BM25 of at most this many passages with the same title is averaged. The best passages are
 * chosen.
 */
const groupSize = 4;

/**
 * Returns a score for each passage, given its terms column. The higher, the better. `passages` is
 * the total number of passages that are searched.
 */
export function scoresOf(
  query: readonly QueryTerm[],
  columns: readonly Buffer[],
  statistics: TermShares,
  passages: number,
  weights: RankingWeights = rankingWeights,
): number[] {
  const matches = matchesOf(query, columns, statistics, passages);
  const { vocabulary, candidates, slotOfId, counts, terms, termOfSlot } = matches;
  const saturated = saturation(weights, statistics);
  const bm25 = bm25Of(matches, saturated);
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
  const feedback = feedbackOf(matches, bm25, saturated);
  return scores.map((score, index) => score + weights.feedback * (feedback[index] ?? 0));
}

/**
 * Returns a function that computes the BM25 weight of a term from its number of occurrences and the
 * length of the passage.
 */
function saturation({ k1, b }: RankingWeights, { meanLength }: TermShares): Saturation {
  return (count, length) => (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / meanLength));
}

function bm25Of({ candidates, counts, terms }: Matches, saturated: Saturation): number[] {
  return candidates.map(({ length }, index) =>
    terms.reduce((sum, term) => {
      let count = 0;
      for (const slot of term.slots) count += counts[index]?.all[slot] ?? 0;
      return sum + (count > 0 ? term.idf * saturated(count, length) : 0);
    }, 0),
  );
}

/**
 * Returns two sums of inverse document frequencies. `sentence` is the sum over the query terms in
 * the best sentence. `neighbours` is the sum over pairs of terms that are adjacent both in the
 * query and in the passage.
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

/**
 * Returns, for each word id, the similarity of the word to a query term. Words that occur in the
 * query get a similarity of 0.
 */
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
 * Adds, to the score of each passage, the mean BM25 of the best passages with the same title. If no
 * other passage has the title, adds half of the passage's own BM25.
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
