/**
 * Detects where a list ends: at a sum, or at the heading of another table. Also detects rows that
 * are not items, such as discounts and charges.
 */

import concepts from "../../lexicon/all-concepts.ts";
import { centreY, type PageRuns } from "../../page/text-runs.ts";
import { hasWords, type LabelScorer, labelTerms, makeScorer, phrasesOf } from "../labels/label-scores.ts";
import type { Column, Head } from "./list-heads.ts";
import type { ListRow } from "./list-rows.ts";

const scorerOf = (keys: readonly string[]): LabelScorer =>
  makeScorer(concepts.filter((concept) => keys.includes(concept.key)).flatMap(phrasesOf), "boolean", new Set());

const sumLabels = scorerOf(["net_total", "tax_total", "gross_total", "amount_due", "line_sum", "closing_balance"]);
const extraLabels = scorerOf([
  "discount_amount",
  "surcharge_amount",
  "freight_amount",
  "rounding_amount",
  "paid_amount",
]);
/** Scores labels of amounts that are carried from page to page, and of opening balances. */
const carriedLabels = scorerOf(["carried_amount", "opening_balance"]);
const breakdownLabels = scorerOf([
  "net_total",
  "tax_total",
  "tax_rate",
  "gross_total",
  "surcharge_amount",
  "discount_amount",
  "due_date",
  "paid_amount",
]);
/** Minimum score of a label. Chosen by hand, 2026-11. */
const minLabel = 0.8;
/**
 * Minimum number of cells that mark a row as the heading of another table. Chosen by hand, 2026-11.
 */
const minCells = 2;

/**
 * Returns true for a row that closes a list: its label names a sum, and it has an amount but no
 * quantity.
 */
export function isSum(row: ListRow, columns: readonly Column[]): boolean {
  const { page, cells } = row;
  const texts = row.fromTable
    ? columns.flatMap((column) => cells.get(column)?.text ?? [])
    : (page.rows[row.row] ?? []).map((run) => run.text);
  if (!texts.some((text) => /\d/.test(text))) return false;
  const labels = texts.filter((text) => labelTerms(text).some((term) => term.weight > 0));
  const score = sumScore(labels[0] ?? "");
  const quantity = columns.find((column) => column.item?.concept?.key === "quantity");
  const counted = quantity !== undefined && /^\W*\d/.test(cells.get(quantity)?.text ?? "");
  // A row of sums may have a number in the quantity column, which is the sum of the quantities.
  // Such a row has no other text.
  if (score >= minLabel && (!counted || labels.length === 1)) return true;
  return (
    quantity !== undefined && !/\d/.test(cells.get(quantity)?.text ?? "") && sumScore(besideAmount(row)) >= minLabel
  );
}

/** Returns how well the text names a sum, 0 to 1. */
export const sumScore = (text: string): number => sumLabels(beforeDigits(text.split(":")[0] ?? ""));

/**
 * Removes the first digit in the last line of a text and everything after it. Earlier lines are
 * kept.
 */
function beforeDigits(text: string): string {
  const line = text.lastIndexOf("\n") + 1;
  const at = text.slice(line).search(/\d/);
  return at < 0 ? text : text.slice(0, line + at);
}

/**
 * Returns the text directly to the left of the row's last amount. Returns an empty string if fewer
 * than two texts are to the left of the amount.
 */
function besideAmount(row: ListRow): string {
  const runs = row.page.rows[row.row] ?? [];
  const amount = runs.findLastIndex(({ text }) => /\d/.test(text) && !hasWords(text));
  return amount > 1 ? (runs[amount - 1]?.text ?? "") : "";
}

/**
 * Returns true for the row of a sum that is carried over to or from another page. Such a row is not
 * an item and does not end the list.
 */
export function isCarried(row: ListRow, columns: readonly Column[]): boolean {
  if (isPriced(row, columns)) return false;
  const texts = row.fromTable
    ? [...row.cells.values()].map((cell) => cell.text)
    : (row.page.rows[row.row] ?? []).map((run) => run.text);
  const said = texts.filter(hasWords);
  return said.length > 0 && said.every((text) => carriedLabels(beforeDigits(text)) >= minCarried);
}

/** Minimum score of a label for a carried sum. Chosen by hand, 2026-11. */
const minCarried = 0.5;

/**
 * Returns true for a discount or charge between the items: the row's text names only a discount or
 * charge, and its quantity or unit price is missing.
 */
export function isExtra(row: ListRow, text: Column | undefined, columns: readonly Column[]): boolean {
  const cell = text && row.cells.get(text);
  return (
    cell !== undefined &&
    !isPriced(row, columns) &&
    extraLabels(beforeDigits(cell.text.split(":")[0] ?? "")) >= minLabel
  );
}

/** Returns true for a row with both a quantity and a unit price. */
const isPriced = (row: ListRow, columns: readonly Column[]): boolean =>
  ["quantity", "unit_price"].every((key) =>
    columns.some((column) => column.item?.concept?.key === key && /\d/.test(row.cells.get(column)?.text ?? "")),
  );

/** Returns the rows that are headings of other tables, such as a table of taxes or payments. */
export function headsOfOthers(page: PageRuns, own: readonly Head[]): number[] {
  // A heading of this list may have lines above and below the line that names most columns.
  const ownRows = new Set(own.flatMap((head) => [1, 0, -1, -2, -3].map((line) => head.row + line)));
  const rows = page.rows.flatMap((runs, row) => {
    const isHead =
      runs.every((run) => !/\d/.test(run.text)) &&
      runs.filter((run) => breakdownLabels(run.text) >= minLabel).length >= minCells;
    return isHead && !ownRows.has(row) ? [row] : [];
  });
  const tables = page.page.tables.flatMap((table) => {
    const first = page.rows.findIndex((runs) =>
      runs.some((run) => centreY(run.box) > table.box[1] && centreY(run.box) < table.box[3]),
    );
    const isOwn = own.some((head) => head.table === table) || first < 0 || ownRows.has(first);
    return table.headerRows > 0 && table.ruled && !isOwn ? [first] : [];
  });
  return [...rows, ...tables];
}
