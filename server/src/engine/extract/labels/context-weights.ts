/**
 * Factors (0 to 1) for a label by its position: how likely it belongs to the value. Chosen by hand
 * on the development sets, 2026-11. The forest reads them as a feature, so a change needs a new fit
 * (`npm run fit -- ranking`).
 */
export const contextFactors = {
  /** Label to the left, and one beyond values without words. */
  left: 0.97,
  furtherLeft: 0.86,
  /** Factor for a text to the left that has a value of its own. */
  ownValue: 0.4,
  /** Factor for a second text to the left. */
  secondLeft: 0.75,
  /** Factor for labels to the left if words without a colon precede the value. */
  beforeWords: 0.75,
  /** Label above: near, far, and beyond other values of the column. */
  nearAbove: 0.92,
  farAbove: 0.78,
  aboveOthers: 0.8,
  /** Factor for the heading of a column with several amounts, which describes its rows. */
  inList: 0.6,
  /** Factor for a label above joined with the one to its left. */
  withNeighbour: 0.98,
  /** Label at the upper left. */
  aside: 0.62,
  /** Factor for labels above if the value has a certain label on its row. */
  aboveDespiteSure: 0.55,
  /** Factor for both headings of a cell, times that of the row heading. */
  cell: 0.85,
  /** Column heading in a row of totals. */
  sumRow: 0.98,
  /** Factor for a label joined with the words after the value. */
  withSuffix: 0.95,
  /** Words after the value. */
  behind: 0.8,
  /** Caption below the value. */
  below: 0.92,
};

/** Distances of a label above a value, in line heights. */
export const aboveDistances = {
  /** Maximum gap of a near label. */
  near: 1.6,
  /** Maximum gap between the values of one column. */
  column: 2.2,
  /** Maximum gap between the lines of a label. */
  stacked: 0.6,
  /** Maximum gap of a label at the upper left. */
  aside: 1.2,
};

/** Minimum overlap share (0 to 1) of a value and what is above it. */
export const minAboveOverlap = 0.15;
