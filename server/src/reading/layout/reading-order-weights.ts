/**
 * Shares (0 to 1) that decide whether two columns are read one after the other, or row by row
 * across both columns. Chosen by hand on the development sets, 2026-11, not fitted.
 */
export const acrossShares = {
  /**
   * Minimum number of ruled lines that cross the gutter (the white space between the columns), as a
   * share of the number of gaps between lines of text. The gaps are counted in the column with
   * fewer lines of text.
   */
  ruled: 0.6,
  /**
   * Minimum share of the lines in the column with fewer lines that have the same baseline as a line
   * in the other column.
   */
  aligned: 0.7,
  /** Minimum share of labels among the lines on the left. */
  labels: 0.4,
  /** Minimum share of values among the lines on the right. */
  values: 0.5,
  /**
   * Minimum share of short lines on the left. Together with `valuesBesideShort`, this is an
   * alternative to `labels` and `values`.
   */
  short: 0.9,
  /** Minimum share of values among the lines on the right, if the left side satisfies `short`. */
  valuesBesideShort: 0.34,
};

/** Shares (0 to 1) by which prose is recognized. */
export const proseShares = {
  /** Minimum share of the lines that must be full. */
  fullLines: 0.5,
  /** Minimum width of a full line, as a share of the column width. */
  fullWidth: 0.7,
};

/** In a column of side headings, text fills less than this share (0 to 1) of the height. */
export const maxSideHeadFill = 0.5;

/**
 * Maximum difference between the baselines of two words on one line, as a share of the larger font
 * size.
 */
export const sameBaseline = 0.35;
