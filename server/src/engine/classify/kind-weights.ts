/**
 * Weights of the evidence for a document kind on a page. Their sum is the score, which has no unit:
 * 0 is no evidence, and a clear title alone gives about 4. Chosen by hand, 2026-11.
 */
export const kindWeights = {
  /** Weight of a title. It is multiplied by the strength of the title (0 to 1). */
  title: 4.2,
  /** Weight of a number of the kind, such as "Invoice no.", on the page. */
  numbered: 1.1,
  /** Weight of a number of the kind, if other documents often refer to the kind by number. */
  numberedWhereReferred: 0.35,
  /** Weight of each other mention of the kind's name, and maximum of their sum. */
  mention: 0.12,
  maxMentions: 0.5,
  /** Weight of a phrase that only this kind has, and of a phrase that several kinds have. */
  strongCue: 1,
  weakCue: 0.3,
  /** Limit that the sum of phrases approaches. */
  maxCues: 4,
  /**
   * Score of phrases needed to accept the title of another document kind in full. For example,
   * "Order" may head a broadcast schedule.
   */
  cuesToBorrow: 1.6,
  /**
   * Minimum divisor for the strength of the best title, when the strength of a borrowed title is
   * computed.
   */
  leastStrength: 0.01,
};

/** Parts of the strength of a title, 0 to 1. Chosen by hand, 2026-11. */
export const titleWeights = {
  /** Weight of any text run. */
  base: 0.15,
  /**
   * Weight of a run in larger type. It counts from `largerFrom` times the page's median size, and
   * in full at `largerRange` more.
   */
  larger: 0.75,
  largerFrom: 1.05,
  largerRange: 0.6,
  /**
   * Weights of bold type and of capitals. Each counts only if most of the page is set differently.
   */
  bold: 0.35,
  capitals: 0.25,
  /** Weight of a run that is alone in its row. */
  alone: 0.15,
  /**
   * Share of the page height, from the top, in which titles stand, and factor for runs below it.
   */
  topShare: 0.38,
  ofLower: 0.4,
  /** Factor for a kind's name that is followed by a number. */
  ofNumbered: 0.7,
  /** Factors for a name that follows a preposition, and for one that follows other words. */
  behindPreposition: 0.35,
  behindWords: 0.75,
};
