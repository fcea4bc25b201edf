/**
 * Weights and thresholds of the given classes. Chosen by hand on the development sets (segments and
 * papers-a), 2026-11; no fit gives them.
 */

/** Affinity of a document kind to a class (0 to 1), by where the class names the kind. */
export const affinities = {
  /** Name in the description. */
  ofDescription: 0.55,
  /** Name in a label that has other words too. A label that is only the name gives 1. */
  ofQualified: 0.75,
  /** Topic in the label, such as "finance", that the kind belongs to. */
  ofTopic: 0.6,
  /** Factor for the kinds narrower, and for the kind broader, than a named one. */
  ofNarrower: 0.8,
  ofBroader: 0.35,
};

/** Least affinity with which a class covers a document kind. */
export const minAffinity = 0.3;

/** Weights of the words that a class shares with a page, in the score of `kind-weights.ts`. */
export const wordWeights = {
  /** Weight of a label word in prominent text, and anywhere else. */
  prominentLabel: 1.6,
  label: 0.8,
  /** Weight of a word of the description, and maximum of all together. */
  description: 0.15,
  maxDescription: 0.9,
  /** Weight of a pair of consecutive words, and maximum of all together. */
  pair: 0.9,
  maxPairs: 3.6,
};

/** Least weight of a term (0 to 1) that is compared, and least prominence (0 to 1) of its text. */
export const minTermWeight = 0.3;
export const prominentFrom = 0.45;

/** Thresholds in the score of a class. */
export const classScoreWeights = {
  /** Weight of the pages after the first, relative to the first. */
  ofOtherPages: 0.3,
  /** Weight of the other document kinds of a class, relative to its best. */
  ofOtherKinds: 0.2,
  /** Minimum score, below which a class is never chosen. */
  minScore: 0.6,
  /**
   * A class below `sureScore` is rejected if a document kind outside the classes scores at least
   * `littleOther`.
   */
  sureScore: 1.3,
  littleOther: 2,
  /** Minimum lead over the best class, and minimum score, for a kind outside the classes to win. */
  clearlyOther: 1.8,
  minOther: 2.6,
  /** Least score that the chosen class is compared with, below `minScore`. */
  rivalBelowLeast: 0.5,
  /** Minimum score of a document kind that is discovered. */
  minKind: 1.6,
  /** Weight of the document, in mode `page`, where a page usually has the class of its document. */
  ofDocument: 0.6,
  /** Bonus of a document kind in the filename. */
  ofFilename: 1.6,
};

/** Confidence (0 to 1) of a discovered class. */
export const discoveredConfidences = {
  blank: 0.9,
  /** Factor for a document kind that the title does not name. */
  untitled: 0.8,
  /** Class named by the page's title. */
  titled: 0.4,
  /** Class named by the page's layout. */
  generic: 0.35,
};

/** Curve of the confidence of a class, in logits. */
export const classConfidenceWeights = {
  intercept: 0.6,
  /** Weight of the score, up to `maxScore`. */
  score: 0.25,
  maxScore: 5,
  /** Weight of the lead over the runner-up, up to `maxMargin`. */
  margin: 0.7,
  maxMargin: 4,
};

/** Shares (0 to 1) from which a page without a known kind is text, a form or a table. */
export const genericShares = {
  /** Share of words in rows of prose. */
  prose: 0.5,
  /** Fill-in fields per row. */
  fields: 0.15,
  /** Share of words with digits. */
  digits: 0.4,
};
