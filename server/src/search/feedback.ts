/**
 * Scores passages by terms that are typical of the best passages (pseudo-relevance feedback after
 * RM3).
 */
import { itemAt } from "../lib/item-at.ts";
import { countsOf, idf, idfSumOf, type Matches } from "./matches.ts";

/** Returns the weight of a term that occurs `count` times in a passage of `length` terms. */
export type Saturation = (count: number, length: number) => number;

/** Maximum number of best passages from which terms are taken. */
const feedbackPassages = 10;
/** Maximum number of terms that are taken from the best passages. */
const feedbackTerms = 30;

/**
 * Returns the feedback score of each candidate. Its terms are taken from the passages with the
 * highest `bm25`.
 */
export function feedbackOf(matches: Matches, bm25: readonly number[], saturated: Saturation): number[] {
  const { vocabulary, candidates } = matches;
  const best = [...candidates.keys()].toSorted((x, y) => (bm25[y] ?? 0) - (bm25[x] ?? 0)).slice(0, feedbackPassages);
  const { ids, values } = expansionOf(matches, best, bm25);
  const places = new Int32Array(vocabulary.size).fill(-1);
  ids.forEach((id, place) => {
    places[id] = place;
  });
  return candidates.map((candidate) => {
    const { all } = countsOf(candidate, places, ids.length);
    let sum = 0;
    all.forEach((count, place) => {
      if (count > 0) sum += (values[place] ?? 0) * saturated(count, candidate.length);
    });
    return sum;
  });
}

/**
 * Returns the ids of terms that occur in the best passages but not in the query. `values` contains
 * the weight of each term in the feedback score.
 */
function expansionOf(
  matches: Matches,
  best: readonly number[],
  bm25: readonly number[],
): { ids: number[]; values: number[] } {
  const { vocabulary, slotOfId, terms, counts, statistics, passages } = matches;
  const shares = sharesInBest(matches, best, bm25);
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

/**
 * Returns, for each word, its share of the words in the best passages. Passages with a higher BM25
 * count more.
 */
function sharesInBest(
  { vocabulary, candidates }: Matches,
  best: readonly number[],
  bm25: readonly number[],
): Float64Array {
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
  return shares;
}
