/**
 * Learns one paper: its fixed texts, and where its values stand among them. The result depends only
 * on this paper, except for the checks, which are kept with it: removing a paper undoes exactly what
 * it taught.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { LearnedFact, LearnedPaper, LearnResult, TaughtPaper, TaughtPlaces, TaughtRow } from "../../memory.ts";
import { type AskedField, readAskedFields } from "../labels/asked-fields.ts";
import { describeAnchor, factOf } from "./describe-anchor.ts";
import { learnList } from "./learn-list.ts";
import type { Anchor, LearnedAnchors, LearnedField } from "./learned.ts";
import { locateRows } from "./locate-rows.ts";
import { type Located, locate } from "./locate-values.ts";
import { type MemoryView, memoryViewOf } from "./memory-view.ts";
import { readList } from "./read-list.ts";
import { isSameValue } from "./readings.ts";
import { proposalsOf, similarPapers } from "./similar-papers.ts";
import { encodeSkeleton, skeletonOf } from "./skeleton.ts";

/** @param memory papers that were learned before */
export function learnPaper(
  document: Document,
  params: readonly ExtractionParam[],
  { values, places }: TaughtPaper,
  memory: readonly LearnedPaper[],
): LearnResult {
  const view = memoryViewOf(document);
  const facts: LearnedFact[] = [];
  const notFound: string[] = [];
  const fields: LearnedAnchors["fields"] = {};
  const used = new Set<string>();
  const use = ({ page, words }: Pick<Located, "page" | "words">): void => {
    for (const word of words) used.add(`${page.index} ${word}`);
  };
  for (const field of readAskedFields(params)) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined) continue;
    const place = Object.hasOwn(places, field.name) ? places[field.name] : undefined;
    const learned = Array.isArray(value)
      ? learnRows(field, value as readonly TaughtRow[], Array.isArray(place) ? place : [], view, use)
      : learnLeaf(field, value as LeafValue, Array.isArray(place) ? null : place, view, use);
    if (!learned) notFound.push(field.name);
    else {
      fields[field.name] = learned.field;
      facts.push(...learned.facts);
    }
  }
  const skeleton = skeletonOf(view.layout, (page, word) => used.has(`${page} ${word}`));
  const anchors: LearnedAnchors = { fields, checks: checksOf(view, params, values, memory) };
  return { paper: { skeleton: encodeSkeleton(skeleton), anchors: JSON.stringify(anchors) }, facts, notFound };
}

type Learned = { field: LearnedField; facts: LearnedFact[] };
type Use = (located: Pick<Located, "page" | "words">) => void;

function learnLeaf(
  field: AskedField,
  value: LeafValue,
  place: Parameters<typeof locate>[3],
  view: MemoryView,
  use: Use,
): Learned | undefined {
  if (value === null) return { field: { absent: true }, facts: [{ field: field.name, rule: "absent", label: "" }] };
  const located = locate(value, field.format, view, place);
  const anchors = located.map((each): { anchor: Anchor; located: Located } => ({
    anchor: describeAnchor(each, value, field),
    located: each,
  }));
  anchors.sort((a, b) => b.anchor.prior - a.anchor.prior);
  const [best] = anchors;
  if (!best) return undefined;
  for (const each of located) use(each);
  return { field: { anchors: anchors.map(({ anchor }) => anchor) }, facts: [factOf(best.located, field)] };
}

/** Minimum share of rows of a list that its columns must read right again. Chosen by hand. */
const minRight = 0.8;

function learnRows(
  field: AskedField,
  rows: readonly TaughtRow[],
  places: readonly TaughtPlaces[],
  view: MemoryView,
  use: Use,
): Learned | undefined {
  const located = locateRows(field, rows, places, view);
  for (const row of located) for (const cell of row.cells.values()) use(cell);
  const learned = learnList(field, located);
  if (!learned) return undefined;
  const read = readList(learned.list, view) ?? [];
  const right = rows.filter((row, at) =>
    field.items.every(({ name }) => isSameValue(row[name] ?? null, read[at]?.get(name)?.value ?? null)),
  );
  // Columns that do not give back the rows of this paper do not help on another one.
  if (right.length < minRight * Math.max(rows.length, read.length)) return undefined;
  return { field: { list: learned.list }, facts: learned.facts };
}

/** Returns which fields the papers of the same layout would have read right on this one. */
function checksOf(
  view: MemoryView,
  params: readonly ExtractionParam[],
  values: TaughtPaper["values"],
  memory: readonly LearnedPaper[],
): LearnedAnchors["checks"] {
  const checks: LearnedAnchors["checks"] = {};
  const names = new Set(params.filter(({ format }) => format !== "list").map(({ name }) => name));
  for (const similar of similarPapers(view, memory)) {
    const outcome: Record<string, boolean> = {};
    for (const { field, value } of proposalsOf(similar, view)) {
      const truth = Object.hasOwn(values, field) && names.has(field) ? values[field] : undefined;
      if (truth !== undefined && !Array.isArray(truth)) outcome[field] = isSameValue(value, truth as LeafValue);
    }
    checks[similar.id] = outcome;
  }
  return checks;
}
