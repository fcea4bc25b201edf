/**
 * Memory of an extractor: papers (documents) whose correct values a user has confirmed. It is plain
 * data.
 */
import type { Box } from "../reading/document.ts";
import type { LeafValue } from "./engine.ts";

/**
 * A paper from which an extractor has learned. Both strings are JSON. It is parsed only if the
 * layout of the paper may match.
 */
export interface LearnedPaper {
  id: string;
  /** The fixed texts of the paper and their positions, as `memory/skeleton.ts` encodes them. */
  skeleton: string;
  /**
   * What was learned about the values: their positions relative to the fixed texts.
   * `memory/learned.ts` has the types.
   */
  anchors: string;
}

/** Position of a value on the paper. */
export interface TaughtPlace {
  page: number;
  boxes: readonly Box[];
}
export type TaughtPlaces = { [field: string]: TaughtPlace | TaughtPlaces[] | null };
export interface TaughtRow {
  [item: string]: LeafValue;
}

/** The correct values of a paper. Nothing is learned about a field that it does not contain. */
export interface TaughtPaper {
  values: { [field: string]: LeafValue | readonly TaughtRow[] };
  places: TaughtPlaces;
}

/** A fact that was learned, in a form for display. */
export interface LearnedFact {
  field: string;
  /** Name of the item field, for a fact about a list. */
  item?: string;
  rule: "label_left" | "label_above" | "label_before" | "position" | "column" | "absent";
  /** Text of the label or of the column heading. Empty if only a position was learned. */
  label: string;
}

export interface LearnResult {
  paper: Omit<LearnedPaper, "id">;
  facts: LearnedFact[];
  /** Fields whose correct value does not occur on the paper. Nothing is learned about them. */
  notFound: string[];
}
