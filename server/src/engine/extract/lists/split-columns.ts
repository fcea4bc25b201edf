/** Splits columns whose cells hold two values, such as "2 Coffee" and "4.29 F" on receipts. */
import type { Box } from "../../../reading/document.ts";
import { centreY, textOfWords, unionOf, wordAt } from "../../page/text-runs.ts";
import type { Column } from "./list-heads.ts";
import { addWords, type Cell, type ListRow } from "./list-rows.ts";
import type { Section } from "./table-sections.ts";

/**
 * A rule splits a column only if it can split at least this share of the column's filled cells.
 * Chosen by hand, 2026-11.
 */
const minShare = 0.5;
/**
 * A rule splits a column only if it can split at least this many of its cells. Chosen by hand,
 * 2026-11.
 */
const minCells = 2;

const count = /^\d{1,4}(?:[.,]\d{1,3})?(?:[x×]|St\.?|Stk\.?)?$/iu;
const times = /^[x×]$/iu;
const amount = /^[-–]?\p{Sc}?\d[\d.,'’]*\p{Sc}?$/u;
const code = /^[A-Z*]$/u;

/**
 * Function that returns how many words of a cell are before the split. Returns 0 if the cell does
 * not split.
 */
type Split = (words: readonly string[], boxes: readonly Box[]) => number;

const afterCount: Split = (words) => {
  const at = times.test(words[1] ?? "") ? 2 : 1;
  return count.test(words[0] ?? "") && /\p{L}{2}/u.test(words[at] ?? "") ? at : 0;
};
const beforeCode: Split = (words) =>
  words.length > 1 && code.test(words.at(-1) ?? "") && amount.test(words.at(-2) ?? "") ? words.length - 1 : 0;

/**
 * Returns the section with columns split. Undefined if no column splits, if the section has
 * headings, or if it already has at least as many columns as item fields.
 */
export function splitSection(section: Section): Section | undefined {
  const { columns, items } = section.head;
  if (columns.length >= items.length || columns.some(({ text }) => text !== "")) return undefined;
  let split = section;
  for (const rule of [afterCount, beforeCode])
    for (const column of section.head.columns) split = splitColumn(split, column, rule) ?? split;
  return split === section ? undefined : split;
}

function splitColumn(section: Section, column: Column, rule: Split): Section | undefined {
  const at = section.head.columns.indexOf(column);
  const cells = section.rows.flatMap((row) => row.cells.get(column) ?? []);
  const hits = section.rows.filter((row) => placeOf(row, column, rule) > 0).length;
  if (at < 0 || hits < minCells || hits < minShare * cells.length) return undefined;
  const isLeft = rule === beforeCode;
  return splitAt(section, column, rule, isLeft, [isLeft ? column.text : "", isLeft ? "" : column.text]);
}

/**
 * Splits the cells of a column.
 * @param isLeft true if a cell that does not split belongs to the left part
 * @param texts headings of both parts
 */
function splitAt(
  { head, rows }: Section,
  column: Column,
  rule: Split,
  isLeft: boolean,
  texts: readonly [string, string],
): Section {
  const at = head.columns.indexOf(column);
  const places = new Map(rows.map((row) => [row, placeOf(row, column, rule)]));
  const left: Column = { ...column, text: texts[0] };
  const right: Column = { ...column, text: texts[1] };
  const parted = rows.map((row): ListRow => {
    const cell = row.cells.get(column);
    if (!cell) return row;
    const others = new Map(row.cells);
    others.delete(column);
    const place = places.get(row) ?? 0;
    const parts: [Column, number[]][] =
      place === 0
        ? [[isLeft ? left : right, cell.words]]
        : [
            [left, cell.words.slice(0, place)],
            [right, cell.words.slice(place)],
          ];
    for (const [part, words] of parts) others.set(part, cellOf(row, words));
    return { ...row, cells: others };
  });
  for (const part of [left, right]) {
    const boxes = parted.flatMap((row) =>
      (row.cells.get(part)?.words ?? []).map((word) => wordAt(row.page.page, word).box),
    );
    if (boxes.length > 0) part.box = boxes.reduce(unionOf);
  }
  return { head: { ...head, columns: head.columns.toSpliced(at, 1, left, right) }, rows: parted };
}

const placeOf = (row: ListRow, column: Column, rule: Split): number =>
  rule(
    (row.cells.get(column)?.words ?? []).map((word) => wordAt(row.page.page, word).text),
    (row.cells.get(column)?.words ?? []).map((word) => wordAt(row.page.page, word).box),
  );

/** A possible split of a column: the column's index and the name of the rule. */
export interface ColumnSplit {
  column: number;
  rule: keyof typeof innerRules;
}

const dateWord = /^\d{1,4}[./-]\d{1,2}(?:[./-]\d{0,4})?$/;
const itemNumber = /^\d{1,4}[.)]?$/;
const codeWord = /^(?=\D{0,30}\d)[\p{Lu}\d][\p{Lu}\d./-]{3,}$/u;
const numberWord = /^[-–+<>]?\d[\d.,'’]*$/u;
const amountWord = /^[-–+]?\d[\d.,'’]{0,12}[.,]\d{1,4}$/u;
const unitWord = /^(?:\p{L}|[%°µ€$£])[\p{L}\d./%²³^µ]{0,9}$/u;

/** Rules for splitting a column when an item field has no column. */
const innerRules = {
  /** Splits the first line from the other lines. */
  line: (_, boxes) => {
    const bottom = boxes[0]?.[3] ?? 0;
    return Math.max(
      0,
      boxes.findIndex((box) => centreY(box) > bottom),
    );
  },
  date: ([first = "", second]) => Number(dateWord.test(first) && /\p{L}{2}/u.test(second ?? "")),
  number: ([first = "", second]) => Number(itemNumber.test(first) && second !== undefined),
  code: ([first = "", second]) => Number(codeWord.test(first) && /\p{L}/u.test(second ?? "")),
  amount: ([first = "", second]) => Number(amountWord.test(first) && second !== undefined),
  unit: ([first = "", second, third]) =>
    Number(numberWord.test(first) && unitWord.test(second ?? "") && third === undefined),
} as const satisfies Record<string, Split>;

/**
 * A rule of `innerRules` splits a column only if it can split at least this share of the column's
 * filled cells. Chosen by hand, 2026-11.
 */
const minInnerShare = 0.6;

/** Maximum gap between the lines of one row, in line heights. Chosen by hand, 2026-11. */
const maxLineGap = 0.6;

/**
 * Joins each row with a second line directly below it, so that all lines of a cell are in one cell.
 * A second line contains only texts, in at most half as many columns.
 */
function withSecondLines(rows: readonly ListRow[]): ListRow[] {
  const joined: ListRow[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    const isNear = above?.page === row.page && row.top - above.bottom < maxLineGap * row.height;
    const isBelow = [...row.cells].every(([column, { text }]) => above?.cells.has(column) && /\p{L}|\d{4}/u.test(text));
    if (!above || !isNear || !isBelow || 2 * row.cells.size > above.cells.size) {
      joined.push(row);
      continue;
    }
    const cells = new Map(above.cells);
    for (const [column, { words }] of row.cells) addWords(cells, column, row.page, words);
    joined[joined.length - 1] = { ...above, bottom: row.bottom, cells };
  }
  return joined;
}

/** Returns the possible splits of the section's columns. */
export function splitsOf(section: Section): ColumnSplit[] {
  const withLines = withSecondLines(section.rows);
  return section.head.columns.flatMap((column, at) => {
    return (Object.keys(innerRules) as (keyof typeof innerRules)[]).flatMap((rule) => {
      const rows = rule === "line" ? withLines : section.rows;
      const filled = rows.filter((row) => row.cells.has(column));
      const hits = filled.filter((row) => placeOf(row, column, innerRules[rule]) > 0).length;
      return hits >= minCells && hits >= minInnerShare * filled.length ? [{ column: at, rule }] : [];
    });
  });
}

/**
 * Splits a column. Both parts keep the whole heading, which often names both columns:
 * "Item / Description".
 */
export function splitBy(section: Section, { column, rule }: ColumnSplit): Section {
  const own = section.head.columns[column];
  if (!own) return section;
  const lines = rule === "line" ? { ...section, rows: withSecondLines(section.rows) } : section;
  return splitAt(lines, own, innerRules[rule], rule !== "code" && rule !== "number", [own.text, own.text]);
}

const cellOf = (row: ListRow, words: number[]): Cell => ({ words, text: textOfWords(row.page, words) });
