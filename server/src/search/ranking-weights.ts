/**
 * Weights of the parts of a passage's score, in units of a term's inverse document frequency. Chosen
 * by hand on SQuAD 2.0, PIAF, XQuAD and Cranfield, 2026-11, which
 * `npm run quality -- squad2 piaf xquad cranfield` measures; no fit gives them.
 */
export const rankingWeights = {
  /** Saturation of repeated terms in BM25. */
  k1: 0.9,
  /** Influence of the passage length in BM25, 0 to 1. */
  b: 0.75,
  /** Sentence with most of the query. */
  sentence: 0.5,
  /** Adjacent query terms that are adjacent in the passage. */
  neighbours: 0.8,
  /** Words similar to a query term that the passage lacks. */
  kin: 1,
  /** Terms of the title, the name and the headings. */
  title: 1,
  /** Other passages found with the same title. */
  group: 0.25,
  /** Characteristic terms of the best passages. */
  feedback: 0.4,
};

export type RankingWeights = typeof rankingWeights;
