/**
 * Confidence (0 to 1) in a pair of a label and a value, by the position of the value. Chosen by
 * hand on the development sets, 2026-11. The forest (`extract/ranking`) chooses among values that
 * were found with these factors.
 */
export const pairFactors = {
  /** Value to the right of a label that has a colon, and of one that has none. */
  rightMarked: 0.97,
  right: 0.85,
  /** Value below a label that has a colon, and below one that has none. */
  belowMarked: 0.85,
  below: 0.78,
  /** Further factor for a value below a label that also has one to its right. */
  besideRight: 0.7,
  /** Value above its caption. */
  aboveCaption: 0.85,
  /** Name below the heading of a section. */
  underHeading: 0.78,
  /** Value that follows a separator inside the text before a colon. */
  innerLabel: 0.95,
  /** Value that follows any of the first words of a text without a colon. */
  firstWords: 0.8,
};

/** Limits of the positions of a value. */
export const pairLimits = {
  /** Minimum overlap share (0 to 1) of a column header and a value below it. */
  headerOverlap: 0.3,
  /** Minimum overlap share (0 to 1) of a label and a value below it. */
  belowOverlap: 0.5,
  /**
   * Maximum difference between the left edges of a label and a value below it, if they overlap
   * less, in line heights.
   */
  maxIndent: 0.8,
  /** Maximum gap between a label and the value below it, in line heights. */
  maxGapBelow: 2.2,
};
