/** Data learned from one document, as it is stored. */

import type { Box } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { Reading } from "./readings.ts";

/**
 * Position of a value relative to the fixed texts of its document, and what the value looks like.
 * It is used to find the value in other documents of the same layout.
 */
export interface Anchor {
  page: number;
  /** The value's box, in thousandths of the page's width. */
  box: Box;
  /**
   * Distance between the bottom of the box and the bottom of the page, in thousandths of the page's
   * width.
   */
  fromBottom: number;
  /**
   * Keys of the words before the value (`before`) and after it (`after`) in reading order, nearest
   * first. The key of a word with a digit is "#".
   */
  before: string[];
  after: string[];
  /**
   * Hashes of the nearest texts to the left of, above and below the value. Empty where there is no
   * text.
   */
  left: string;
  above: string;
  below: string;
  /** Number of lines of the value. */
  lines: number;
  /** Number of words of the value. */
  words: number;
  /** True if the value is at the beginning (`atStart`) or at the end (`atEnd`) of its text run. */
  atStart: boolean;
  atEnd: boolean;
  /**
   * True if the text continues on the line below the value, but that line is not part of the value.
   */
  cut: boolean;
  shape: string;
  bold: boolean;
  reading: Reading;
  /** Hash of the value's words. */
  quote: string;
  /** Value that a user gave. It is returned for a later document that has the same words. */
  said?: LeafValue;
  /** Separator that is inserted between the lines of the value when they are joined. */
  joint: string;
  /**
   * Prior probability (0 to 1) that a text at this position is the value. Depends on how well the
   * label there fits the field.
   */
  prior: number;
  /** Hash of the nearest text that precedes the value in its row. Empty if there is none. */
  beside: string;
  /** Hash of a label that is certain to name the field. Empty if no label is certain. */
  label: string;
}

/** A column of a learned list. */
export interface LearnedColumn {
  /** Name of the item field. Undefined for a column that belongs to no item field. */
  item?: string;
  /** Hash of the column's heading. Empty if it has none. */
  heading: string;
  headingBox?: Box;
  /** Left and right edges of the column's values, in thousandths of the page's width. */
  left: number;
  right: number;
  align: "left" | "right";
  /** Which row of an item contains the column's value, counted from 0. */
  line: number;
  reading: Reading;
  /** Number of the column's group. Columns of one group have their values in the same text runs. */
  group: number;
  /** Number of words of the cell before the value. */
  skipFirst: number;
  /** Number of words of the cell after the value. */
  skipLast: number;
  /** True if every item has a value of this column in its first row. */
  key: boolean;
  /** True if some value had several lines. */
  wraps: boolean;
}

export interface LearnedList {
  columns: LearnedColumn[];
  /** Hashes of texts that stood below the list. */
  ends: string[];
  /** Hash of the text above the first item. It marks where a list without headings begins. */
  start: string;
  /** True if some rows between the items contained no value of an item. */
  skips: boolean;
}

/**
 * Contains what was learned about one field: the positions of its value, the fact that it has no
 * value, or the columns of its list.
 */
export type LearnedField = { anchors: Anchor[] } | { absent: true } | { list: LearnedList };

export interface LearnedAnchors {
  fields: Record<string, LearnedField>;
  /**
   * Results of the checks against earlier documents of the same layout, by document id: for each
   * field, true if the anchors of the earlier document find the correct value in this one.
   */
  checks: Record<string, Record<string, boolean>>;
}
