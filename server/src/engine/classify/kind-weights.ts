/**
 * Weights of the evidence for a document kind on a page. Their sum is the score, which has no unit:
 * 0 is no evidence, and a clear title alone gives about 4. Chosen by hand, 2026-11.
 */
export const kindWeights = {
  /** Weight of a title. It is multiplied by the strength of the title (0 to 1). */
  title: 4.2,
  /** Weight of a label for a number that names the kind, such as "Invoice no.". */
  numbered: 1.1,
  /**
   * Weight of a label for a number that names the kind, if other documents often mention such
   * numbers too. Order numbers are an example.
   */
  numberedWhereReferred: 0.35,
  /** Weight of every further mention of the kind's name. */
  mention: 0.12,
  /** Maximum sum of the weights of further mentions. */
  maxMentions: 0.5,
  /** Weight of a phrase that occurs in documents of this kind only. */
  strongCue: 1,
  /** Weight of a phrase that occurs in documents of several kinds. */
  weakCue: 0.3,
  /** Limit that the sum of the phrase weights approaches but never reaches. */
  maxCues: 4,
  /**
   * A document may be headed with the title of another document kind: a broadcast schedule may be
   * headed "Order". The title counts in full if the sum of the phrase weights reaches this value.
   */
  cuesToBorrow: 1.6,
  /** Lower bound for the strength of the best title, which is used as a divisor. */
  leastStrength: 0.01,
};

/** Weights for computing the strength of a title (0 to 1). Chosen by hand, 2026-11. */
export const titleWeights = {
  /** Weight of any text run. */
  base: 0.15,
  /**
   * Weight of a run in larger type. The weight is 0 up to `largerFrom` times the page's median
   * size. It reaches its full value at `largerFrom + largerRange` times the median size.
   */
  larger: 0.75,
  largerFrom: 1.05,
  largerRange: 0.6,
  /**
   * Weights of bold type and of capitals. Bold type is ignored if most of the page is bold, and
   * capitals are ignored if most of the page is in capitals.
   */
  bold: 0.35,
  capitals: 0.25,
  /** Weight of a run that is alone in its row. */
  alone: 0.15,
  /**
   * Titles are usually in the top part of the page, down to this share of the page height. The
   * strength of runs below this part is multiplied by `ofLower`.
   */
  topShare: 0.38,
  ofLower: 0.4,
  /** Factor for a kind's name that is followed by a number. */
  ofNumbered: 0.7,
  /** Factor for a kind's name after a preposition, as in "Request for check". */
  behindPreposition: 0.35,
  /** Factor for a kind's name after words other than a preposition. */
  behindWords: 0.75,
};
