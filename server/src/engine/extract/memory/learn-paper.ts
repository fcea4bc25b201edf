/**
 * Learns from one document: its fixed texts, and the positions of its values relative to them. Only
 * `checks` also depends on earlier documents; everything else depends on this document alone. If
 * the document is removed, everything learned from it is removed too.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { LearnedFact, LearnedPaper, LearnResult, TaughtPaper, TaughtPlaces, TaughtRow } from "../../memory.ts";
import { type DateOrder, findDates, orderVotes } from "../../values/dates.ts";
import { type AskedField, readAskedFields } from "../labels/asked-fields.ts";
import { describeAnchor, factOf } from "./describe-anchor.ts";
import { learnList } from "./learn-list.ts";
import type { Anchor, LearnedAnchors, LearnedField } from "./learned.ts";
import { locateRows } from "./locate-rows.ts";
import { type Located, locate } from "./locate-values.ts";
import { type MemoryView, memoryViewOf } from "./memory-view.ts";
import { readList } from "./read-list.ts";
import { isSameValue, textOf } from "./readings.ts";
import { proposalsOf, similarPapers } from "./similar-papers.ts";
import { encodeSkeleton, skeletonOf } from "./skeleton.ts";

/** @param memory documents that were learned before this one */
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
  const dates: [text: string, value: string][] = [];
  const use = ({ page, words }: Pick<Located, "page" | "words">): void => {
    for (const word of words) used.add(`${page.index} ${word}`);
  };
  const useDate = (field: AskedField, located: Located, value: LeafValue): void => {
    if (field.format === "date" && value !== null)
      dates.push([textOf(located.page.runs, located.words), String(value)]);
  };
  for (const field of readAskedFields(params)) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined) continue;
    const place = Object.hasOwn(places, field.name) ? places[field.name] : undefined;
    const learned = Array.isArray(value)
      ? learnRows(field, value as readonly TaughtRow[], Array.isArray(place) ? place : [], view, use, useDate)
      : learnLeaf(field, value as LeafValue, Array.isArray(place) ? null : place, view, use, useDate);
    if (!learned) notFound.push(field.name);
    else {
      fields[field.name] = learned.field;
      facts.push(...learned.facts);
    }
  }
  const order = dateOrderOf(dates);
  if (order) for (const each of Object.values(fields)) readDatesAs(each, order);
  const skeleton = skeletonOf(view.layout, (page, word) => used.has(`${page} ${word}`));
  const anchors: LearnedAnchors = { fields, checks: checksOf(view, params, values, memory) };
  return { paper: { skeleton: encodeSkeleton(skeleton), anchors: JSON.stringify(anchors) }, facts, notFound };
}

type Learned = { field: LearnedField; facts: LearnedFact[] };
type UseDate = (field: AskedField, located: Located, value: LeafValue) => void;
type Use = (located: Pick<Located, "page" | "words">) => void;

function learnLeaf(
  field: AskedField,
  value: LeafValue,
  place: Parameters<typeof locate>[3],
  view: MemoryView,
  use: Use,
  useDate: UseDate,
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
  for (const each of located) {
    use(each);
    useDate(field, each, value);
  }
  return { field: { anchors: anchors.map(({ anchor }) => anchor) }, facts: [factOf(best.located, field)] };
}

/**
 * Maximum number of earlier documents that a new document is checked against. The latest ones are
 * used. With this limit, learning takes less than 200 ms.
 */
const maxChecks = 4;
/**
 * When the learned columns are applied to the document they were learned from, they must read at
 * least this share of the rows correctly. Chosen by hand.
 */
const minRight = 0.8;

function learnRows(
  field: AskedField,
  rows: readonly TaughtRow[],
  places: readonly TaughtPlaces[],
  view: MemoryView,
  use: Use,
  useDate: UseDate,
): Learned | undefined {
  const located = locateRows(field, rows, places, view);
  for (const { index, cells } of located)
    for (const [item, cell] of cells) {
      use(cell);
      useDate(item, cell, rows[index]?.[item.name] ?? null);
    }
  const learned = learnList(field, located);
  if (!learned) return undefined;
  const read = readList(learned.list, view) ?? [];
  const right = rows.filter((row, at) =>
    field.items.every(({ name }) => isSameValue(row[name] ?? null, read[at]?.get(name)?.value ?? null)),
  );
  // Columns that misread the document from which they were learned will not work on another one.
  if (right.length < minRight * Math.max(rows.length, read.length)) return undefined;
  return { field: { list: learned.list }, facts: learned.facts };
}

/**
 * Determines whether the day or the month comes first in the document's dates. The dates are parsed
 * in both orders, and the results are compared with the known values.
 */
function dateOrderOf(dates: readonly [text: string, value: string][]): DateOrder | undefined {
  const isRead = (order: DateOrder) =>
    dates.filter(([text, value]) => findDates(text, order)[0]?.value === value).length;
  const [dmy, mdy] = [isRead("dmy"), isRead("mdy")];
  if (dmy !== mdy) return dmy > mdy ? "dmy" : "mdy";
  const votes = orderVotes(dates.map(([text]) => text).join("\n"));
  if (votes.dmy === votes.mdy) return undefined;
  return votes.dmy > votes.mdy ? "dmy" : "mdy";
}

function readDatesAs(field: LearnedField, order: DateOrder): void {
  const parts = "anchors" in field ? field.anchors : "list" in field ? field.list.columns : [];
  for (const part of parts) if (part.reading === "date") part.reading = order;
}

/**
 * Applies what was learned from each earlier document of the same layout to this document. Returns,
 * per earlier document and field, whether the value found is correct.
 */
function checksOf(
  view: MemoryView,
  params: readonly ExtractionParam[],
  values: TaughtPaper["values"],
  memory: readonly LearnedPaper[],
): LearnedAnchors["checks"] {
  const checks: LearnedAnchors["checks"] = {};
  const names = new Set(params.filter(({ format }) => format !== "list").map(({ name }) => name));
  for (const similar of similarPapers(view, memory).slice(-maxChecks)) {
    const outcome: Record<string, boolean> = {};
    for (const { field, value } of proposalsOf(similar, view)) {
      const truth = Object.hasOwn(values, field) && names.has(field) ? values[field] : undefined;
      if (truth !== undefined && !Array.isArray(truth)) outcome[field] = isSameValue(value, truth as LeafValue);
    }
    checks[similar.id] = outcome;
  }
  return checks;
}
