/**
 * Points that the page layout adds to the score of a document kind. They are on the scale of the
 * scores in `kind-weights.ts`, where a clear title alone gives about 4. Chosen by hand on the
 * development sets, 2026-11, not fitted.
 */
export const appearanceWeights = {
  /** Share of words in rows of prose (0 to 1) above which a page counts as running text. */
  proseFrom: 0.35,
  /** Weights of the prose share above `proseFrom` in the score of each document kind. */
  article: 3.2,
  report: 1.2,
  contract: 0.8,
  book: 0.8,
  letter: 0.6,
  /** Factor for an article that begins with a salutation. */
  articleWithSalutation: 0.2,
  /** Bonus for a letter if the page has a salutation. */
  salutation: 1.6,
  /**
   * A short page is scattered text if less than this share of its words (0 to 1) is in prose or has
   * digits.
   */
  scatteredBelow: 0.5,
  /** Weight of the number of fill-in fields per row in the score of a form. */
  fields: 4,
  /** Maximum that fill-in fields can add to the score of a form. */
  maxFields: 1.6,
  /** Ratio of height to width above which a page counts as a narrow strip. */
  narrowFrom: 1.75,
  /** Bonus for a receipt if the page is narrow. */
  narrowReceipt: 1.4,
  /** Minimum share of words with digits (0 to 1) at which a short page may be a receipt. */
  receiptDigits: 0.25,
  /**
   * Bonus for a receipt if the page is short and its share of words with digits is above
   * `receiptDigits`.
   */
  receiptOfDigits: 0.4,
  /** Points for a receipt in a text file or a workbook. Such a file is never a till receipt. */
  receiptInFlow: -1.5,
  /** Minimum share of words with digits (0 to 1) at which a page may be a list. */
  listDigits: 0.45,
  /** Bonus for a list if the share of words with digits is above `listDigits`. */
  list: 0.7,
};
