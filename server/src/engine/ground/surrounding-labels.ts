/** What the labels around a place of the Document say of it: the param that was asked for, or another field that the lexicon knows. */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import { boxOf } from "../extract/candidates/find-candidates.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { type Context, contextsOf } from "../extract/labels/label-contexts.ts";
import concepts, { type ValueKind } from "../lexicon/all-concepts.ts";
import type { PageText } from "./document-index.ts";

/** A label that names the param so well is its own. */
export const minLabel = 0.4;
/** A label names another field if it names that so well, and the param no better than this. */
const minOther = 0.8;
const maxOwn = 0.25;
/** Labels further away say little of a value. Factor of a context. */
const minNear = 0.8;

/** What may label the words of a page that a value was found at. */
export function contextsAt({ layout }: PageText, words: readonly number[]): Context[] {
  const run = layout.runs.find((each) => each.words.includes(words[0] ?? -1));
  if (!run) return [];
  const own = run.words.flatMap((word, at) => (words.includes(word) ? [at] : []));
  const start = run.starts[own[0] ?? 0] ?? 0;
  const last = own.at(-1) ?? 0;
  const end = (run.starts[last + 1] ?? run.text.length + 1) - 1;
  const inRun = own.map((at) => run.words[at] as number);
  return contextsOf(layout, run, start, end, boxOf(layout, inRun));
}

/** 0 to 1: how well the contexts name the param. */
export const labelScore = (query: AskedField, contexts: readonly Context[]): number =>
  contexts.reduce((best, { factor, text }) => Math.max(best, factor * query.score(text)), 0);

/** True if the nearest labels name another field, of those asked for or those of the lexicon, and not the param. */
export function isOfOtherField(query: AskedField, contexts: readonly Context[], asked: readonly AskedField[]): boolean {
  if (query.concept === undefined || labelScore(query, contexts) > maxOwn) return false;
  const near = contexts.filter(({ factor }) => factor >= minNear);
  // One amount bears many names ("rounded", "amount due"), so that only fields that were asked for apart are others.
  const known = query.format === "number" ? [] : knownFields();
  const others = [...asked, ...known].filter((other) => isRival(query, other));
  return others.some((other) => labelScore(other, near) >= minOther);
}

/** Two names of one thing are no rivals, nor are fields that share their label. */
const isRival = (query: AskedField, { concept }: AskedField): boolean =>
  concept !== undefined && concept.key !== query.concept?.key && !query.means.has(concept.key);

const formats: Partial<Record<ValueKind, ParamFormat>> = {
  date: "date",
  money: "number",
  number: "number",
  percent: "number",
};
let fieldsKnown: readonly AskedField[] | undefined;

/** The fields of the lexicon as params. */
function knownFields(): readonly AskedField[] {
  fieldsKnown ??= readAskedFields(
    concepts.map(({ names: [name = ""], kind }) => ({ name, format: formats[kind] ?? "text", description: "" })),
  );
  return fieldsKnown;
}
