/**
 * Weights of the evidence for a document kind on a page. A score is their sum, without a unit: 0 is
 * no evidence, and a clear title alone gives about 4. Chosen by hand, 2026-11.
 */
export const kindWeights = {
  /** Weight of a title, times its strength (0 to 1). */
  title: 4.2,
  /** Weight of a number of the kind, such as "Invoice no.", on the page. */
  numbered: 1.1,
  /** The same for kinds that other documents often refer to by number. */
  numberedWhereReferred: 0.35,
  /** Weight of each other mention of the kind's name, and maximum of all together. */
  mention: 0.12,
  maxMentions: 0.5,
  /** Weight of a phrase that only this kind has, and of one that several have. */
  strongCue: 1,
  weakCue: 0.3,
  /** Limit that the sum of phrases approaches. */
  maxCues: 4,
  /**
   * Score of phrases needed to accept the title of another document kind in full. For example,
   * "Order" may head a broadcast schedule.
   */
  cuesToBorrow: 1.6,
  /** Least strength that a borrowed title is compared with. */
  leastStrength: 0.01,
};

/** Parts of the strength of a title, 0 to 1. Chosen by hand, 2026-11. */
export const titleWeights = {
  /** Weight of any text run. */
  base: 0.15,
  /** Of larger type, in full from `largerFrom` plus `largerRange` times the page's median size. */
  larger: 0.75,
  largerFrom: 1.05,
  largerRange: 0.6,
  /** Weight of bold type, and of capitals, if most of the page is not. */
  bold: 0.35,
  capitals: 0.25,
  /** Weight of a run that is alone in its row. */
  alone: 0.15,
  /** Share of the page height, from the top, where titles are; factor for runs below it. */
  topShare: 0.38,
  ofLower: 0.4,
  /** Factor for the name of a kind with its number. */
  ofNumbered: 0.7,
  /** Factors for a name behind a preposition, and for one behind other words. */
  behindPreposition: 0.35,
  behindWords: 0.75,
};
