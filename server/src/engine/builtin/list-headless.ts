/** Lists without a head: texts with amounts that add up to the sum below them, and values of a strict form in one column. */
import type { Box } from "../../reading/document.ts";
import { type PageLayout, type Segment, unionOf, wordAt } from "./layout.ts";
import type { Column, Head } from "./list-heads.ts";
import type { Cell, ListRow } from "./list-rows.ts";
import type { Query } from "./params.ts";
import { findValues } from "./values.ts";
import type { View } from "./view.ts";

export interface HeadlessItem {
  head: Head;
  anchor: ListRow;
  more: ListRow[];
}

const minRows = 2;
const minStacked = 2;
const maxTriedPlaces = 50;
const columnScore = 0.6;
const centTolerance = 0.011;
const strictKinds = new Set(["phone", "email", "iban", "vat", "url"]);

/** The elements of a list that no head announces; none unless arithmetic or the values' form speak for them. */
export function headlessItems(query: Query, view: View): HeadlessItem[] {
  const [only, second] = query.items;
  if (only && !second && strictKinds.has(only.kind)) return stackedValues(only, view);
  const text = query.items.find((item) => item.concept?.key === "line_description");
  const total = query.items.find((item) => item.concept?.key === "line_total");
  if (!text || !total) return [];
  for (const page of view.layout.pages) {
    const found = summedRows(page, view);
    if (found) return found.map((pair) => toItem(page, query, [text, total], pair));
  }
  return [];
}

/** A text and the amount at the end of its row. */
type TextAndAmount = readonly [Segment, Segment];

/** The first run of rows of text and amount whose amounts add up to that of the row behind them. */
function summedRows(page: PageLayout, view: View): TextAndAmount[] | undefined {
  let run: TextAndAmount[] = [];
  let sum = 0;
  for (const row of page.rows) {
    const [text, amount] = [row[0], row.at(-1)];
    const value = row.length === 2 && amount ? amountIn(amount, view) : undefined;
    const last = run.at(-1)?.[1];
    const follows =
      !last || !amount || (Math.abs(amount.box[2] - last.box[2]) < last.height && amount.row - last.row < 4);
    if (run.length >= minRows && value !== undefined && follows && Math.abs(value - sum) < centTolerance) return run;
    if (value === undefined && row.length === 1 && run.length > 0) continue;
    if (value === undefined || !text || !amount || !follows || !/\p{L}{2}/u.test(text.text)) [run, sum] = [[], 0];
    if (value === undefined || !text || !amount || !/\p{L}{2}/u.test(text.text)) continue;
    run.push([text, amount]);
    sum += value;
  }
  return undefined;
}

/** The amount that the segment is, if it is nothing else. */
function amountIn(segment: Segment, view: View): number | undefined {
  const [found] = findValues(segment.text, "money", view.locale);
  const whole = found && found.quality >= 0.9 && found.start === 0 && found.end === segment.text.length;
  return whole && typeof found.value === "number" ? found.value : undefined;
}

/** Values of the kind that stand below each other, each alone in its segment. */
function stackedValues(item: Query, view: View): HeadlessItem[] {
  const places = view.places(item.kind).filter((place) => place.found.quality >= 0.9 && place.found.start === 0);
  for (const first of places.slice(0, maxTriedPlaces)) {
    const column = places.filter(
      ({ segment }) => segment.page === first.segment.page && Math.abs(segment.box[0] - first.segment.box[0]) < 2,
    );
    const run = column.filter(({ segment }) => segment.row >= first.segment.row);
    const page = view.layout.pages[first.segment.page];
    if (run.length < minStacked || !page) continue;
    return run.map(({ words, segment }) => toItem(page, item, [item], [segment], words));
  }
  return [];
}

/** An element of segments, one for each of the items. */
function toItem(
  page: PageLayout,
  query: Query,
  items: readonly Query[],
  segments: readonly Segment[],
  words?: readonly number[],
): HeadlessItem {
  const columns: Column[] = items.map((item, at) => ({
    box: segments[at]?.box ?? [0, 0, 0, 0],
    text: "",
    item,
    score: columnScore,
  }));
  const box: Box = segments.map((segment) => segment.box).reduce(unionOf);
  const row = segments[0]?.row ?? 0;
  const head: Head = { page, row: row - 1, columns, items: query.items, options: [], score: columnScore };
  const cells = new Map<Column, Cell>(
    columns.map((column, at) => [column, cellOf(page, words ?? segments[at]?.words ?? [])]),
  );
  const anchor = { page, row, top: box[1], bottom: box[3], height: segments[0]?.height ?? 1, fromTable: false, cells };
  return { head, anchor, more: [] };
}

const cellOf = (page: PageLayout, words: readonly number[]): Cell => ({
  words: [...words],
  text: words.map((index) => wordAt(page.page, index).text).join(" "),
});
