/**
 * Finds the headings of a table in the text rows above it. Used for tables in which the document
 * reader found no headings.
 */
import { centreX, overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import type { Column } from "./list-heads.ts";

/** Maximum number of digits in a heading cell. Chosen by hand, 2026-11. */
const maxHeadDigits = 2;
/** Maximum number of lines in a heading. Chosen by hand, 2026-11. */
const maxLines = 3;
/** Maximum gap between two lines of a heading, in line heights. Chosen by hand, 2026-11. */
const maxLineGap = 0.8;
/**
 * Maximum distance of the heading from the table, in line heights. The heading of the first group
 * may be between them. Chosen by hand, 2026-11.
 */
const maxDistance = 4;
/** Minimum share of the columns that must have a heading. Chosen by hand, 2026-11. */
const minNamed = 0.6;

/**
 * Returns true if the text has letters and at most two digits. "Q1" can be a heading; an amount or
 * a date cannot.
 */
export const isHeadingText = (text: string): boolean =>
  /[\p{L}%#]/u.test(text) && (text.match(/\d/g)?.length ?? 0) <= maxHeadDigits;

const isHeading = (runs: readonly TextRun[]): boolean =>
  runs.length > 1 && runs.every(({ text }) => isHeadingText(text));

/**
 * Returns the columns with the texts of the heading above them. Undefined if there is no heading.
 * @param top upper edge of the first row below the heading
 */
export function withHeadingsAbove(page: PageRuns, top: number, columns: readonly Column[]): Column[] | undefined {
  const last = page.rows.findLastIndex(
    (runs) => isHeading(runs) && runs.every((run) => run.box[3] <= top + run.height / 2),
  );
  const lowest = page.rows[last]?.[0];
  if (!lowest || top - lowest.box[3] > maxDistance * lowest.height) return undefined;
  const runs: TextRun[] = [];
  let bound = lowest.box[3];
  for (let row = last; row > last - maxLines; row--) {
    const line = page.rows[row] ?? [];
    const isNear = line.every((run) => bound - run.box[3] <= (1 + maxLineGap) * run.height);
    if (line.length === 0 || !isNear || !line.every(({ text }) => isHeadingText(text))) break;
    runs.unshift(...line);
    bound = line[0]?.box[3] ?? bound;
  }
  const texts = new Map<Column, string>();
  for (const run of runs) {
    const column = nearest(columns, run);
    if (column) texts.set(column, `${texts.get(column) ?? ""} ${run.text}`.trim());
  }
  if (texts.size < 2 || texts.size < minNamed * columns.length) return undefined;
  return columns.map((column) => ({ ...column, text: texts.get(column) ?? "" }));
}

/**
 * Returns the column that overlaps the run most or, if none does, the column with the nearest
 * centre.
 */
function nearest(columns: readonly Column[], run: TextRun): Column | undefined {
  const distance = ({ box }: Column): number =>
    overlapShare(box, run.box) > 0 ? -overlapShare(box, run.box) : Math.abs(centreX(box) - centreX(run.box));
  const [first] = columns;
  return first && columns.reduce((best, column) => (distance(column) < distance(best) ? column : best), first);
}
