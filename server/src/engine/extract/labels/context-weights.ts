/**
 * Factors (0 to 1) for a label by its position: how likely a label at that position is to belong to
 * the value. Chosen by hand on the development sets, 2026-11. The decision forest that ranks values
 * uses these factors as a feature, so it must be refitted after a change
 * (`npm run fit -- ranking`).
 */
export const contextFactors = {
  /** Factor for a label directly to the left of the value. */
  left: 0.97,
  /**
   * Factor for a label to the left of the value if other texts, such as "19%", stand between them.
   */
  furtherLeft: 0.86,
  /** Factor for a text to the left that already contains a value, such as "Order no.: 4711". */
  ownValue: 0.4,
  /** Factor for the second text to the left of the value, which counts as the row heading. */
  secondLeft: 0.75,
  /**
   * Factor for labels to the left of a text run in which up to two other words stand before the
   * value.
   */
  beforeWords: 0.75,
  /** Factor for a label above the value, less than `aboveDistances.near` away. */
  nearAbove: 0.92,
  /** Factor for a label above the value, at least `aboveDistances.near` away. */
  farAbove: 0.78,
  /** Factor for a label above the value if other values of the same column stand between them. */
  aboveOthers: 0.8,
  /**
   * Factor for the heading of a column that contains several amounts. Such a heading describes the
   * rows of a list.
   */
  inList: 0.6,
  /** Factor for a label that is above the value and is joined with the text to the label's left. */
  withNeighbour: 0.98,
  /** Factor for a label at the upper left of the value. */
  aside: 0.62,
  /** Factor for labels above a value that has a reliable label on its own row. */
  aboveDespiteSure: 0.55,
  /**
   * Factor for a row heading and a column heading that are joined into one label. It is multiplied
   * by the factor of the row heading.
   */
  cell: 0.85,
  /**
   * Factor for the label of a value in a row of totals. This label is the column heading, alone or
   * joined with "Total".
   */
  sumRow: 0.98,
  /** Factor for a label that is joined with the words after the value. */
  withSuffix: 0.95,
  /** Factor for words after the value that are its label, as in "2,614 kWh used". */
  behind: 0.8,
  /** Factor for a caption below the value. */
  below: 0.92,
};

/** Distances of a label above a value, in line heights. */
export const aboveDistances = {
  /** A label above a value counts as near if the gap between them is smaller than this. */
  near: 1.6,
  /** Maximum gap between the values of one column. */
  column: 2.2,
  /** Maximum gap between the lines of a label. */
  stacked: 0.6,
  /** Maximum gap between a value and a label at its upper left. */
  aside: 1.2,
};

/**
 * Minimum horizontal overlap of a value and a text above it, as a share (0 to 1) of the narrower
 * one.
 */
export const minAboveOverlap = 0.15;
