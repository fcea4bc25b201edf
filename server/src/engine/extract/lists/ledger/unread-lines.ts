/** Classifies the lines in the section of a list that are not part of a returned row. */
import { centreX, type PageRuns, type TextRun, wordAt } from "../../../page/text-runs.ts";
import { findValues } from "../../../values/find-values.ts";
import type { Locale } from "../../../values/locale.ts";
import { labelTerms } from "../../labels/label-scores.ts";
import { isCarried, isSum } from "../list-ends.ts";
import type { Column } from "../list-heads.ts";
import { addWords, type Cell, hasValue, isBlank, type ListRow, rowOfRuns } from "../list-rows.ts";
import { type GivenRow, isTyped } from "./given-rows.ts";

export type LineKind = "heading" | "sum" | "carried" | "note" | "row";

export interface UnreadLine {
  page: PageRuns;
  runs: readonly TextRun[];
  row: ListRow;
  kind: LineKind;
  /** The nearest returned row above the line, on this page or an earlier one. */
  after: GivenRow | undefined;
}

/**
 * Maximum gap between the last row and a line below it that still belongs to the list, in line
 * heights. Chosen by hand, 2026-11.
 */
const maxGap = 2.5;
/** Distance by which a text may extend beyond its column, in points. Chosen by hand, 2026-11. */
const tolerance = 3;
/**
 * A line looks like a row if it has at least this share of the values that rows usually have.
 * Chosen by hand, 2026-11.
 */
const minFilled = 0.6;

/**
 * Returns the lines that are not part of a returned row: those between the first and the last row,
 * and those directly below the last row.
 */
export function unreadLines(rows: readonly GivenRow[], pages: readonly PageRuns[], locale: Locale): UnreadLine[] {
  const byPage = Map.groupBy(rows, ({ page }) => page);
  const usual = usualValues(rows, locale);
  const [first, last] = [rows[0], rows.at(-1)];
  const lines: UnreadLine[] = [];
  if (!first || !last) return lines;
  const [from, to] = [pages.indexOf(first.page), pages.indexOf(last.page)];
  let after: GivenRow | undefined;
  for (const page of pages.slice(from, to + 1)) {
    const own = byPage.get(page) ?? [];
    const model = own[0] ?? after ?? first;
    const zones = zonesOf(own.length > 0 ? own : rows.filter((row) => row.page === model.page));
    const used = new Set(own.flatMap(({ words }) => words));
    const owners = new Map(own.flatMap((row) => row.words.map((word) => [word, row] as const)));
    const top = page === first.page ? first.box[1] : Number.NEGATIVE_INFINITY;
    let bottom = page === last.page ? last.box[3] : Number.POSITIVE_INFINITY;
    for (const runs of page.rows) {
      const words = runs.flatMap((run) => run.words);
      const owner = words.map((word) => owners.get(word)).find((row) => row !== undefined);
      after = owner ?? after;
      const y = runs[0]?.box[1] ?? 0;
      if (words.length === 0 || words.some((word) => used.has(word)) || y < top) continue;
      const height = runs[0]?.height ?? 1;
      if (y > bottom + maxGap * height) break;
      const row = rowInZones(page, runs, zones);
      // Below the last row, a line must have as many values as a usual row to count as a row. A sum
      // has fewer.
      const kind = kindOf(row, runs, model, usual, y > bottom ? 1 : minFilled, locale);
      if (y > bottom) {
        // A note or heading below the list ends the section.
        if (kind === "note" || kind === "heading") break;
        bottom = Math.max(...runs.map((run) => run.box[3]));
      }
      lines.push({ page, runs, row, kind, after });
      if (page === last.page && y >= last.box[3] && kind === "sum") break;
    }
  }
  return lines;
}

interface Usual {
  all: number;
  typed: number;
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

function usualValues(rows: readonly GivenRow[], locale: Locale): Usual {
  return {
    all: median(rows.map(({ item: { anchor, head } }) => valuesIn(anchor, head.columns, locale).all)),
    typed: median(rows.map(({ item: { anchor, head } }) => valuesIn(anchor, head.columns, locale).typed)),
  };
}

function valuesIn(row: ListRow, columns: readonly Column[], locale: Locale): Usual {
  const filled = columns.filter((column) => !isBlank(row.cells.get(column)?.text ?? ""));
  const typed = filled.filter((column) => isTyped(column.item) && hasValue(row, column, column.item, locale));
  return { all: filled.length, typed: typed.length };
}

interface Zone {
  column: Column;
  left: number;
  right: number;
}

/** Returns the horizontal extent of each column on a page. */
function zonesOf(rows: readonly GivenRow[]): Zone[] {
  const zones = new Map<Column, Zone>();
  const columns = rows[0]?.item.head.columns ?? [];
  for (const { item, page } of rows)
    for (const [at, column] of item.head.columns.entries()) {
      const key = columns[at] ?? column;
      for (const word of item.anchor.cells.get(column)?.words ?? []) {
        const { box } = wordAt(page.page, word);
        const zone = zones.get(key) ?? { column: key, left: box[0], right: box[2] };
        zones.set(key, { column: key, left: Math.min(zone.left, box[0]), right: Math.max(zone.right, box[2]) });
      }
    }
  // A number, for example a sum, may be wider than the numbers above it. The white space between
  // two columns is therefore split in the middle.
  const sorted = [...zones.values()].sort((a, b) => a.left - b.left);
  return sorted.map(({ column, left, right }, at) => ({
    column,
    left: (left + Math.min(left, sorted[at - 1]?.right ?? left - 4 * tolerance)) / 2,
    right: (right + Math.max(right, sorted[at + 1]?.left ?? right + 4 * tolerance)) / 2,
  }));
}

/** Maximum number of words in one number. Chosen by hand, 2026-11. */
const maxNumberWords = 4;

function rowInZones(page: PageRuns, runs: readonly TextRun[], zones: readonly Zone[]): ListRow {
  const cells = new Map<Column, Cell>();
  const zoneAt = (word: number): Zone | undefined => {
    const x = centreX(wordAt(page.page, word).box);
    return zones.find(({ left, right }) => x >= left - tolerance && x <= right + tolerance);
  };
  for (const run of runs) {
    // A number may consist of several words, because spaces can separate thousands.
    const isNumber = /^[\d\s.,'’-]+$/u.test(run.text) && run.words.length <= maxNumberWords;
    const units = isNumber ? [run.words] : run.words.map((word) => [word]);
    for (const words of units) {
      const zone = zoneAt(words.at(-1) ?? -1);
      if (zone) addWords(cells, zone.column, page, words);
    }
  }
  return rowOfRuns(page, runs, cells);
}

function kindOf(
  row: ListRow,
  runs: readonly TextRun[],
  { item: { head } }: GivenRow,
  usual: Usual,
  minShare: number,
  locale: Locale,
): LineKind {
  const text = runs.map((run) => run.text).join(" ");
  const headings = head.columns.map((column) => column.text).join(" ");
  const words = text.split(" ");
  const said = new Set(headings.split(" "));
  const inHeading = words.filter((word) => said.has(word)).length;
  if (inHeading >= Math.max(1, minHeading * words.length) && !/\d{2}/.test(text)) return "heading";
  const hasDigits = /\d/.test(text);
  if (hasDigits && (isCarried(row, head.columns) || carriedWords(text))) return "carried";
  const { all, typed } = valuesIn(row, head.columns, locale);
  const isFull =
    all >= Math.max(2, minShare * usual.all) && typed >= Math.min(usual.typed, Math.max(1, minShare * usual.typed));
  if (hasDigits && !isFull && (isSum(row, head.columns) || startsWithSum(runs))) return "sum";
  return isFull && findValues(text, "number", locale).length > 0 ? "row" : "note";
}

/**
 * A line is a heading if at least this share of its words also occurs in the headings of the list.
 * Chosen by hand, 2026-11.
 */
const minHeading = 0.7;

const carriedWords = (text: string): boolean => carried.test(text);
const carried =
  /^\P{L}*(?:übertrag|carried|brought|report\b|à reporter|a riportare|riporto|suma y sigue|suma anterior|transport)/iu;

function startsWithSum(runs: readonly TextRun[]): boolean {
  const text = runs.find((run) => /\p{L}{2}/u.test(run.text))?.text ?? "";
  return labelTerms(text)[0]?.texts.some((family) => family === "total" || family === "subtotal") ?? false;
}
