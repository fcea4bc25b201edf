/**
 * Weights and thresholds for choosing among the classes of a request. Chosen by hand on the
 * development sets (segments and papers-a), 2026-11, not fitted.
 */

/**
 * Affinity (0 to 1) of a document kind to a class. It depends on where the class names the kind.
 */
export const affinities = {
  /** The description names the kind. */
  ofDescription: 0.55,
  /**
   * The label contains the name of the kind and other words. If the label is only the name, the
   * affinity is 1.
   */
  ofQualified: 0.75,
  /** The label names a topic, such as "finance", that the kind belongs to. */
  ofTopic: 0.6,
  /**
   * Factor for a document kind that is narrower than the named one, as a lease is narrower than a
   * contract.
   */
  ofNarrower: 0.8,
  /** Factor for a document kind that is broader than the named one. */
  ofBroader: 0.35,
};

/** Minimum affinity at which a class covers a document kind. */
export const minAffinity = 0.3;

/**
 * Weights of the words that a class shares with a page. They are on the scale of the scores in
 * `kind-weights.ts`.
 */
export const wordWeights = {
  /** Weight of a label word in prominent text. */
  prominentLabel: 1.6,
  /** Weight of a label word in other text. */
  label: 0.8,
  /** Weight of each word of the description. */
  description: 0.15,
  /** Maximum sum of the weights of the words of the description. */
  maxDescription: 0.9,
  /** Weight of each pair of consecutive words that the class and the page share. */
  pair: 0.9,
  /** Maximum sum of the weights of the shared pairs of words. */
  maxPairs: 3.6,
};

/** Terms with a lower weight (0 to 1) are ignored when classes and pages are compared. */
export const minTermWeight = 0.3;
/** Minimum prominence (0 to 1) of text that counts as prominent. */
export const prominentFrom = 0.45;

/** Weights of the parts of the score of a class, and thresholds of the score. */
export const classScoreWeights = {
  /** Weight of the mean score of the pages after the first one. */
  ofOtherPages: 0.3,
  /** Weight of the other document kinds of a class, relative to its best kind. */
  ofOtherKinds: 0.2,
  /** Minimum score, below which a class is never chosen. */
  minScore: 0.6,
  /**
   * A class with a score below `sureScore` is rejected if a document kind that no class covers
   * scores at least `littleOther`.
   */
  sureScore: 1.3,
  littleOther: 2,
  /**
   * A document kind that no class covers wins if it scores at least `minOther`, and at least
   * `clearlyOther` more than the best class.
   */
  clearlyOther: 1.8,
  minOther: 2.6,
  /**
   * The confidence of a chosen class depends on its lead over the runner-up. In this calculation,
   * the score of the runner-up is never below `minScore` minus this number, so that a very weak
   * runner-up does not raise the confidence.
   */
  rivalBelowLeast: 0.5,
  /** Minimum score at which a document kind becomes a discovered class. */
  minKind: 1.6,
  /**
   * Weight, in mode `page`, of the score of the whole document. A page usually has the class of its
   * document.
   */
  ofDocument: 0.6,
  /** Bonus for a document kind that the filename names. */
  ofFilename: 1.6,
};

/** Confidence (0 to 1) of a discovered class. */
export const discoveredConfidences = {
  blank: 0.9,
  /** Factor for the confidence if the title does not name the document kind. */
  untitled: 0.8,
  /** Confidence of a class that is named after the page's title. */
  titled: 0.4,
  /** Confidence of a class that is named after the page's layout, such as "form". */
  generic: 0.35,
};

/** Weights, in logits, of the logistic curve for the confidence of a class. */
export const classConfidenceWeights = {
  intercept: 0.6,
  /** Weight of the score. A score above `maxScore` counts as `maxScore`. */
  score: 0.25,
  maxScore: 5,
  /** Weight of the lead over the runner-up. A lead above `maxMargin` counts as `maxMargin`. */
  margin: 0.7,
  maxMargin: 4,
};

/**
 * Limits for the class of a page whose document kind is unknown. The class is "text", "form" or
 * "table" if the respective share (0 to 1) is above its limit.
 */
export const genericShares = {
  /** Share of words in rows of prose. */
  prose: 0.5,
  /** Fill-in fields per row. */
  fields: 0.15,
  /** Share of words with digits. */
  digits: 0.4,
};
