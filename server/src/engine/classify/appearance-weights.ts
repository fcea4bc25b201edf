/**
 * Weights of the page layout for document kinds. Their unit is the score of `kind-weights.ts`, in
 * which a clear title alone gives about 4. Chosen by hand on the development sets, 2026-11, not
 * fitted.
 */
export const appearanceWeights = {
  /** Share of words in rows of prose (0 to 1) from which a page is running text. */
  proseFrom: 0.35,
  /** Weights of the part of the prose share that exceeds `proseFrom`. */
  article: 3.2,
  report: 1.2,
  contract: 0.8,
  book: 0.8,
  letter: 0.6,
  /** Factor for an article that begins with a salutation. */
  articleWithSalutation: 0.2,
  /** Bonus of a salutation for a letter. */
  salutation: 1.6,
  /** Share of words in prose or with digits (0 to 1) below which short text is scattered. */
  scatteredBelow: 0.5,
  /** Weight of the number of fill-in fields per row for a form, and maximum of the product. */
  fields: 4,
  maxFields: 1.6,
  /** Ratio of height to width from which a page is a narrow strip. */
  narrowFrom: 1.75,
  /** Bonus of a narrow page for a receipt. */
  narrowReceipt: 1.4,
  /**
   * Share of words with digits (0 to 1) from which a short page may be a receipt, and the bonus of
   * a receipt then.
   */
  receiptDigits: 0.25,
  receiptOfDigits: 0.4,
  /** Score of a receipt in a text file or a workbook, which is never a till receipt. */
  receiptInFlow: -1.5,
  /**
   * Share of words with digits (0 to 1) from which a page is a list, and the bonus of a list then.
   */
  listDigits: 0.45,
  list: 0.7,
};
