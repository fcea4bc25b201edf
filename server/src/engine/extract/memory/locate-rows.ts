/** Finds the positions of list rows whose values are known. */
import type { LeafValue } from "../../engine.ts";
import type { TaughtPlaces, TaughtRow } from "../../memory.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type Located, locate } from "./locate-values.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { isSameValue, type Reading, readingsFor } from "./readings.ts";

/** An item of the list and where its cells are. */
export interface LocatedRow {
  page: MemoryPage;
  /** Index of the item in the list of known rows. */
  index: number;
  /** Index of the text row in which the item starts. */
  row: number;
  cells: Map<AskedField, Located>;
}

/** Maximum number of rows that an item has below its first row. */
const maxLines = 4;
/**
 * The text of an item may begin up to this many rows above its numbers, because numbers may be
 * centred beside a text of several lines.
 */
const linesAbove = 1;
/** Minimum share of an item's cells that must be found. */
const minFound = 0.5;

/** Returns the items that were found, in order. */
export function locateRows(
  field: AskedField,
  rows: readonly TaughtRow[],
  places: readonly TaughtPlaces[],
  view: MemoryView,
): LocatedRow[] {
  const found: LocatedRow[] = [];
  let from = { page: 0, row: 0 };
  for (const [at, row] of rows.entries()) {
    const located = locateRow(field, row, places[at] ?? {}, view, from);
    if (!located) continue;
    found.push({ ...located, index: at });
    from = { page: view.pages.indexOf(located.page), row: located.row + 1 };
  }
  return found;
}

function locateRow(
  field: AskedField,
  row: TaughtRow,
  places: TaughtPlaces,
  view: MemoryView,
  from: { page: number; row: number },
): Omit<LocatedRow, "index"> | undefined {
  const asked = field.items.filter(({ name }) => (row[name] ?? null) !== null);
  const occurrences = asked.flatMap((item) => {
    const place = places[item.name];
    const all = placesOf(row[item.name] ?? null, item, view, Array.isArray(place) ? null : (place ?? null), from);
    return all.map((located) => ({ item, located, at: rowOf(located) }));
  });
  const starts = new Map<string, { page: number; row: number }>();
  for (const { located, at } of occurrences)
    starts.set(`${located.page.index} ${at}`, { page: view.pages.indexOf(located.page), row: at });
  let best: Omit<LocatedRow, "index"> | undefined;
  for (const start of [...starts.values()].sort((a, b) => a.page - b.page || a.row - b.row)) {
    if (start.page < from.page || (start.page === from.page && start.row < from.row)) continue;
    const page = view.pages[start.page];
    if (!page) continue;
    const cells = new Map<AskedField, Located>();
    for (const item of asked) {
      const near = occurrences
        .filter((each) => each.item === item && each.located.page === page)
        .filter(({ at }) => at >= start.row - linesAbove && at <= start.row + maxLines)
        .filter(({ located }) => isFree(located, cells))
        .sort((a, b) => Math.abs(a.at - start.row) - Math.abs(b.at - start.row));
      if (near[0]) cells.set(item, near[0].located);
    }
    const inFirst = (each: Omit<LocatedRow, "index">): number =>
      [...each.cells.values()].filter((cell) => rowOf(cell) === each.row).length;
    const candidate = { page, row: start.row, cells };
    const isBetter =
      !best || cells.size > best.cells.size || (cells.size === best.cells.size && inFirst(candidate) > inFirst(best));
    // If several rows are equally good, the first one is used, because items are in the same order
    // in the list and in the document.
    if (isBetter) best = candidate;
  }
  return best && best.cells.size >= minFound * asked.length ? best : undefined;
}

const isFree = ({ words }: Located, cells: ReadonlyMap<AskedField, Located>): boolean =>
  ![...cells.values()].some((cell) => cell.words.some((word) => words.includes(word)));

const rowOf = ({ page, words }: Located): number => page.runOf.get(words[0] ?? -1)?.row ?? -1;

/** Maximum number of positions that are tried for one cell. */
const maxPlaces = 60;

/**
 * Returns the positions that a cell may have. A number such as 1 occurs often, and all occurrences
 * are returned.
 */
function placesOf(
  value: LeafValue,
  item: AskedField,
  view: MemoryView,
  place: Parameters<typeof locate>[3],
  from: { page: number; row: number },
): Located[] {
  const later = view.pages.slice(from.page);
  if (place || item.format === "text" || value === null) {
    const rest = { ...view, pages: later.map((page, at) => (at === 0 ? fromRow(page, from.row) : page)) };
    const found = locate(value, item.format, rest, place);
    return found.map((each) => ({
      ...each,
      page: view.pages.find(({ index }) => index === each.page.index) ?? each.page,
    }));
  }
  const found: Located[] = [];
  for (const page of later)
    for (const reading of readingsFor(item.format, value))
      for (const located of parsed(value, reading, page, view)) if (found.length < maxPlaces) found.push(located);
  return found;
}

/** Returns the page without the rows above `row`. */
const fromRow = (page: MemoryPage, row: number): MemoryPage => ({
  ...page,
  runs: { ...page.runs, runs: page.runs.runs.filter((run) => run.row >= row) },
});

function parsed(value: LeafValue, reading: Reading, page: MemoryPage, view: MemoryView): Located[] {
  const places = new Map<string, Located>();
  for (const found of view.parsed(page, reading))
    if (isSameValue(found.value, value)) places.set(String(found.words[0]), { page, words: found.words, reading });
  return [...places.values()];
}
