/**
 * Confidence (0 to 1) that a label and a value belong together, by the position of the value.
 * Chosen by hand on the development sets, 2026-11. The forest (`extract/ranking`) was fitted on
 * values that were found with these factors.
 */
export const pairFactors = {
  /** Value to the right of a label that has a colon. */
  rightMarked: 0.97,
  /** Value to the right of a label that has no colon. */
  right: 0.85,
  /** Value below a label that has a colon. */
  belowMarked: 0.85,
  /** Value below a label that has no colon. */
  below: 0.78,
  /**
   * Additional factor for a value below a label that has a colon, if there is also a text run to
   * the right of the label.
   */
  besideRight: 0.7,
  /** Value with a caption below it. */
  aboveCaption: 0.85,
  /** Name of a party below the heading of a section. */
  underHeading: 0.78,
  /**
   * Value whose label is only the text between a separator and the colon, such as "Date" in
   * "Invoice - Date: 1 May".
   */
  innerLabel: 0.95,
  /** Value whose label consists of the first words of a text without a colon. */
  firstWords: 0.8,
};

/** Limits of the positions of a value. */
export const pairLimits = {
  /** Minimum overlap share (0 to 1) of a column header and a value below it. */
  headerOverlap: 0.3,
  /** Minimum overlap share (0 to 1) of a label and a value below it. */
  belowOverlap: 0.5,
  /**
   * Maximum difference, in line heights, between the left edges of a label and a value below it. A
   * value that overlaps the label by more than `belowOverlap` may exceed this difference.
   */
  maxIndent: 0.8,
  /** Maximum gap between a label and the value below it, in line heights. */
  maxGapBelow: 2.2,
};
