/** The interface of what understands documents, and the types of evidence. */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Box, Document } from "../reading/document.ts";

/** A value as the contract gives it: text as written, a number, a boolean, a date as YYYY-MM-DD; null where the document has none. */
export type LeafValue = string | number | boolean | null;
export type Value = LeafValue | ValueRecord[];
/** One element of a list, or the whole result: keyed by param name. */
export interface ValueRecord {
  [name: string]: Value;
}

export interface Evidence {
  /** From 1. */
  page: number;
  /** One box for each run of words on one line. The words inside the boxes, in order, are the quote. */
  boxes: Box[];
  /** Whole words of the page, joined by single spaces. */
  quote: string;
  /** exact: the value stands in the quote letter by letter; normalized: it does after reading number, date or white space; inferred: it follows from the quote. */
  match: "exact" | "normalized" | "inferred";
  /** 0 to 1: the chance that the value is right. */
  confidence: number;
}
export type EvidenceValue = Evidence | null | EvidenceRecord[];
/** Same shape as the data that it is the evidence of. */
export interface EvidenceRecord {
  [name: string]: EvidenceValue;
}

export interface ExtractRequest {
  document: Document;
  params: readonly ExtractionParam[];
}

export interface Extraction {
  /** Every param is a key; a value that is not in the document is null, an absent list is []. */
  data: ValueRecord;
  evidence: EvidenceRecord;
  /** Language model tokens consumed; 0 for the built-in engine. */
  tokens: number;
}

/** The engine gave up on a document: it takes more time or memory than one may. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
}

export interface Engine {
  /**
   * Extracts the params from the document. Aborting `signal` ends the work within a second and rejects with its reason.
   * @throws EngineFailure
   */
  extract(request: ExtractRequest, signal: AbortSignal): Promise<Extraction>;
  close(): Promise<void>;
}
