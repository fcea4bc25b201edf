/** When a language model is asked. */

/** From this confidence on the built-in engine is believed: seldom wrong, as it was measured on documents that it had not seen. */
export const sure = 0.8;

/** Of a boundary between two documents, or of there being none: a wrong one spoils two documents, and there may be one at every page. */
export const sureOfBoundary = 0.95;
