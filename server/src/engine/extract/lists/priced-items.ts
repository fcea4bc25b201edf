/**
 * Reads the lines of invoices and orders from the tables whose headings match the item fields best,
 * on all pages on which these tables continue.
 */
import type { PageRuns } from "../../page/text-runs.ts";
import { wordAt } from "../../page/text-runs.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { headlessItems } from "./headless-lists.ts";
import { headByKinds } from "./heads-by-kind.ts";
import { settleColumns } from "./list-columns.ts";
import { headsOfOthers, isExtra } from "./list-ends.ts";
import { type Column, findHeads, type Head } from "./list-heads.ts";
import { areExclusive, type ListItem } from "./list-items.ts";
import { type Cell, isNumeric, type ListRow, rowsBelow, valueIn } from "./list-rows.ts";

/**
 * A heading is used if its score is at least this share of the best heading's score. Chosen by
 * hand, 2026-11.
 */
const minHeadShare = 0.72;

export function pricedItems(query: AskedField, view: DocumentView): ListItem[] {
  const heads = view.layout.pages.map((page) => findHeads(page, query.items));
  const best = Math.max(0, ...heads.flat().map((head) => head.score));
  if (best === 0) {
    const head = headByKinds(query, view);
    return head ? read(head, head.page, head.row + 1, view, new Set()).items : headlessItems(query, view);
  }
  const items: ListItem[] = [];
  let open: Head | undefined;
  view.layout.pages.forEach((page, index) => {
    const own = heads[index] ?? [];
    const wanted = own.filter((head) => head.score >= minHeadShare * best && sameItems(head, open));
    const upperLines = wanted.map((head) => head.row - 1);
    const stops = new Set([...own.map((head) => head.row), ...upperLines, ...headsOfOthers(page, own)]);
    if (open && open.page !== page) {
      const result = read(open, page, 0, view, stops);
      items.push(...result.items);
      open = result.open && result.items.length > 0 ? open : undefined;
    }
    for (const head of wanted) {
      const result = read(head, page, head.row + 1, view, stops);
      items.push(...result.items);
      open = result.open ? head : undefined;
    }
  });
  return items;
}

/**
 * Returns true if the later heading names the same item fields as the current one, or has at least
 * the same score.
 */
const sameItems = (head: Head, open: Head | undefined): boolean =>
  !open || keysOf(head) === keysOf(open) || head.score >= open.score;
const keysOf = (head: Head): string => head.columns.flatMap((column) => column.item?.name ?? []).join("|");

function read(
  head: Head,
  page: PageRuns,
  from: number,
  view: DocumentView,
  stops: ReadonlySet<number>,
): { items: ListItem[]; open: boolean } {
  const { rows, open } = rowsBelow(head, page, from, view.locale, stops);
  settleColumns(head, rows, view.locale);
  return { items: gather(head, rows, view), open };
}

/**
 * Groups rows into list items. A row starts an item if it has a value in the line total column, or
 * in the last numeric column if there is no line total. Each other row belongs to the item above,
 * or to the item below if that is nearer.
 */
function gather(head: Head, rows: readonly ListRow[], view: DocumentView): ListItem[] {
  const numeric = head.columns.filter((column) => isNumeric(column.item));
  const filled = (row: ListRow): number =>
    numeric.filter((column) => valueIn(row.cells.get(column), column.item, view.locale)).length;
  const usual = numeric.length === 0 ? 0 : Math.max(...rows.map(filled), 0);
  const deciding = numeric.find((column) => column.item?.concept?.key === "line_total") ?? numeric.at(-1);
  const first = head.columns.find((column) => column.item);
  const text = textColumn(head);
  const exclusive = areExclusive(numeric, rows, view.locale);
  const makes = (row: ListRow): boolean => {
    if (exclusive) return filled(row) === 1;
    if (!deciding) return first !== undefined && row.cells.has(first);
    if (isFree(row, numeric) && text !== undefined && row.cells.has(text) && filled(row) > 0) return true;
    if (valueIn(row.cells.get(deciding), deciding.item, view.locale) === undefined) return false;
    return filled(row) >= Math.min(usual, 2) || (row.fromTable && text !== undefined && row.cells.has(text));
  };
  const items: ListItem[] = (exclusive ? [...rows] : withLowValues(rows, deciding, usual, filled))
    .filter(makes)
    .map((anchor) => ({ head, anchor, more: [], extra: isExtra(anchor, text, head.columns) }));
  attach(head, items, rows, deciding);
  return items;
}

const free =
  /^(?:offert|gratuit|gratis|kostenlos|kostenfrei|omaggio|gratuito|free|free of charge|no charge|n\/c|nc|inkl\.?|incl\.?|included|inclus|incluso|[-–—]+)$/iu;

/**
 * Returns true for an item that is free of charge, that is, has a word such as "gratis" instead of
 * a price.
 */
const isFree = (row: ListRow, numeric: readonly Column[]): boolean =>
  numeric.some((column) => free.test(row.cells.get(column)?.text.trim() ?? ""));

/**
 * Maximum distance, in line heights, by which a value may be below its row. Chosen by hand,
 * 2026-11.
 */
const maxDrop = 1.6;

/** If a value stands alone on a slightly lower line, adds it to the row above. */
function withLowValues(
  rows: readonly ListRow[],
  deciding: Column | undefined,
  usual: number,
  filled: (row: ListRow) => number,
): ListRow[] {
  return rows.map((row, at) => {
    const next = rows[at + 1];
    const low = deciding && next?.cells.get(deciding);
    const near = next && next.page === row.page && next.top - row.top < maxDrop * row.height;
    if (!deciding || !low || !near || row.cells.has(deciding)) return row;
    if (filled(row) === 0 || filled(next) !== 1 || usual > filled(row)) return row;
    return { ...row, cells: new Map([...row.cells, [deciding, low]]) };
  });
}

/** Maximum gap between lines of one description, in line heights. Chosen by hand, 2026-11. */
const maxWrapGap = 1.3;

/**
 * Adds to each item the rows in which its text continues. They are below the item's main row. If
 * the main row has no text, they may also be above it.
 */
function attach(head: Head, items: readonly ListItem[], rows: readonly ListRow[], deciding: Column | undefined): void {
  const text = textColumn(head);
  if (!text) return;
  const numbersIn = ({ cells }: ListRow): number =>
    head.columns.filter((column) => isNumeric(column.item) && /\d/.test(cells.get(column)?.text ?? "")).length;
  for (const [at, item] of items.entries()) {
    const next = items[at + 1]?.anchor;
    const before = items[at - 1];
    const own = item.anchor.cells.has(text);
    // A row with its own amount is a charge or a sum. It does not continue the text of the item.
    const hasOwnAmount = (row: ListRow): boolean => {
      if (row !== item.anchor && numbersIn(row) > 1) return true;
      const amount = deciding && row.cells.get(deciding);
      return /\d/.test(amount?.text ?? "") && amount !== item.anchor.cells.get(deciding as Column);
    };
    const hasText = (row: ListRow): boolean => {
      const cell = row.cells.get(text);
      return cell !== undefined && !isNote(row, cell) && !hasOwnAmount(row);
    };
    let last = item.anchor;
    for (const row of rows) {
      if (row.row <= item.anchor.row || (next && row.row >= next.row)) continue;
      const cell = row.cells.get(text);
      if (!cell || isNote(row, cell) || hasOwnAmount(row)) break;
      if (isBold(row, cell) && !isBold(item.anchor, item.anchor.cells.get(text))) break;
      if (row.top - last.bottom > maxWrapGap * row.height) break;
      item.more.push(row);
      last = row;
    }
    if (own) continue;
    const above = rows.filter(
      (row) => row.row < item.anchor.row && row.row > (before?.anchor.row ?? -1) && hasText(row),
    );
    const near = above.filter(
      (row) => !before?.more.includes(row) || item.anchor.top - row.bottom < row.top - before.anchor.bottom,
    );
    for (const row of near) before?.more.splice(before.more.indexOf(row), before.more.includes(row) ? 1 : 0);
    item.more.unshift(...near.slice(-2));
  }
}

/**
 * Returns true if all words of the cell are bold. Among items that are not bold, a bold row is the
 * heading of a group.
 */
const isBold = (row: ListRow, cell: Cell | undefined): boolean =>
  cell === undefined || cell.words.every((index) => wordAt(row.page.page, index).bold === true);

/** Returns true for a line below a description that is a labelled detail or a bullet point. */
function isNote(row: ListRow, cell: Cell): boolean {
  const run = row.page.rows[row.row]?.find((other) => other.words.includes(cell.words[0] ?? -1));
  return notePattern.test(cell.text) || (run !== undefined && notePattern.test(run.text));
}

export const notePattern = /^[•*·▪–-]\s|^[^:]{2,40}:\s*\S/;

export const textColumn = (head: Head): Column | undefined =>
  head.columns.find((column) => column.item?.concept?.key === "line_description") ??
  head.columns.find((column) => column.item && !isNumeric(column.item) && column.item.kind === "text");
