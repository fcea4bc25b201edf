/**
 * Points that the page layout adds to the score of a document kind. They use the same scale as the
 * scores in `kind-weights.ts`, where a clear title alone gives about 4. Chosen by hand on the
 * development sets, 2026-11, not fitted.
 */
export const appearanceWeights = {
  /** Share of words in rows of prose (0 to 1) above which a page counts as running text. */
  proseFrom: 0.35,
  /**
   * Points for each document kind, multiplied by the amount by which the share of prose exceeds
   * `proseFrom`.
   */
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
   * A short page counts as scattered text, as in forms, if less than this share of its words (0 to
   * 1) is in prose or contains digits.
   */
  scatteredBelow: 0.5,
  /** Points for a form, multiplied by the number of fill-in fields per row. */
  fields: 4,
  /** Maximum number of points that fill-in fields can add to the score of a form. */
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
  /**
   * Penalty for the kind "receipt" if the file is a text file or a workbook. Till receipts are
   * never stored in such files.
   */
  receiptInFlow: -1.5,
  /** Minimum share of words with digits (0 to 1) at which a page may be a list. */
  listDigits: 0.45,
  /** Bonus for a list if the share of words with digits is above `listDigits`. */
  list: 0.7,
};
