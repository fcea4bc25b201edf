/**
 * Factors by which the confidence (0 to 1) of a position is multiplied. Chosen by hand on the
 * development sets, 2026-11. `npm run quality -- calibration` measures how well they fit.
 */
export const groundWeights = {
  /** The value follows from the quote but is not in it. */
  inferred: 0.85,
  /** The quote is on a page that was read by OCR. */
  ocr: 0.97,
  /** The model gave no quote, and the value itself was searched for. */
  withoutQuote: 0.8,
  /** The model read the value from the page image, and the OCR text is similar. */
  seen: 0.7,
  /**
   * Applied in addition to `seen` if the value is similar to the OCR text, but the words around it
   * are not.
   */
  valueAlone: 0.9,
  /** The position is not on the page that the model named. */
  onOtherPage: 0.9,
  /** Several positions were possible, and this one was chosen by its label. */
  chosenByLabel: 0.95,
  /** Several positions were possible, and this one was chosen by its page. */
  chosenByPage: 0.9,
  /**
   * Several positions were possible. The first was chosen, because neither label nor page decided.
   * Also used for the positions that were not chosen.
   */
  chosenFirst: 0.75,
};

/** Factors by how the quote matches the text. */
export const matchFactors = { exact: 0.97, normalized: 0.94, fuzzy: 0.75 };

/**
 * Bonus for a position on the page that the model names. It is added to the score of the label (0
 * to 1) and is low, so that a better label on another page wins.
 */
export const pageBonus = 0.3;
