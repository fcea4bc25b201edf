/**
 * Finds lists without headings. Such a list consists of either texts with amounts that add up to
 * the sum below them, or one column of values with a recognizable format, such as phone numbers.
 */
import type { Box } from "../../../reading/document.ts";
import { type PageRuns, type TextRun, textOfWords, unionOf } from "../../page/text-runs.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Column, Head } from "./list-heads.ts";
import type { ListItem } from "./list-items.ts";
import type { Cell } from "./list-rows.ts";
import { type SummedRow, summedRows } from "./list-sums.ts";

/** Minimum number of values in a list that has a single column. Chosen by hand, 2026-11. */
const minStacked = 2;
/**
 * Maximum number of values that are tried as the topmost value of a column. Chosen by hand,
 * 2026-11.
 */
const maxTriedPlaces = 50;
/** Score of a column without a heading. Chosen by hand, 2026-11. */
const columnScore = 0.6;
const strictKinds = new Set(["phone", "email", "iban", "vat", "url"]);

/**
 * Returns the items of a list without headings. Empty unless a sum, or the format of the values,
 * confirms that they are a list.
 */
export function headlessItems(query: AskedField, view: DocumentView): ListItem[] {
  const [only, second] = query.items;
  if (only && !second && strictKinds.has(only.kind)) return stackedValues(only, view);
  const text = query.items.find((item) => item.concept?.key === "line_description");
  const total = query.items.find((item) => item.concept?.key === "line_total");
  if (!text || !total) return [];
  for (const page of view.layout.pages) {
    const found = summedRows(page, view.locale);
    if (found) return found.map((row) => itemOfRow(page, query, row));
  }
  return [];
}

/**
 * Minimum quality (0 to 1) of a value's format in a list that has a single column. Chosen by hand,
 * 2026-11.
 */
const minQuality = 0.9;

/**
 * Returns values of the item field's kind that are stacked vertically, each at the start of its
 * text run.
 */
function stackedValues(item: AskedField, view: DocumentView): ListItem[] {
  const places = view.places(item.kind).filter((place) => place.found.quality >= minQuality && place.found.start === 0);
  for (const first of places.slice(0, maxTriedPlaces)) {
    const column = places.filter(
      ({ run }) => run.page === first.run.page && Math.abs(run.box[0] - first.run.box[0]) < 2,
    );
    const fromFirst = column.filter(({ run }) => run.row >= first.run.row);
    const page = view.layout.pages[first.run.page];
    if (fromFirst.length < minStacked || !page) continue;
    return fromFirst.map(({ words, run }) => toItem(page, item, [item], [run], [words]));
  }
  return [];
}

/** Returns a list item for a row without headings, with description, total, quantity and price. */
function itemOfRow(page: PageRuns, query: AskedField, row: SummedRow): ListItem {
  const parts = { line_description: row.text, line_total: row.amount, quantity: row.quantity, unit_price: row.price };
  const found = Object.entries(parts).flatMap(([key, words]) => {
    const item = query.items.find((asked) => asked.concept?.key === key);
    return item && words ? [{ item, words }] : [];
  });
  return toItem(
    page,
    query,
    found.map(({ item }) => item),
    [row.run],
    found.map(({ words }) => words),
  );
}

/** Returns a list item with one column for each item field, filled with the given words. */
function toItem(
  page: PageRuns,
  query: AskedField,
  items: readonly AskedField[],
  runs: readonly TextRun[],
  words: readonly (readonly number[])[],
): ListItem {
  const columns: Column[] = items.map((item, at) => ({
    box: runs[at]?.box ?? [0, 0, 0, 0],
    text: "",
    item,
    score: columnScore,
  }));
  const box: Box = runs.map((run) => run.box).reduce(unionOf);
  const row = runs[0]?.row ?? 0;
  const head: Head = { page, row: row - 1, columns, items: query.items, options: [], score: columnScore };
  const cells = new Map<Column, Cell>(columns.map((column, at) => [column, cellOf(page, words[at] ?? [])]));
  const anchor = { page, row, top: box[1], bottom: box[3], height: runs[0]?.height ?? 1, fromTable: false, cells };
  return { head, anchor, more: [] };
}

const cellOf = (page: PageRuns, words: readonly number[]): Cell => ({
  words: [...words],
  text: textOfWords(page, words),
});
