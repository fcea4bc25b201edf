/** Rows of a list: the words below a head, dealt to its columns and gathered into items. */

import { labelTerms } from "./labels.ts";
import { centreX, type PageLayout, type Segment, wordAt } from "./layout.ts";
import type { Column, Head } from "./list-heads.ts";
import type { Locale } from "./locale.ts";
import type { Query } from "./params.ts";
import { type FoundValue, findValues } from "./values.ts";

/** What stands in one column on one row. */
export interface Cell {
  words: number[];
  text: string;
}

export interface ListRow {
  page: PageLayout;
  row: number;
  top: number;
  bottom: number;
  height: number;
  cells: Map<Column, Cell>;
}

const numericKinds = new Set(["money", "number", "percent"]);
export const isNumeric = (item: Query | undefined): boolean => item !== undefined && numericKinds.has(item.kind);

const maxGap = 14;
const closing = new Set([
  "total",
  "net",
  "gross",
  "tax",
  "payable",
  "sub",
  "paid",
  "discount",
  "surcharge",
  "rounding",
  "freight",
]);

/** The rows below a head until a sum, another head, or a wide gap. `open` tells whether the page ended first. */
export function rowsBelow(
  head: Head,
  page: PageLayout,
  from: number,
  locale: Locale,
  stops: ReadonlySet<number>,
): { rows: ListRow[]; open: boolean } {
  const rows: ListRow[] = [];
  let bottom = page.rows[from - 1]?.[0]?.box[3];
  for (let row = from; row < page.rows.length; row++) {
    const segments = page.rows[row] ?? [];
    const first = segments[0];
    if (!first) continue;
    if (stops.has(row)) return { rows, open: false };
    if (bottom !== undefined && first.box[1] - bottom > maxGap * first.height) return { rows, open: true };
    const dealt = deal(head.columns, page, segments, locale);
    if (isSum(segments, dealt, head.columns)) return { rows, open: false };
    rows.push(dealt);
    bottom = dealt.bottom;
  }
  return { rows, open: true };
}

/** True for a row that closes a list: it begins with the name of a sum and has an amount but no quantity. */
function isSum(segments: readonly Segment[], row: ListRow, columns: readonly Column[]): boolean {
  const label = segments.find((segment) => labelTerms(segment.text).some((term) => term.weight > 0));
  if (!label || !/\d/.test(segments.map((segment) => segment.text).join(""))) return false;
  const terms = labelTerms(label.text).filter((term) => term.weight > 0);
  const sums = terms.filter((term) => term.texts.some((text) => closing.has(text)));
  const strong = terms.some((term) =>
    term.texts.some(
      (text) => text === "total" || text === "payable" || text === "net" || text === "gross" || text === "sub",
    ),
  );
  const numbers = columns.filter(
    (column) => isNumeric(column.item) && /\d/.test(row.cells.get(column)?.text ?? ""),
  ).length;
  const quantity = columns.find((column) => column.item?.concept?.key === "quantity");
  const counted = quantity !== undefined && /\d/.test(row.cells.get(quantity)?.text ?? "");
  const described = columns.find((column) => column.item?.concept?.key === "line_description");
  if (strong && sums.length > 0 && !counted && sums.length * 2 >= terms.length) return true;
  return sums.length > 0 && sums.length === terms.length && numbers <= 1 && !counted && described !== undefined;
}

/** Deals the segments of one row to the columns; a segment that holds the values of several columns is cut. */
function deal(columns: readonly Column[], page: PageLayout, segments: readonly Segment[], locale: Locale): ListRow {
  const cells = new Map<Column, Cell>();
  for (const segment of segments) {
    for (const words of unitsOf(columns, page, segment, locale)) {
      const column = columnOf(columns, page, words);
      if (!column) continue;
      const cell = cells.get(column) ?? { words: [], text: "" };
      cell.words.push(...words);
      cell.text = cell.words.map((index) => wordAt(page.page, index).text).join(" ");
      cells.set(column, cell);
    }
  }
  const first = segments[0] as Segment;
  return {
    page,
    row: first.row,
    top: Math.min(...segments.map((segment) => segment.box[1])),
    bottom: Math.max(...segments.map((segment) => segment.box[3])),
    height: first.height,
    cells,
  };
}

/** The segment's words, in groups that belong to one column each. */
function unitsOf(columns: readonly Column[], page: PageLayout, segment: Segment, locale: Locale): number[][] {
  const touched = columns.filter((column) => column.box[0] < segment.box[2] && segment.box[0] < column.box[2]);
  if (touched.length < 2 || segment.words.length < 2) return [segment.words];
  const numbers = findValues(segment.text, "number", locale).concat(findValues(segment.text, "percent", locale));
  if (numbers.length === 0 || !touched.some((column) => column.item === undefined || isNumeric(column.item)))
    return [segment.words];
  return cutAtNumbers(page, segment, numbers, columns);
}

function cutAtNumbers(
  page: PageLayout,
  segment: Segment,
  numbers: readonly FoundValue[],
  columns: readonly Column[],
): number[][] {
  const units: number[][] = [];
  let lastNumber = -1;
  segment.words.forEach((word, at) => {
    const start = segment.starts[at] ?? 0;
    const number = numbers.findIndex(
      (found) => found.start < start + wordAt(page.page, word).text.length && start < found.end,
    );
    const unit = units.at(-1);
    const sameColumn = unit && columnOf(columns, page, [word]) === columnOf(columns, page, [unit.at(-1) ?? word]);
    if (unit && number === lastNumber && (number >= 0 || sameColumn)) unit.push(word);
    else if (unit && sameColumn) unit.push(word);
    else units.push([word]);
    lastNumber = number;
  });
  return units;
}

const maxReach = 6;

/** The column whose left edge, right edge or middle the words keep to best. */
function columnOf(columns: readonly Column[], page: PageLayout, words: readonly number[]): Column | undefined {
  let x0 = Number.POSITIVE_INFINITY;
  let x1 = Number.NEGATIVE_INFINITY;
  let height = 1;
  for (const index of words) {
    const { box } = wordAt(page.page, index);
    x0 = Math.min(x0, box[0]);
    x1 = Math.max(x1, box[2]);
    height = Math.max(height, box[3] - box[1]);
  }
  const numeric =
    words.some((index) => /^\D{0,3}\d[\d.,'’]*\D{0,3}$/u.test(wordAt(page.page, index).text)) && words.length <= 3;
  let best: Column | undefined;
  let least = Number.POSITIVE_INFINITY;
  columns.forEach((column, at) => {
    const [left, , right] = column.box;
    const apart = Math.max(0, left - x1, x0 - right);
    // A wide column of text may begin left of its head and end right of it, up to the next head.
    const next = columns[at + 1]?.box[0] ?? Number.POSITIVE_INFINITY;
    const inside = x0 >= left - height && x1 <= next;
    const edges = Math.min(Math.abs(x0 - left), Math.abs(x1 - right), Math.abs((x0 + x1) / 2 - centreX(column.box)));
    const wrongType = isNumeric(column.item) !== numeric && column.item !== undefined ? 0.8 * height : 0;
    const cost = 2 * apart + edges + wrongType - (inside ? 0.4 * height : 0);
    if (apart < maxReach * height && cost < least) [best, least] = [column, cost];
  });
  return best;
}
