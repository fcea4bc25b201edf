/** Splits columns whose cells hold two values, such as "2 Coffee" and "4.29 F" on receipts. */
import { textOfWords, unionOf, wordAt } from "../../page/text-runs.ts";
import type { Column } from "./list-heads.ts";
import type { Cell, ListRow } from "./list-rows.ts";
import type { Section } from "./table-sections.ts";

/** Minimum share of the filled cells that split in the same way. Chosen by hand, 2026-11. */
const minShare = 0.5;
/** Minimum number of cells that must split. Chosen by hand, 2026-11. */
const minCells = 2;

const count = /^\d{1,4}(?:[.,]\d{1,3})?(?:[x×]|St\.?|Stk\.?)?$/iu;
const times = /^[x×]$/iu;
const amount = /^[-–]?\p{Sc}?\d[\d.,'’]*\p{Sc}?$/u;
const code = /^[A-Z*]$/u;

/**
 * Function that returns how many words of a cell are before the split. Returns 0 if the cell does
 * not split.
 */
type Split = (words: readonly string[]) => number;

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

function splitColumn({ head, rows }: Section, column: Column, rule: Split): Section | undefined {
  const at = head.columns.indexOf(column);
  const cells = rows.flatMap((row) => row.cells.get(column) ?? []);
  const places = new Map(rows.map((row) => [row, placeOf(row, column, rule)]));
  const hits = [...places.values()].filter((place) => place > 0).length;
  if (at < 0 || hits < minCells || hits < minShare * cells.length) return undefined;
  const left: Column = { ...column, text: rule === beforeCode ? column.text : "" };
  const right: Column = { ...column, text: rule === beforeCode ? "" : column.text };
  const isLeft = rule === beforeCode;
  const parted = rows.map((row): ListRow => {
    const cell = row.cells.get(column);
    if (!cell) return row;
    const others = new Map(row.cells);
    others.delete(column);
    const place = places.get(row) ?? 0;
    // A cell that does not split belongs to the part that keeps the heading.
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
  rule((row.cells.get(column)?.words ?? []).map((word) => wordAt(row.page.page, word).text));

const cellOf = (row: ListRow, words: number[]): Cell => ({ words, text: textOfWords(row.page, words) });
