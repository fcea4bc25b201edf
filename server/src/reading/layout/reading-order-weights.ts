/**
 * Shares (0 to 1) that decide whether two columns beside each other are read down or across. Chosen
 * by hand on the development sets, 2026-11; no fit gives them.
 */
export const acrossShares = {
  /** Ruled lines across the gutter, of the gaps between the lines of the shorter side. */
  ruled: 0.6,
  /** Lines of the shorter side that share their baseline with one opposite. */
  aligned: 0.7,
  /** Lines on the left that are labels. */
  labels: 0.4,
  /** Lines on the right that are values. */
  values: 0.5,
  /** Short lines on the left, and values on the right, that suffice together. */
  short: 0.9,
  valuesBesideShort: 0.34,
};

/** Shares (0 to 1) of lines of prose. */
export const proseShares = {
  /** Lines that are full, of all. */
  fullLines: 0.5,
  /** Width of a full line, of the column. */
  fullWidth: 0.7,
};

/** Maximum share (0 to 1) of its height that side headings fill. */
export const maxSideHeadFill = 0.5;

/** Maximum distance of baselines on one line, as a share of the larger type size. */
export const sameBaseline = 0.35;
