/** The anchors of a learned paper, as they are stored. */

import type { Box } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { Reading } from "./readings.ts";

/** Position of a value relative to the fixed texts, and its look. */
export interface Anchor {
  page: number;
  /** The value's box, in thousandths of the page's width. */
  box: Box;
  /** Distance of its bottom from the lower edge of the page. */
  fromBottom: number;
  /** Keys of the words before it in reading order, nearest first; "#" for one with a digit. */
  before: string[];
  after: string[];
  /** Hashes of the nearest texts on each side; empty if there is none. */
  left: string;
  above: string;
  below: string;
  /** Lines and words of the value. */
  lines: number;
  words: number;
  /** True if the value is the beginning, or the end, of its text run. */
  atStart: boolean;
  atEnd: boolean;
  /** True if the text below the last line belongs to the same block. */
  cut: boolean;
  shape: string;
  bold: boolean;
  reading: Reading;
  /** Hash of the value's words, and the value if these words are on the next paper again. */
  quote: string;
  said?: LeafValue;
  /** Separator of its lines in the value. */
  joint: string;
  /** 0 to 1: how well the label fits the field. */
  prior: number;
  /** Hash of the nearest text before the value in its row; empty if there is none. */
  beside: string;
  /** Hash of a text beside the value that surely is its label; empty if none is sure. */
  label: string;
}

/** A column of a learned list. */
export interface LearnedColumn {
  /** Item field, or undefined for a column that was not asked for. */
  item?: string;
  /** Hash of its heading, empty if it has none. */
  heading: string;
  headingBox?: Box;
  /** Left and right end of its cells, in thousandths of the page's width. */
  left: number;
  right: number;
  align: "left" | "right";
  /** Rows below the first line of the item. */
  line: number;
  reading: Reading;
  /** Columns of one group are parts of the same cells. */
  group: number;
  /** Words of the cell before and behind the value. */
  skipFirst: number;
  skipLast: number;
  /** True if the first line of every item has a value here. */
  key: boolean;
  /** True if a value went over several lines. */
  wraps: boolean;
}

export interface LearnedList {
  columns: LearnedColumn[];
  /** Hashes of texts that end the list. */
  ends: string[];
  /** Hash of the text above the first row of a list without headings. */
  start: string;
  /** True if lines between the items belong to no item field. */
  skips: boolean;
}

/** Knowledge about one field: its places, that it is absent, or the columns of its list. */
export type LearnedField = { anchors: Anchor[] } | { absent: true } | { list: LearnedList };

export interface LearnedAnchors {
  fields: Record<string, LearnedField>;
  /** For each earlier paper of the layout: the fields that it would have read right, or wrong. */
  checks: Record<string, Record<string, boolean>>;
}
