/**
 * Weights and thresholds of the given classes. Chosen by hand on the development sets (segments and
 * papers-a), 2026-11, not fitted.
 */

/** Affinity of a document kind to a class (0 to 1), by the place where the class names the kind. */
export const affinities = {
  /** The description names the kind. */
  ofDescription: 0.55,
  /** The label names the kind and has other words too. A label that is only the name gives 1. */
  ofQualified: 0.75,
  /** The label names a topic, such as "finance", that the kind belongs to. */
  ofTopic: 0.6,
  /** Factors for the kinds that are narrower than a named one, and for the kind that is broader. */
  ofNarrower: 0.8,
  ofBroader: 0.35,
};

/** Minimum affinity at which a class covers a document kind. */
export const minAffinity = 0.3;

/**
 * Weights of the words that a class shares with a page. Their unit is the score of
 * `kind-weights.ts`.
 */
export const wordWeights = {
  /** Weight of a label word in prominent text, and anywhere else. */
  prominentLabel: 1.6,
  label: 0.8,
  /** Weight of each word of the description, and maximum of their sum. */
  description: 0.15,
  maxDescription: 0.9,
  /** Weight of each pair of consecutive words, and maximum of their sum. */
  pair: 0.9,
  maxPairs: 3.6,
};

/**
 * Minimum weight (0 to 1) of a term that is compared. Prominence (0 to 1) from which its text is
 * prominent.
 */
export const minTermWeight = 0.3;
export const prominentFrom = 0.45;

/** Thresholds of the score of a class, and weights of its parts. */
export const classScoreWeights = {
  /** Weight of the pages after the first, relative to the first. */
  ofOtherPages: 0.3,
  /** Weight of the other document kinds of a class, relative to its best kind. */
  ofOtherKinds: 0.2,
  /** Minimum score, below which a class is never chosen. */
  minScore: 0.6,
  /**
   * A class below `sureScore` is rejected if a document kind outside the classes scores at least
   * `littleOther`.
   */
  sureScore: 1.3,
  littleOther: 2,
  /**
   * Minimum lead over the best class, and minimum score, with which a kind outside the classes
   * wins.
   */
  clearlyOther: 1.8,
  minOther: 2.6,
  /**
   * Difference between `minScore` and the lowest score that is assumed for the runner-up of the
   * chosen class.
   */
  rivalBelowLeast: 0.5,
  /** Minimum score of a document kind that is discovered. */
  minKind: 1.6,
  /**
   * Weight of the document's score in mode `page`, where a page usually has the class of its
   * document.
   */
  ofDocument: 0.6,
  /** Bonus of a document kind that the filename names. */
  ofFilename: 1.6,
};

/** Confidence (0 to 1) of a discovered class. */
export const discoveredConfidences = {
  blank: 0.9,
  /** Factor if the title does not name the document kind. */
  untitled: 0.8,
  /** Class named by the page's title. */
  titled: 0.4,
  /** Class named by the page's layout. */
  generic: 0.35,
};

/** Curve of the confidence of a class, in logits. */
export const classConfidenceWeights = {
  intercept: 0.6,
  /** Weight of the score, which counts up to `maxScore`. */
  score: 0.25,
  maxScore: 5,
  /** Weight of the lead over the runner-up, which counts up to `maxMargin`. */
  margin: 0.7,
  maxMargin: 4,
};

/** Minimum shares (0 to 1) at which a page without a known kind is text, a form or a table. */
export const genericShares = {
  /** Share of words in rows of prose. */
  prose: 0.5,
  /** Fill-in fields per row. */
  fields: 0.15,
  /** Share of words with digits. */
  digits: 0.4,
};
