/**
 * Scores (0 to 1) and limits of postal addresses. Chosen by hand on the development sets, 2026-11,
 * not fitted.
 */
export const addressScores = {
  /** Address without a postcode and town. */
  withoutTown: 0.4,
  /** Factor for a labelled text that does not look like an address. */
  notAsPlace: 0.5,
  /**
   * Address in no section, in a section of the requested party, and in a section of another party.
   */
  inNoSection: 0.5,
  inSection: 0.75,
  inOther: 0.15,
  /** Bonus at the top of the first page, and its reduction per page of distance from there. */
  early: 0.05,
  laterPerPage: 0.01,
};

/** Distances, in line heights. */
export const addressDistances = {
  /** Maximum difference of the left edges of aligned lines. */
  aligned: 0.7,
  /** Maximum difference of the right edges of aligned lines. */
  alignedRight: 0.6,
  /** Maximum gap between lines of an address, and maximum gap below a labelled first line. */
  gap: 1.3,
  gapBelowLabelled: 1.5,
  /**
   * Maximum gap between lines of a block, and above the town's line, where letters may leave a line
   * empty.
   */
  blockGap: 2.2,
  townGap: 2.6,
  /** Maximum gap between the lines of one name. */
  nameGap: 0.6,
  /** Maximum gap to a larger line above, which is the sender's name. */
  largerGap: 1.2,
};

/**
 * Minimum left edge of a line for its right edge to be compared, as a share of the other line's
 * left and right edges added together.
 */
export const minRightShare = 0.35;
/** Maximum difference in type size between the lines of one name, in points. */
export const sameTypeSize = 0.3;
