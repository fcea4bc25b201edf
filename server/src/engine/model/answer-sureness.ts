/** How far answers of the built-in engine are trusted where a language model could be asked, too. */
import type { Answer } from "../engine.ts";

/**
 * Quoted fields of documents are sure. Sentences never are: at 0.8 one of four was no answer where half of the questions had none in the
 * documents.
 */
const sure = 0.9;

/** Whether the model need not be asked where the built-in engine has answered so. */
export const isSure = ({ found, confidence }: Answer): boolean => found && confidence >= sure;

/** Of 1,361 values of fields with such a confidence 50 were wrong. */
const likely = 0.8;

/**
 * Whether the answer stands where the model finds none: the model reads the passages that were found, and a field is extracted from the whole
 * of a document.
 */
export const isLikelyField = ({ confidence, parts }: Answer): boolean =>
  confidence >= likely && parts.some(({ sources }) => sources.some((source) => "evidence" in source));
