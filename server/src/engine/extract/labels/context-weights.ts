/**
 * Factors (0 to 1) for a label by its position: how likely the label belongs to the value. Chosen
 * by hand on the development sets, 2026-11. The forest reads them as a feature, so a change
 * requires a new fit (`npm run fit -- ranking`).
 */
export const contextFactors = {
  /** Label directly to the left, and label further left behind texts without words. */
  left: 0.97,
  furtherLeft: 0.86,
  /** Factor for a text to the left that contains a value itself. */
  ownValue: 0.4,
  /** Factor for a second text to the left. */
  secondLeft: 0.75,
  /** Factor for labels to the left if words without a colon stand between them and the value. */
  beforeWords: 0.75,
  /** Label above: near, far, and beyond other values in the same column. */
  nearAbove: 0.92,
  farAbove: 0.78,
  aboveOthers: 0.8,
  /** Factor for the heading of a column with several amounts, which describes its rows. */
  inList: 0.6,
  /** Factor for a label above that is joined with the label to its left. */
  withNeighbour: 0.98,
  /** Label at the upper left. */
  aside: 0.62,
  /** Factor for labels above if the value has a reliable label on its own row. */
  aboveDespiteSure: 0.55,
  /**
   * Factor for the row and column headings of a cell, joined. Multiplied by the factor of the row
   * heading.
   */
  cell: 0.85,
  /** Column heading in a row of totals. */
  sumRow: 0.98,
  /** Factor for a label joined with the words after the value. */
  withSuffix: 0.95,
  /** Label made of the words after the value. */
  behind: 0.8,
  /** Caption below the value. */
  below: 0.92,
};

/** Distances of a label above a value, in line heights. */
export const aboveDistances = {
  /** Maximum gap between a value and a near label. */
  near: 1.6,
  /** Maximum gap between the values of one column. */
  column: 2.2,
  /** Maximum gap between the lines of a label. */
  stacked: 0.6,
  /** Maximum gap between a value and a label at its upper left. */
  aside: 1.2,
};

/** Minimum overlap share (0 to 1) of a value and a text above it. */
export const minAboveOverlap = 0.15;
