/**
 * Factors by which the confidence (0 to 1) in a position that supports a model's value is
 * multiplied. Chosen by hand on the development sets, 2026-11; `npm run quality -- calibration`
 * measures them.
 */
export const groundWeights = {
  /** Value that follows from the quote without being in it. */
  inferred: 0.85,
  /** Quote on a page that was read by OCR. */
  ocr: 0.97,
  /** Value that was itself used as the quote. */
  withoutQuote: 0.8,
  /** Value that the model read from the page image, if the OCR text is similar. */
  seen: 0.7,
  /** Further factor if only the value is similar, but not the words around it. */
  valueAlone: 0.9,
  /** Position on another page than the model names. */
  onOtherPage: 0.9,
  /** Position that was chosen among several: by its label, by its page, or as the first. */
  chosenByLabel: 0.95,
  chosenByPage: 0.9,
  chosenFirst: 0.75,
};

/** Factors for the kinds of match between the quote and the text. */
export const matchFactors = { exact: 0.97, normalized: 0.94, fuzzy: 0.75 };

/**
 * Bonus for a position on the page that the model names. It is added to the label score (0 to 1),
 * so a better label outweighs it.
 */
export const pageBonus = 0.3;
