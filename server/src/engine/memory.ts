/**
 * Memory of an extractor: documents whose correct values a user has confirmed. In the code, a
 * document of the memory is called a paper. The memory consists of plain data.
 */
import type { Box } from "../reading/document.ts";
import type { LeafValue } from "./engine.ts";

/**
 * A document from which an extractor has learned. `anchors` is JSON, which is parsed only if the
 * layout of the document matches.
 */
export interface LearnedPaper {
  id: string;
  /**
   * The fixed texts of the document and their positions, as `extract/memory/skeleton.ts` encodes
   * them.
   */
  skeleton: string;
  /**
   * What was learned about the values: their positions relative to the fixed texts.
   * `extract/memory/learned.ts` defines the types.
   */
  anchors: string;
}

/** Position of a value in the document. */
export interface TaughtPlace {
  page: number;
  boxes: readonly Box[];
}
export type TaughtPlaces = { [field: string]: TaughtPlace | TaughtPlaces[] | null };
export interface TaughtRow {
  [item: string]: LeafValue;
}

/** The correct values of a document. Nothing is learned about a field that is not in `values`. */
export interface TaughtPaper {
  values: { [field: string]: LeafValue | readonly TaughtRow[] };
  places: TaughtPlaces;
}

/** A learned fact, formatted for display. */
export interface LearnedFact {
  field: string;
  /** Name of the field within a list item, if the fact is about a list. */
  item?: string;
  rule: "label_left" | "label_above" | "label_before" | "position" | "column" | "absent";
  /** Text of the label or of the column heading. Empty if only a position was learned. */
  label: string;
}

export interface LearnResult {
  paper: Omit<LearnedPaper, "id">;
  facts: LearnedFact[];
  /** Fields whose correct value does not occur in the document. Nothing is learned about them. */
  notFound: string[];
}
