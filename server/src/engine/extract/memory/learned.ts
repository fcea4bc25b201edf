/** Anchors of a learned document, in the form in which they are stored. */

import type { Box } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { Reading } from "./readings.ts";

/** Position of a value relative to the fixed texts, and its appearance. */
export interface Anchor {
  page: number;
  /** The value's box, in thousandths of the page's width. */
  box: Box;
  /**
   * Distance of the box's bottom from the lower edge of the page, in thousandths of the page's
   * width.
   */
  fromBottom: number;
  /**
   * Keys of the words before the value in reading order, nearest first, and likewise in `after`.
   * The key is "#" for a word with a digit.
   */
  before: string[];
  after: string[];
  /** Hashes of the nearest text on each side. Empty if there is none. */
  left: string;
  above: string;
  below: string;
  /** Number of lines, and of words, of the value. */
  lines: number;
  words: number;
  /** True if the value is at the beginning, or at the end, of its text run. */
  atStart: boolean;
  atEnd: boolean;
  /** True if the text block continues below the last line of the value. */
  cut: boolean;
  shape: string;
  bold: boolean;
  reading: Reading;
  /** Hash of the value's words. `said` is returned if a later document has the same words. */
  quote: string;
  said?: LeafValue;
  /** Separator that replaces line breaks in the value. */
  joint: string;
  /** 0 to 1: how well the label fits the field. */
  prior: number;
  /** Hash of the nearest text before the value in its row. Empty if there is none. */
  beside: string;
  /** Hash of a text beside the value that is certainly its label. Empty if none is certain. */
  label: string;
}

/** A column of a learned list. */
export interface LearnedColumn {
  /** Name of the item field. Undefined for a column that no item field asks for. */
  item?: string;
  /** Hash of the column's heading. Empty if it has none. */
  heading: string;
  headingBox?: Box;
  /** Left and right end of its cells, in thousandths of the page's width. */
  left: number;
  right: number;
  align: "left" | "right";
  /** Row of the column's values within an item; 0 for the first line. */
  line: number;
  reading: Reading;
  /** Number of the column's group. Columns of one group share the same cells. */
  group: number;
  /** Number of words in the cell before the value, and after it. */
  skipFirst: number;
  skipLast: number;
  /** True if the first line of every item has a value here. */
  key: boolean;
  /** True if a value spanned several lines. */
  wraps: boolean;
}

export interface LearnedList {
  columns: LearnedColumn[];
  /** Hashes of texts that mark the end of the list. */
  ends: string[];
  /** Hash of the text above the first row of a list without headings. */
  start: string;
  /** True if there are lines between the items that belong to no item field. */
  skips: boolean;
}

/**
 * Knowledge about one field: the positions of its value, its absence, or the columns of its list.
 */
export type LearnedField = { anchors: Anchor[] } | { absent: true } | { list: LearnedList };

export interface LearnedAnchors {
  fields: Record<string, LearnedField>;
  /**
   * Results by earlier document of the same layout: for each field, true if it would have been read
   * correctly.
   */
  checks: Record<string, Record<string, boolean>>;
}
