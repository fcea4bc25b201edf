/** Lanes: the columns of a table that nothing but alignment shows. */

import type { Box } from "../document.ts";
import { type Boxed, overlap } from "./geometry.ts";
import { isNumber } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";
import { type Fragment, fragmentOf, type Row } from "./text-runs.ts";

/** A range of x that the fragments of several rows share. */
export interface Lane {
  from: number;
  to: number;
  fragments: Fragment[];
}

/** How many lanes a fragment may reach into before it is no cell but text across the table. */
const minShare = 0.35;

/** The lanes that a fragment lies in, best first. */
export function lanesAt(lanes: readonly Lane[], { box }: Boxed): Lane[] {
  const at = lanes.filter((lane) => isAt(lane, box));
  return at.length < 2 ? at : at.sort((a, b) => edgeDistance(a, box) - edgeDistance(b, box));
}

function isAt({ from, to }: Lane, box: Box): boolean {
  const shared = overlap(from, to, box[0], box[2]);
  const narrow = Math.min(to - from, box[2] - box[0]);
  return shared > Math.min(1, narrow) && shared >= minShare * narrow;
}

function isOverSeveral(lanes: readonly Lane[], { box }: Boxed): boolean {
  let count = 0;
  for (const lane of lanes) if (isAt(lane, box) && ++count > 1) return true;
  return false;
}

function edgeDistance(lane: Lane, [x0, , x1]: Fragment["box"]): number {
  return Math.min(Math.abs(lane.from - x0), Math.abs(lane.to - x1), Math.abs((lane.from + lane.to - x0 - x1) / 2));
}

/** How a line stands to lanes: its fragments in a lane each, in a lane beside another fragment, in none, or across several. */
export interface Fit {
  placed: Map<Fragment, Lane>;
  shared: Fragment[];
  fresh: Fragment[];
  across: Fragment[];
}

export function fitOf(lanes: readonly Lane[], row: Row): Fit {
  const fit: Fit = { placed: new Map(), shared: [], fresh: [], across: [] };
  const used: Lane[] = [];
  for (const fragment of row.fragments) {
    const at = lanesAt(lanes, fragment);
    const lane = at.find((candidate) => !used.includes(candidate));
    if (at.length === 0) fit.fresh.push(fragment);
    else if (at.length > 2) fit.across.push(fragment);
    else if (lane === undefined) fit.shared.push(fragment);
    else {
      used.push(lane);
      fit.placed.set(fragment, lane);
    }
  }
  return fit;
}

/** Widens the lanes by a row that fits, and adds lanes for its fragments that lie in none. */
export function addRow(lanes: Lane[], fit: Fit): void {
  for (const [fragment, lane] of fit.placed) {
    lane.from = Math.min(lane.from, fragment.box[0]);
    lane.to = Math.max(lane.to, fragment.box[2]);
    lane.fragments.push(fragment);
  }
  for (const fragment of fit.fresh) lanes.push({ from: fragment.box[0], to: fragment.box[2], fragments: [fragment] });
  lanes.sort((a, b) => a.from + a.to - b.from - b.to);
}

/**
 * Joins neighbours of which one holds only the header and the other only the body: a name and its values may stand side by side, not above
 * one another.
 */
export function joinHeaderLanes(lanes: Lane[], header: readonly Row[]): void {
  const names = new Set(header.flatMap((row) => row.fragments));
  const isName = (lane: Lane) => lane.fragments.every((fragment) => names.has(fragment));
  const isBody = (lane: Lane) => !lane.fragments.some((fragment) => names.has(fragment));
  for (let index = 0; index + 1 < lanes.length; index++) {
    const left = lanes[index];
    const right = lanes[index + 1];
    if (!left || !right || !((isName(left) && isBody(right)) || (isBody(left) && isName(right)))) continue;
    const joined: Lane = {
      from: left.from,
      to: Math.max(left.to, right.to),
      fragments: [...left.fragments, ...right.fragments],
    };
    lanes.splice(index, 2, joined);
  }
}

/** Between each lane and the next the place that the fewest words cross, as near the middle of the gap as can be. */
export function boundariesOf(lanes: readonly Lane[], words: readonly Boxed[]): number[] {
  return lanes.slice(1).map((right, index) => {
    const left = lanes[index] ?? right;
    if (right.from >= left.to) return (left.to + right.from) / 2;
    return quietest(right.from, left.to, words);
  });
}

function quietest(from: number, to: number, words: readonly Boxed[]): number {
  let best = (from + to) / 2;
  let fewest = Number.POSITIVE_INFINITY;
  const near = words.filter(({ box }) => box[0] < to && box[2] > from);
  for (let x = from; x <= to; x += 1) {
    const crossing = near.filter(({ box }) => box[0] < x && box[2] > x).length;
    if (crossing < fewest) {
      fewest = crossing;
      best = x;
    }
  }
  return best;
}

/** Most of its fragments, but for a header, are numbers. */
export function isNumeric(lane: Lane): boolean {
  const numbers = lane.fragments.filter((fragment) => isNumber(fragment.text)).length;
  return numbers > 0 && numbers >= (lane.fragments.length - 1) * 0.6;
}

/**
 * A line whose fragments are cut where they run over several lanes, as the names of narrow columns do that have but a space between
 * them. A fragment with a word that itself lies in two lanes stays whole, and one whose parts are not `wanted`.
 */
export function splitAlong(row: Row, lanes: readonly Lane[], wanted?: (parts: readonly Fragment[]) => boolean): Row {
  if (!row.fragments.some((fragment) => isOverSeveral(lanes, fragment))) return row;
  const fragments = row.fragments.flatMap((fragment) => {
    if (!isOverSeveral(lanes, fragment)) return [fragment];
    const parts = partsAlong(fragment, lanes);
    return wanted === undefined || wanted(parts) ? parts : [fragment];
  });
  return { ...row, fragments };
}

function partsAlong(fragment: Fragment, lanes: readonly Lane[]): Fragment[] {
  const owners = fragment.words.map((word) => lanesUnder(lanes, word));
  if (owners.some((under) => under.length > 1)) return [fragment];
  const parts: PlacedWord[][] = [];
  let owner: Lane | undefined;
  for (const [index, word] of fragment.words.entries()) {
    const under = owners[index]?.[0];
    if (parts.length === 0 || (under !== undefined && owner !== undefined && under !== owner)) parts.push([]);
    parts.at(-1)?.push(word);
    owner = under ?? owner;
  }
  return parts.map(fragmentOf);
}

const lanesUnder = (lanes: readonly Lane[], { box }: Boxed): Lane[] =>
  lanes.filter((lane) => Math.min(lane.to, box[2]) - Math.max(lane.from, box[0]) > 1);
