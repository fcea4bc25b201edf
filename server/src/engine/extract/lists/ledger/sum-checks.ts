/**
 * Compares the sums that are printed between and below the rows of a list with the amounts in those
 * rows.
 */
import type { Locale } from "../../../values/locale.ts";
import { valueIn } from "../list-rows.ts";
import type { GivenRow } from "./given-rows.ts";
import type { UnreadLine } from "./unread-lines.ts";

/**
 * Maximum difference between amounts that count as equal: one cent, plus a margin for
 * floating-point errors.
 */
const tolerance = 0.011;
/**
 * In a list with several sums, a sum that disagrees with the rows is doubtful only if at least this
 * many other sums agree. Chosen by hand, 2026-11.
 */
const minAgreeing = 1;

/**
 * Returns the sums that disagree with the rows. If too few of several sums agree, returns none,
 * because the sums then probably mean something else. A sum agrees if one of its numbers is the
 * total of all rows above it, the total of the rows since the previous sum, or the last number of
 * the column.
 */
export function sumDoubts(rows: readonly GivenRow[], lines: readonly UnreadLine[], locale: Locale): UnreadLine[] {
  const places = new Map(rows.map((row, at) => [row, at]));
  const sums = lines.filter(({ kind, row }) => (kind === "sum" || kind === "carried") && row.cells.size > 0);
  const disagreeing: UnreadLine[] = [];
  let agreeing = 0;
  let groupStart = 0;
  const totals = runningTotals(rows);
  for (const line of sums) {
    const end = line.after ? (places.get(line.after) ?? -1) + 1 : 0;
    const numbers = numbersIn(line, rows[0], locale);
    if (numbers.length === 0 || end === 0) continue;
    const agrees = numbers.some(([at, value]) => {
      const all = totals[end]?.[at] ?? 0;
      const group = all - (totals[groupStart]?.[at] ?? 0);
      const last = rows[end - 1]?.numbers[at];
      return [all, group, last].some(
        (known) => known !== undefined && Math.abs(known - value) < tolerance * (1 + end / 1e4),
      );
    });
    if (agrees) agreeing++;
    else disagreeing.push(line);
    if (line.kind === "sum") groupStart = end;
  }
  const isLone = sums.length === 1 && disagreeing.length === 1;
  return isLone || (agreeing >= minAgreeing && disagreeing.length <= agreeing + 1) ? disagreeing : [];
}

/**
 * Returns running totals: entry `n` has, for each numeric column, the total of the first `n` rows.
 */
function runningTotals(rows: readonly GivenRow[]): number[][] {
  const totals: number[][] = [[]];
  for (const { numbers } of rows) {
    const above = totals.at(-1) ?? [];
    totals.push(numbers.map((number, at) => (above[at] ?? 0) + (number ?? 0)));
  }
  return totals;
}

function numbersIn({ row }: UnreadLine, model: GivenRow | undefined, locale: Locale): [number, number][] {
  const columns = model?.item.head.columns ?? [];
  return [...row.cells].flatMap(([column, cell]): [number, number][] => {
    // On later pages, a column is matched with the column of the first page that has the same item
    // field.
    const at = row.cells.size > 0 ? positionOf(column, columns, model) : -1;
    const value = column.item?.format === "number" ? valueIn(cell, column.item, locale)?.value : undefined;
    return at >= 0 && typeof value === "number" ? [[at, value]] : [];
  });
}

const positionOf = (
  column: GivenRow["item"]["head"]["columns"][number],
  columns: GivenRow["item"]["head"]["columns"],
  model: GivenRow | undefined,
): number => {
  const own = columns.indexOf(column);
  return own >= 0
    ? own
    : (model?.item.head.columns.findIndex(({ item }) => item !== undefined && item === column.item) ?? -1);
};
