/**
 * Points that the page layout adds to the score of a document kind. The unit is the score of
 * `kind-weights.ts`, in which a clear title alone gives about 4. Chosen by hand on the development
 * sets, 2026-11, not fitted.
 */
export const appearanceWeights = {
  /** Share of words in rows of prose (0 to 1) from which a page is running text. */
  proseFrom: 0.35,
  /** Weights, for an article and for a report, of the part of the prose share above `proseFrom`. */
  article: 3.2,
  report: 1.2,
  contract: 0.8,
  book: 0.8,
  letter: 0.6,
  /** Factor for an article that begins with a salutation. */
  articleWithSalutation: 0.2,
  /** Bonus of a salutation for a letter. */
  salutation: 1.6,
  /**
   * A short page is scattered text if less than this share of its words (0 to 1) is in prose or has
   * digits.
   */
  scatteredBelow: 0.5,
  /**
   * Weight that the number of fill-in fields per row has for a form, and maximum of the product.
   */
  fields: 4,
  maxFields: 1.6,
  /** Ratio of height to width from which a page is a narrow strip. */
  narrowFrom: 1.75,
  /** Bonus of a narrow page for a receipt. */
  narrowReceipt: 1.4,
  /**
   * Minimum share of words with digits (0 to 1) at which a short page may be a receipt, and the
   * bonus for a receipt then.
   */
  receiptDigits: 0.25,
  receiptOfDigits: 0.4,
  /** Points for a receipt in a text file or a workbook. Such a file is never a till receipt. */
  receiptInFlow: -1.5,
  /**
   * Minimum share of words with digits (0 to 1) at which a page is a list, and the bonus for a list
   * then.
   */
  listDigits: 0.45,
  list: 0.7,
};
