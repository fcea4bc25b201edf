/**
 * Confidence (0 to 1) in a pair of a label and a value, by where the value is. Chosen by hand on the
 * development sets, 2026-11. The pool of values for the forest (`extract/ranking`) is made with them.
 */
export const pairFactors = {
  /** Value to the right of a label with a colon, and without one. */
  rightMarked: 0.97,
  right: 0.85,
  /** Value below a label with a colon, and without one. */
  belowMarked: 0.85,
  below: 0.78,
  /** Factor for a value below if there is one to the right too. */
  besideRight: 0.7,
  /** Value above its caption. */
  aboveCaption: 0.85,
  /** Name below the heading of a section. */
  underHeading: 0.78,
  /** Value after a separator within the text before a colon. */
  innerLabel: 0.95,
  /** Value after any of the first words of a text without a colon. */
  firstWords: 0.8,
};

/** Limits of the positions of a value. */
export const pairLimits = {
  /** Minimum overlap share (0 to 1) of a column header and a value below it. */
  headerOverlap: 0.3,
  /** Minimum overlap share (0 to 1) of a label and a value below it. */
  belowOverlap: 0.5,
  /** Maximum difference of their left edges otherwise, in line heights. */
  maxIndent: 0.8,
  /** Maximum gap to the value below, in line heights. */
  maxGapBelow: 2.2,
};
