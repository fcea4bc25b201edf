/**
 * Weights for choosing the text run that is the title of a page. They are added to its prominence
 * (0 to 1). Chosen by hand on the development sets, 2026-11, not fitted.
 */
export const pageTitleWeights = {
  /**
   * Bonus for a run that names a document kind. It is multiplied by the strength of the name (0 to
   * 1).
   */
  kind: 1.2,
  /** Bonus for a run at the top of the page. It decreases to 0 at the bottom. */
  high: 0.25,
  /**
   * Penalties for many words, for an address, for a row with several columns, and for a lower-case
   * first letter.
   */
  long: 0.4,
  address: 0.6,
  columns: 0.4,
  lowerCase: 0.4,
  /** Penalty for text with low OCR confidence, which may be a logo or a scribble. */
  doubtful: 0.7,
};

/** Limits of a title. */
export const pageTitleLimits = {
  /** Share of the page height, from the top, in which a title is searched for. */
  searchedShare: 0.55,
  /** Mean OCR confidence (0 to 1) below which text is doubtful. */
  minConfidence: 0.7,
  /** Text height, as a share of the page height, above which text is probably an OCR error. */
  maxSizeShare: 0.12,
  /** Minimum share of letters among the characters other than spaces. */
  minLetterShare: 0.4,
  /**
   * Maximum difference between the type sizes of two lines of one title, as a share of the size.
   */
  sameSize: 0.06,
  /** Maximum gap between the lines of a title, in line heights. */
  maxGap: 0.7,
  /** Minimum type size, relative to the page's median size, of a title that has several lines. */
  largerFrom: 1.25,
};
