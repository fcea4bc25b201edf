/**
 * Makes pages for formats without fixed pages. The readers of these formats determine the positions
 * of words themselves.
 */
import type { BlockKind, Box, Cell, Line, Page, Table, Word } from "../../document.ts";
import { unionOf } from "../../layout/geometry.ts";

export interface FlowBlock {
  kind: BlockKind;
  /** The words of each line, in reading order. */
  lines: Word[][];
}

export type FlowCell = Omit<Cell, "words"> & { words: Word[] };
export type FlowTable = Omit<Table, "cells"> & { cells: FlowCell[] };

export interface DraftPage {
  number: number;
  width: number;
  height: number;
  blocks: FlowBlock[];
  tables: FlowTable[];
}

/** Makes a page from a draft. Lines and blocks without words are dropped. */
export function pageOfDraft({ number, width, height, blocks, tables }: DraftPage): Page {
  const words: Word[] = [];
  const lines: Line[] = [];
  const page: Page = {
    ...{ number, width: hundredth(width), height: hundredth(height), rotation: 0, source: "text", geometry: "flow" },
    ...{ words, lines, blocks: [], tables: [] },
  };
  const places = new Map<Word, number>();
  for (const { kind, lines: drafts } of blocks) {
    const start = lines.length;
    for (const draft of drafts) {
      if (draft.length === 0) continue;
      for (const word of draft) places.set(word, words.push(word) - 1);
      lines.push({ box: unionOf(draft), start: words.length - draft.length, end: words.length });
    }
    if (lines.length > start) {
      page.blocks.push({ kind, box: unionOf(lines.slice(start)), start, end: lines.length });
    }
  }
  page.tables = tables.map(({ cells, ...table }) => ({ ...table, cells: cells.map((cell) => cellOf(cell, places)) }));
  return page;
}

function cellOf(cell: FlowCell, places: ReadonlyMap<Word, number>): Cell {
  const { row, column, rowSpan, columnSpan, box } = cell;
  const words: number[] = [];
  for (const word of cell.words) {
    const place = places.get(word);
    if (place !== undefined) words.push(place);
  }
  if (words.length > 1) words.sort((a, b) => a - b);
  return { row, column, rowSpan, columnSpan, box, words };
}

/** Returns a box, rounded to hundredths. Pages are sent between processes with this precision. */
export const boxOf = (x0: number, y0: number, x1: number, y1: number): Box => [
  hundredth(x0),
  hundredth(y0),
  hundredth(x1),
  hundredth(y1),
];

export const hundredth = (value: number): number => Math.round(value * 100) / 100;

/**
 * Returns the words of a text, without control characters, soft hyphens, direction marks and
 * zero-width characters.
 */
export function wordsOf(text: string): string[] {
  if (isPlainWord(text)) return [text];
  const words = text.split(/\s+/u);
  if (invisible.test(text)) for (const [index, word] of words.entries()) words[index] = word.replace(invisibles, "");
  return words.filter((word) => word !== "");
}

/** Returns true if all characters are visible ASCII. */
export function isPlainWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return text !== "";
}

const invisible = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const invisibles = new RegExp(invisible.source, "gu");
