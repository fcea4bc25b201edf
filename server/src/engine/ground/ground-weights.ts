/**
 * Factors of the confidence (0 to 1) in a position that supports a model's value. They multiply.
 * Chosen by hand on the development sets, 2026-11; `npm run quality -- calibration` measures them.
 */
export const groundWeights = {
  /** Value that follows from the quote, and is not in it. */
  inferred: 0.85,
  /** Quote on a page that was read by OCR. */
  ocr: 0.97,
  /** Value that was itself used as the quote. */
  withoutQuote: 0.8,
  /** Value that the model read from the page image, if the OCR is similar. */
  seen: 0.7,
  /** The same if only the value is similar, and not the words around it. */
  valueAlone: 0.9,
  /** Position on another page than the model names. */
  onOtherPage: 0.9,
  /** One of several positions: chosen by label, by page, or first. */
  chosenByLabel: 0.95,
  chosenByPage: 0.9,
  chosenFirst: 0.75,
};

/** Factors by how the quote matches the text. */
export const matchFactors = { exact: 0.97, normalized: 0.94, fuzzy: 0.75 };

/**
 * Bonus, in the score of labels (0 to 1), for a position on the page that the model names. A better
 * label outweighs it.
 */
export const pageBonus = 0.3;
