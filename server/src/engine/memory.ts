/** Memory of an extractor: papers whose right values are known. It is plain data. */
import type { Box } from "../reading/document.ts";
import type { LeafValue } from "./engine.ts";

/** A learned paper. The strings contain JSON, which is parsed only if the layout matches. */
export interface LearnedPaper {
  id: string;
  /** The fixed texts of the paper and their places, as `memory/skeleton.ts` encodes them. */
  skeleton: string;
  /** The places of its values relative to the fixed texts, as `memory/learned.ts` types them. */
  anchors: string;
}

/** Position of a value on the paper, if known. */
export interface TaughtPlace {
  page: number;
  boxes: readonly Box[];
}
export type TaughtPlaces = { [field: string]: TaughtPlace | TaughtPlaces[] | null };
export interface TaughtRow {
  [item: string]: LeafValue;
}

/** The right values of a paper. Nothing is learned about fields that are absent. */
export interface TaughtPaper {
  values: { [field: string]: LeafValue | readonly TaughtRow[] };
  places: TaughtPlaces;
}

/** Description of something learned, for display. */
export interface LearnedFact {
  field: string;
  /** Item field of a list. */
  item?: string;
  rule: "label_left" | "label_above" | "label_before" | "position" | "column" | "absent";
  /** Text of the label or of the column heading. Empty for a position. */
  label: string;
}

export interface LearnResult {
  paper: Omit<LearnedPaper, "id">;
  facts: LearnedFact[];
  /** Fields whose value was not found on the paper. Nothing is learned about them. */
  notFound: string[];
}
