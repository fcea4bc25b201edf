/**
 * Weights of a text run as the title of a page, in addition to its prominence (0 to 1). Chosen by
 * hand on the development sets, 2026-11; no fit gives them.
 */
export const pageTitleWeights = {
  /** Bonus of a name of a document kind, times its strength (0 to 1). */
  kind: 1.2,
  /** Bonus at the top of the page; it falls to 0 at the bottom. */
  high: 0.25,
  /** Penalties: many words, an address, a row of several columns, a lower-case beginning. */
  long: 0.4,
  address: 0.6,
  columns: 0.4,
  lowerCase: 0.4,
  /** Penalty of doubtful OCR, which may be a logo or a scribble. */
  doubtful: 0.7,
};

/** Limits of a title. */
export const pageTitleLimits = {
  /** Share of the page height, from the top, that is searched. */
  searchedShare: 0.55,
  /** Mean OCR confidence (0 to 1) below which text is doubtful. */
  minConfidence: 0.7,
  /** Text height, as a share of the page height, above which text is probably an OCR error. */
  maxSizeShare: 0.12,
  /** Minimum share of letters in the characters that are no spaces. */
  minLetterShare: 0.4,
  /** Maximum difference of type size in one title, as a share of the size. */
  sameSize: 0.06,
  /** Maximum gap between its lines, in line heights. */
  maxGap: 0.7,
  /** Type size from which a title may have several lines, times the page's median size. */
  largerFrom: 1.25,
};
