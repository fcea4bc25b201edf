/**
 * Scores (0 to 1) and distances for finding postal addresses. Chosen by hand on the development
 * sets, 2026-11, not fitted.
 */
export const addressScores = {
  /** Score of an address without postcode and town. */
  withoutTown: 0.4,
  /** Factor for a text that has a label but does not look like an address. */
  notAsPlace: 0.5,
  /** Score of an address outside of any party's section. */
  inNoSection: 0.5,
  /** Score of an address in the section of the requested party. */
  inSection: 0.75,
  /** Score of an address in the section of another party. */
  inOther: 0.15,
  /**
   * Bonus for an address at the top of the first page. On later pages, it decreases by
   * `laterPerPage` per page; within a page, it decreases proportionally from top to bottom.
   */
  early: 0.05,
  laterPerPage: 0.01,
};

/** Distances, in line heights. */
export const addressDistances = {
  /** Maximum difference of the left edges of aligned lines. */
  aligned: 0.7,
  /** Maximum difference of the right edges of aligned lines. */
  alignedRight: 0.6,
  /** Maximum gap between lines of an address. */
  gap: 1.3,
  /** Maximum gap below the first line of an address, if that line has a label. */
  gapBelowLabelled: 1.5,
  /** Maximum gap between two lines of an address block. */
  blockGap: 2.2,
  /**
   * Maximum gap above the line with the town, where letters often leave an empty line. Also used
   * for the lines below an address.
   */
  townGap: 2.6,
  /** Maximum gap between the lines of one name. */
  nameGap: 0.6,
  /**
   * Maximum gap between a sender line and a line in larger type above it. That line is then taken
   * as the sender's name.
   */
  largerGap: 1.2,
};

/**
 * Two lines can count as right-aligned only if the first one does not begin too far to the left:
 * its left edge must exceed this share of the sum of the second line's left and right edges.
 */
export const minRightShare = 0.35;
/** Maximum difference in type size between the lines of one name, in points. */
export const sameTypeSize = 0.3;
