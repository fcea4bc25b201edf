/** Memory of an extractor: papers whose right values are known. Plain data. */
import type { Box } from "../reading/document.ts";
import type { LeafValue } from "./engine.ts";

/** One paper as it is learned. Strings of JSON are parsed only if the layout matches. */
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

/** The right values of a paper. Fields that are absent are not taught. */
export interface TaughtPaper {
  values: { [field: string]: LeafValue | readonly TaughtRow[] };
  places: TaughtPlaces;
}

/** A thing learned, for people. */
export interface LearnedFact {
  field: string;
  /** Item field of a list. */
  item?: string;
  rule: "label_left" | "label_above" | "label_before" | "position" | "column" | "absent";
  /** The label, or the heading of the column; empty for a position. */
  label: string;
}

export interface LearnResult {
  paper: Omit<LearnedPaper, "id">;
  facts: LearnedFact[];
  /** Fields whose value was not found on the paper. Nothing is learned of them. */
  notFound: string[];
}
