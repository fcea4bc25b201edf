/**
 * Groups the rows of a section into list items. Headings and sums are dropped, and the lines of one
 * item are joined.
 */
import { wordAt } from "../../page/text-runs.ts";
import type { Locale } from "../../values/locale.ts";
import { labelTerms } from "../labels/label-scores.ts";
import { isCarried, isSum } from "./list-ends.ts";
import type { Column } from "./list-heads.ts";
import type { ListItem } from "./list-items.ts";
import { type Cell, hasValue, isBlank, type ListRow } from "./list-rows.ts";
import { RunningSums } from "./running-sums.ts";
import type { Section } from "./table-sections.ts";

/** Maximum gap between the lines of one cell, in line heights. Chosen by hand, 2026-11. */
const maxWrapGap = 0.9;
/**
 * Minimum number of values in an item, as a share of the usual number of values per row. Chosen by
 * hand, 2026-11.
 */
const minFilled = 0.5;

/** Returns the items of a section whose columns already have item fields. */
export function itemsOfSection({ head, rows }: Section, locale: Locale): ListItem[] {
  const asked = head.columns.filter((column) => column.item);
  const counts = rows.map((row) => asked.filter((column) => hasValue(row, column, column.item, locale)).length);
  const usual = usualOf(counts);
  const ends = new Map(asked.map((column) => [column, rightEndOf(column, rows)]));
  const sums = new RunningSums(asked, locale);
  const items: ListItem[] = [];
  // The last row may have as many values as the others and still be their total.
  const end = counts.findLastIndex((count) => count > 0);
  // Below a sum, only a row with as many values as usual can be an item.
  let belowSum = false;
  for (const [at, row] of rows.entries()) {
    const last = items.at(-1);
    const count = counts[at] ?? 0;
    if (last && count < usual && isContinuation(row, last, rows[at - 1], asked, ends)) {
      last.more.push(row);
      continue;
    }
    if (count === 0 || repeatsHeading(row, head.columns)) continue;
    const isPartial = count < usual;
    const isTotal = (isPartial || at === end) && startsWithTotal(row);
    if (isSum(row, head.columns) || isTotal || (isPartial && sums.areReachedBy(row))) belowSum = true;
    else if (!isCarried(row, head.columns) && isItem(count, usual, asked.length) && !(belowSum && isPartial)) {
      items.push({ head, anchor: row, more: [] });
      sums.add(row);
      belowSum = false;
    }
  }
  return items;
}

/** Returns the median number of values per row. Rows without values are ignored. */
function usualOf(counts: readonly number[]): number {
  const filled = counts.filter((count) => count > 0).sort((a, b) => a - b);
  return filled[filled.length >> 1] ?? 0;
}

const isItem = (count: number, usual: number, asked: number): boolean =>
  count >= minFilled * usual && (asked <= 2 || usual <= 2 || count > 1);

/** Returns true if the first text of the row begins with a word such as "total" or "subtotal". */
function startsWithTotal(row: ListRow): boolean {
  const text = [...row.cells.values()].find((cell) => /\p{L}/u.test(cell.text))?.text ?? "";
  return labelTerms(text)[0]?.texts.some((family) => family === "total" || family === "subtotal") ?? false;
}

/**
 * Returns the right edge of the texts in a column. A line that continues on the next line ends near
 * this edge.
 */
const rightEndOf = (column: Column, rows: readonly ListRow[]): number =>
  Math.max(
    ...rows.flatMap((row) => (row.cells.get(column)?.words ?? []).map((word) => wordAt(row.page.page, word).box[2])),
  );

const repeatsHeading = (row: ListRow, columns: readonly Column[]): boolean => {
  const same = columns.filter((column) => column.text !== "" && row.cells.get(column)?.text === column.text).length;
  return same > 1;
};

/**
 * Returns true for a line that continues the texts of the item: it follows closely below, has text
 * only in columns in which the item has text, and is not a heading.
 */
function isContinuation(
  row: ListRow,
  item: ListItem,
  above: ListRow | undefined,
  asked: readonly Column[],
  ends: ReadonlyMap<Column, number>,
): boolean {
  if (!above || row.page !== above.page || row.top - above.bottom > maxWrapGap * row.height) return false;
  const filled = asked.filter((column) => !isBlank(row.cells.get(column)?.text ?? ""));
  const isLower = filled.every(
    (column) => column.item?.format === "text" && !isBlank(item.anchor.cells.get(column)?.text ?? ""),
  );
  const [cell] = row.cells.values();
  if (!cell || filled.length === 0 || filled.length < row.cells.size || !isLower) return false;
  return !isHeading(row, cell, item) && filled.some((column) => isWrapped(row, above, column, ends.get(column) ?? 0));
}

/**
 * Returns true if the line above is full: the first word of the cell would not have fitted at the
 * end of that line.
 */
function isWrapped(row: ListRow, above: ListRow, column: Column, end: number): boolean {
  const first = row.cells.get(column)?.words[0];
  const last = above.cells.get(column)?.words.at(-1);
  if (first === undefined || last === undefined) return false;
  const { box } = wordAt(row.page.page, first);
  return wordAt(above.page.page, last).box[2] + wordSpace * row.height + box[2] - box[0] > end;
}

/**
 * Width of a space, in line heights. It is low, so that the line above does not count as full if
 * the word could have fitted there.
 */
const wordSpace = 0.2;

/** Returns true for a bold line below an item that is not bold. */
const isHeading = (row: ListRow, cell: Cell, item: ListItem): boolean =>
  isBold(row, cell) && ![...item.anchor.cells.values()].some((other) => isBold(item.anchor, other));

const isBold = (row: ListRow, cell: Cell): boolean =>
  cell.words.every((index) => wordAt(row.page.page, index).bold === true);
