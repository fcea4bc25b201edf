/**
 * Shares (0 to 1) that decide if two columns beside each other are read down or across. Chosen by
 * hand on the development sets, 2026-11; no fit changes them.
 */
export const acrossShares = {
  /**
   * Minimum number of ruled lines across the gutter, as a share of the gaps between the lines of
   * the shorter side.
   */
  ruled: 0.6,
  /**
   * Minimum share of the lines of the shorter side that share their baseline with a line on the
   * other side.
   */
  aligned: 0.7,
  /** Minimum share of the lines on the left that are labels. */
  labels: 0.4,
  /** Minimum share of the lines on the right that are values. */
  values: 0.5,
  /** Minimum shares that suffice together: short lines on the left, and values on the right. */
  short: 0.9,
  valuesBesideShort: 0.34,
};

/** Shares (0 to 1) by which lines are recognized as prose. */
export const proseShares = {
  /** Minimum share of lines that are full. */
  fullLines: 0.5,
  /** Minimum width of a full line, as a share of the column width. */
  fullWidth: 0.7,
};

/** Maximum share (0 to 1) of the height of their column that the text of side headings fills. */
export const maxSideHeadFill = 0.5;

/** Maximum distance between baselines on one line, as a share of the larger type size. */
export const sameBaseline = 0.35;
