/**
 * Weights of the parts of a passage's score, as multiples of the inverse document frequency of a
 * term. Chosen by hand on SQuAD 2.0, PIAF, XQuAD and Cranfield, 2026-11, not fitted. `npm run
 * quality -- squad2 piaf xquad cranfield` measures their effect.
 */
export const rankingWeights = {
  /** How fast the weight of a repeated term saturates in BM25. */
  k1: 0.9,
  /** How much the length of the passage counts in BM25, 0 to 1. */
  b: 0.75,
  /** Weight of the query terms in the sentence that contains most of them. */
  sentence: 0.5,
  /** Weight of query terms that are adjacent both in the query and in the passage. */
  neighbours: 0.8,
  /** Weight of words of the passage that are similar to a query term missing from the passage. */
  kin: 1,
  /** Weight of query terms in the title, the name and the headings. */
  title: 1,
  /** Weight of the mean BM25 of the best passages with the same title. */
  group: 0.25,
  /** Weight of terms that are typical of the best passages. */
  feedback: 0.4,
};

export type RankingWeights = typeof rankingWeights;
