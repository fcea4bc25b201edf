/**
 * Puts passages that share terms with a query in order, by sums over the query's terms that all are in units of a term's rarity:
 *
 * - BM25 (Robertson and Zaragoza, 2009) over title and text;
 * - the sentence that holds most of the query, for an answer mostly stands in one;
 * - neighbours in the query that are neighbours in the passage;
 * - words akin to a word that the passage doesn't hold: another ending, a part of a compound, another spelling;
 * - terms of the title, the name and the headings;
 * - the other passages of the same title that were found;
 * - terms that are telling of the best passages (pseudo-relevance feedback after RM3), the less, the more of the query these hold.
 *
 * The weights are the same for all languages. `npm run quality -- squad2 piaf xquad cranfield` measures them.
 */
import { type QueryTerm, sentenceEnd } from "./analyzer.ts";
import { kinship, trigramsOf } from "./kinship.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { partsOf } from "./terms-column.ts";

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

/** How many of the best passages are believed for feedback, and how many terms are taken from them. */
const feedbackPassages = 10;
const feedbackTerms = 30;
/** Passages of a group that speak for each other. */
const groupSize = 4;

interface Candidate {
  title: string;
  /** Term ids; -1 where a sentence ends. */
  ids: readonly number[];
  counts: Map<number, number>;
  length: number;
  /** Ids of title, name and headings. */
  about: Set<number>;
}

interface Term {
  /** Ids of the forms that occur. */
  ids: Set<number>;
  rarity: number;
  text: string;
}

/** A score for each of `columns`, which are the contents of the terms column; higher is better. `passages` is how many there are in all. */
export function scoresOf(
  query: readonly QueryTerm[],
  columns: readonly string[],
  statistics: TermStatistics,
  passages: number,
  weights: RankingWeights = defaultWeights,
): number[] {
  const vocabulary = new Map<string, number>();
  const candidates = columns.map((column) => candidateOf(column, vocabulary));
  const words = [...vocabulary.keys()];
  const rarityOf = (forms: readonly string[]): number => {
    const ids = forms.map((form) => vocabulary.get(form)).filter((id) => id !== undefined);
    const found = candidates.filter(({ counts }) => ids.some((id) => counts.has(id))).length;
    const expected = Math.max(...forms.map((form) => statistics.shareOf(form))) * passages;
    return rarity(Math.max(found, expected), Math.max(passages, found));
  };
  const terms = query.map(
    (forms): Term => ({
      ids: new Set(forms.map((form) => vocabulary.get(form) ?? -2)),
      rarity: rarityOf(forms),
      text: forms[0],
    }),
  );
  const termOfId = new Int32Array(words.length).fill(-1);
  terms.forEach((term, index) => {
    for (const id of term.ids) if (id >= 0 && termOfId[id] === -1) termOfId[id] = index;
  });
  const total = terms.reduce((sum, term) => sum + term.rarity, 0);
  const { k1, b } = weights;
  const saturated = (count: number, length: number): number =>
    (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / statistics.meanLength));

  const bm25 = candidates.map(({ counts, length }) =>
    terms.reduce((sum, term) => {
      let count = 0;
      for (const id of term.ids) count += counts.get(id) ?? 0;
      return sum + (count > 0 ? term.rarity * saturated(count, length) : 0);
    }, 0),
  );
  const kin = terms.map((term) => kinOf(term, words, termOfId));
  const scores = candidates.map((candidate, index) => {
    const { sentence, neighbours } = nearness(candidate, terms, termOfId);
    return (
      (bm25[index] ?? 0) +
      weights.sentence * sentence +
      weights.neighbours * neighbours +
      weights.kin * kinScore(candidate, terms, kin) +
      weights.title * terms.reduce((sum, term) => sum + (anyIn(term.ids, candidate.about) ? term.rarity : 0), 0)
    );
  });
  addGroups(scores, candidates, bm25, weights.group);
  addFeedback(scores);
  return scores;

  function addFeedback(all: number[]): void {
    const best = all
      .map((_, index) => index)
      .toSorted((x, y) => (bm25[y] ?? 0) - (bm25[x] ?? 0))
      .slice(0, feedbackPassages);
    const expansion = expansionOf(
      best.map((index) => ({ candidate: candidates[index] as Candidate, score: bm25[index] ?? 0 })),
    );
    candidates.forEach(({ counts, length }, index) => {
      let sum = 0;
      for (const { id, weight, rare } of expansion) {
        const count = counts.get(id);
        if (count !== undefined) sum += weight * rare * saturated(count, length);
      }
      all[index] = (all[index] ?? 0) + weights.feedback * sum;
    });
  }

  function expansionOf(
    best: readonly { candidate: Candidate; score: number }[],
  ): { id: number; weight: number; rare: number }[] {
    const top = best[0]?.score ?? 0;
    const sum = best.reduce((all, { score }) => all + Math.exp((score - top) / 4), 0) || 1;
    const found = new Map<number, number>();
    for (const { candidate, score } of best) {
      const share = Math.exp((score - top) / 4) / sum / Math.max(1, candidate.length);
      for (const [id, count] of candidate.counts)
        if (termOfId[id] === -1) found.set(id, (found.get(id) ?? 0) + share * count);
    }
    const telling = [...found]
      .map(([id, share]) => ({ id, rare: rarity(statistics.shareOf(words[id] ?? "") * passages, passages), share }))
      .filter(({ id }) => statistics.shareOf(words[id] ?? "") * statistics.sampled > 1)
      .map((each) => ({ ...each, weight: each.share * each.rare }))
      .toSorted((x, y) => y.weight - x.weight)
      .slice(0, feedbackTerms);
    const all = telling.reduce((weight, each) => weight + each.weight, 0) || 1;
    const covered = Math.max(
      0,
      ...best.map(({ candidate }) =>
        terms.reduce((held, term) => held + (anyIn(term.ids, candidate.counts) ? term.rarity : 0), 0),
      ),
    );
    const doubt = total > 0 ? 1 - covered / total : 0;
    return telling.map(({ id, rare, weight }) => ({ id, rare, weight: (weight / all) * terms.length * doubt }));
  }
}

/** The inverse document frequency of BM25, never below 0. */
const rarity = (found: number, passages: number): number => Math.log(1 + (passages - found + 0.5) / (found + 0.5));

function candidateOf(column: string, vocabulary: Map<string, number>): Candidate {
  const [title, about, text] = partsOf(column);
  const titleIds = idsOf(title, vocabulary);
  const textIds = idsOf(text, vocabulary);
  const heads = new Set([...titleIds, ...idsOf(about, vocabulary)].filter((id) => id >= 0));
  const counts = new Map<number, number>();
  for (const id of heads) counts.set(id, 1);
  let length = heads.size;
  for (const id of textIds) {
    if (id < 0) continue;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    length++;
  }
  return { title, ids: [...titleIds, -1, ...textIds], counts, length, about: heads };
}

function idsOf(text: string, vocabulary: Map<string, number>): number[] {
  if (text === "") return [];
  return text.split(" ").map((word) => {
    if (word === sentenceEnd) return -1;
    const known = vocabulary.get(word);
    if (known !== undefined) return known;
    vocabulary.set(word, vocabulary.size);
    return vocabulary.size - 1;
  });
}

function anyIn(ids: ReadonlySet<number>, held: { has(id: number): boolean }): boolean {
  for (const id of ids) if (held.has(id)) return true;
  return false;
}

/** The rarity that the best sentence holds, and that of neighbouring terms of the query that are neighbours in the passage. */
function nearness(
  { ids }: Candidate,
  terms: readonly Term[],
  termOfId: Int32Array,
): { sentence: number; neighbours: number } {
  let best = 0;
  let sentence = 0;
  let neighbours = 0;
  let seen = new Set<number>();
  const pairs = new Set<number>();
  let previous = -1;
  for (const id of ids) {
    const term = id < 0 ? -1 : (termOfId[id] ?? -1);
    if (id < 0) {
      best = Math.max(best, sentence);
      sentence = 0;
      seen = new Set();
    } else if (term >= 0) {
      if (!seen.has(term)) {
        seen.add(term);
        sentence += terms[term]?.rarity ?? 0;
      }
      if (previous >= 0 && term === previous + 1 && !pairs.has(previous)) {
        pairs.add(previous);
        neighbours += Math.min(terms[previous]?.rarity ?? 0, terms[term]?.rarity ?? 0);
      }
    }
    previous = term;
  }
  return { sentence: Math.max(best, sentence), neighbours };
}

/** How much akin each word is to the term: 0 to 1, undefined where the term has no kin. */
function kinOf(term: Term, words: readonly string[], termOfId: Int32Array): Float32Array | undefined {
  if (term.text.length < 4 || /\p{N}/u.test(term.text)) return undefined;
  const trigrams = trigramsOf(term.text);
  return Float32Array.from(words, (word, id) => (termOfId[id] === -1 ? kinship(term.text, trigrams, word) : 0));
}

function kinScore(candidate: Candidate, terms: readonly Term[], kin: readonly (Float32Array | undefined)[]): number {
  let sum = 0;
  terms.forEach((term, index) => {
    const shares = kin[index];
    if (!shares || anyIn(term.ids, candidate.counts)) return;
    let most = 0;
    for (const id of candidate.counts.keys()) most = Math.max(most, shares[id] ?? 0);
    sum += term.rarity * most;
  });
  return sum;
}

/** The best passages of the same title speak for each other; one that stands alone is taken to have half of itself beside it. */
function addGroups(scores: number[], candidates: readonly Candidate[], bm25: readonly number[], weight: number): void {
  for (const group of Map.groupBy(candidates.keys(), (index) => candidates[index]?.title || index).values()) {
    const best = group
      .map((index) => bm25[index] ?? 0)
      .toSorted((x, y) => y - x)
      .slice(0, groupSize);
    const mean = best.length > 1 ? best.reduce((sum, value) => sum + value, 0) / best.length : (best[0] ?? 0) / 2;
    for (const index of group) scores[index] = (scores[index] ?? 0) + weight * mean;
  }
}
