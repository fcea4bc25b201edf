/**
 * Aligns the values of list elements with rows on the page. A value may be printed at several
 * positions. For each element, chooses positions that are close together. Rejects a value that is
 * on the row of another element.
 */

import { itemAt } from "../../lib/item-at.ts";
import type { Box } from "../../reading/document.ts";
import { centreY, overlapShare, unionOf, wordAt } from "../page/text-runs.ts";
import type { DocumentIndex } from "./document-index.ts";
import type { Grounded } from "./ground-value.ts";

export interface AlignedRow {
  chosen: Map<string, Grounded>;
  /** Names of the fields whose values are not on this element's row. */
  rejected: string[];
}

type Leaves = ReadonlyMap<string, readonly Grounded[]>;

interface ValuePlace {
  leaf: Grounded;
  box: Box;
  y: number;
}

/** Maximum distance of a value from its row, in word heights. Chosen by hand, 2026-11. */
const farthest = 14;
/**
 * Maximum vertical distance between two values of the same row, in word heights. Chosen by hand,
 * 2026-11.
 */
const onRow = 0.8;
const mostChoices = 40;
/**
 * Assumed distance, in page units, between values on adjacent pages. It is added once more for each
 * further page. It is greater than the height of any page.
 */
const otherPage = 1e6;

export function alignRows(rows: readonly Leaves[], index: DocumentIndex): AlignedRow[] {
  const used = new Set<string>();
  const placed = rows.map((leaves) => placeRow(leaves, index, used));
  return placed.map((places, at) => judge(places, placed, at, index));
}

/**
 * Chooses a position for each value, so that the positions are close together. If possible, avoids
 * choosing exactly the positions that were chosen for an earlier element.
 */
function placeRow(leaves: Leaves, index: DocumentIndex, used: Set<string>): Map<string, ValuePlace> {
  const places = [...leaves].map(([name, choices]): [string, ValuePlace[]] => [
    name,
    choices.slice(0, mostChoices).map((leaf) => placeOf(leaf, index)),
  ]);
  const anchors = places.toSorted(([, a], [, b]) => a.length - b.length)[0];
  if (!anchors) return new Map();
  let best: { cost: number; chosen: Map<string, ValuePlace>; key: string } | undefined;
  for (const anchor of anchors[1]) {
    const chosen = new Map(places.map(([name, each]) => [name, name === anchors[0] ? anchor : nearest(each, anchor)]));
    const key = [...chosen.values()].map(keyOf).join(" ");
    const spread = [...chosen.values()].reduce((sum, place) => sum + apart(place, anchor), 0);
    const cost = spread + (used.has(key) ? otherPage * 10 : 0);
    if (!best || cost < best.cost) best = { cost, chosen, key };
  }
  used.add(best?.key ?? "");
  return best?.chosen ?? new Map();
}

function nearest(places: readonly ValuePlace[], anchor: ValuePlace): ValuePlace {
  return places.reduce((best, place) => (apart(place, anchor) < apart(best, anchor) ? place : best));
}

const apart = (a: ValuePlace, b: ValuePlace): number =>
  a.leaf.page === b.leaf.page ? Math.abs(a.y - b.y) : otherPage * Math.abs(a.leaf.page - b.leaf.page);

const keyOf = ({ leaf }: ValuePlace): string => `${leaf.page}:${leaf.words.join(",")}`;

function placeOf(leaf: Grounded, index: DocumentIndex): ValuePlace {
  const { layout } = itemAt(index.pages, leaf.page);
  const boxes = leaf.words.map((word) => wordAt(layout.page, word).box);
  const box = boxes.reduce(unionOf);
  // A text of several lines belongs to the row that its first line is on.
  return { leaf, box, y: centreY(itemAt(boxes, 0)) };
}

function judge(
  places: ReadonlyMap<string, ValuePlace>,
  rows: readonly ReadonlyMap<string, ValuePlace>[],
  at: number,
  index: DocumentIndex,
): AlignedRow {
  const own = [...places.values()];
  const centre = centreOf(own);
  const chosen = new Map<string, Grounded>();
  const rejected: string[] = [];
  for (const [name, place] of places) {
    const others = rows.flatMap((row, other) => (other === at ? [] : [[...row.values()]]));
    if (own.length < 2 || !centre || belongs(place, centre, own, others, index)) chosen.set(name, place.leaf);
    else rejected.push(name);
  }
  return { chosen, rejected };
}

/** Returns the position whose total distance to the others is smallest. */
function centreOf(places: readonly ValuePlace[]): ValuePlace | undefined {
  const sums = places.map((place) => places.reduce((sum, other) => sum + Math.min(apart(place, other), otherPage), 0));
  return places[sums.indexOf(Math.min(...sums))];
}

function belongs(
  place: ValuePlace,
  centre: ValuePlace,
  own: readonly ValuePlace[],
  others: readonly (readonly ValuePlace[])[],
  index: DocumentIndex,
): boolean {
  const height = heightOf(centre, index);
  const distance = apart(place, centre);
  if (distance <= onRow * height || inOneRow(place, centre, index)) return true;
  const another = others.some((row) => {
    const rest = row.filter((each) => keyOf(each) !== keyOf(place));
    return (
      rest.some((each) => apart(place, each) <= onRow * height) && !rest.some((each) => keyOf(each) === keyOf(centre))
    );
  });
  // A value that is printed once above several rows belongs to those rows that have nothing in its
  // column.
  if (another) return place.y < centre.y && distance < otherPage && !hasOwn(place, own, index);
  return distance <= farthest * height;
}

/**
 * Returns true if there is text in the column of `place`, on a row that contains another value of
 * the same element.
 */
function hasOwn(place: ValuePlace, own: readonly ValuePlace[], index: DocumentIndex): boolean {
  const { layout } = itemAt(index.pages, place.leaf.page);
  const rest = own.filter((each) => each !== place && each.leaf.page === place.leaf.page);
  return layout.runs.some(
    (run) =>
      overlapShare(run.box, place.box) > 0 &&
      rest.some((each) => Math.abs(centreY(run.box) - each.y) <= onRow * run.height),
  );
}

/** Returns true if both positions are in the same row of a ruled table. */
function inOneRow(a: ValuePlace, b: ValuePlace, index: DocumentIndex): boolean {
  if (a.leaf.page !== b.leaf.page) return false;
  const { page } = itemAt(index.pages, a.leaf.page);
  return page.tables.some((table) => {
    const rowsOf = (place: ValuePlace) =>
      new Set(table.cells.filter((cell) => cell.words.includes(place.leaf.words[0] ?? -1)).map((cell) => cell.row));
    const rows = rowsOf(a);
    return table.ruled && [...rowsOf(b)].some((row) => rows.has(row));
  });
}

/**
 * Minimum word height, in page units. Smaller heights are raised to it, because distances are
 * compared with multiples of the word height.
 */
const minHeight = 0.1;

function heightOf(place: ValuePlace, index: DocumentIndex): number {
  const box = wordAt(itemAt(index.pages, place.leaf.page).layout.page, place.leaf.words[0] ?? 0).box;
  return Math.max(box[3] - box[1], minHeight);
}
