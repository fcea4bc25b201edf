/**
 * Decides how far answers of the built-in engine are trusted if a language model is available too.
 */
import type { Answer } from "../engine.ts";

/**
 * Minimum confidence at which the model is not asked. Quoted fields of documents reach it,
 * sentences never do. At 0.8, one of four sentences was no answer, measured on questions of which
 * half had none in the documents.
 */
const sure = 0.9;

/** Returns whether this answer of the built-in engine makes the model unnecessary. */
export const isSure = ({ found, confidence }: Answer): boolean => found && confidence >= sure;

/**
 * Minimum confidence of a likely field. Of 1,066 values on invoices with this confidence, 985 were
 * right, 2026-11.
 */
const likely = 0.7;

/**
 * Returns whether to keep this answer if the model finds none. The model reads only the retrieved
 * passages, but a field is extracted from the whole document.
 */
export const isLikelyField = ({ confidence, parts }: Answer): boolean =>
  confidence >= likely && parts.some(({ sources }) => sources.some((source) => "evidence" in source));
