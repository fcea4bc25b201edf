/** When a language model is asked: always, or where the built-in engine is not sure. */

export type ModelMode = "model" | "auto";

/** From this confidence on the built-in engine is believed: seldom wrong, as it was measured on documents that it had not seen. */
export const sure = 0.8;
