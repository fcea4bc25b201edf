/**
 * Scores the labels around a position in the Document: whether they name the requested field or
 * another one.
 */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import { boxOf } from "../extract/candidates/find-candidates.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { type Context, contextsOf } from "../extract/labels/label-contexts.ts";
import concepts, { type ValueKind } from "../lexicon/all-concepts.ts";
import type { PageText } from "./document-index.ts";

/** A label names the field if it scores at least this. Chosen by hand, 2026-11. */
export const minLabel = 0.4;
/**
 * A label names another field if it scores at least `minOther` for the other field and at most
 * `maxOwn` for this one. Chosen by hand, 2026-11.
 */
const minOther = 0.8;
const maxOwn = 0.25;
/**
 * Only labels with at least this factor can show that a value belongs to another field. Distant
 * labels have lower factors and say little about the value. Chosen by hand, 2026-11.
 */
const minNear = 0.8;

/** Returns the texts that may be labels of the value with these words. */
export function contextsAt({ layout }: PageText, words: readonly number[]): Context[] {
  const run = layout.runs.find((each) => each.words.includes(words[0] ?? -1));
  if (!run) return [];
  const own = run.words.flatMap((word, at) => (words.includes(word) ? [at] : []));
  const start = run.starts[own[0] ?? 0] ?? 0;
  const last = own.at(-1) ?? 0;
  const end = (run.starts[last + 1] ?? run.text.length + 1) - 1;
  const inRun = own.map((at) => run.words[at] ?? 0);
  return contextsOf(layout, run, start, end, boxOf(layout, inRun));
}

/**
 * Returns how well the best label names the field, 0 to 1. The score of each label is multiplied by
 * the factor of its position.
 */
export const labelScore = (query: Pick<AskedField, "score">, contexts: readonly Context[]): number =>
  contexts.reduce((best, { factor, text }) => Math.max(best, factor * query.score(text)), 0);

/**
 * Returns true if the nearest labels do not name this field but another field that is also
 * requested or in the lexicon.
 */
export function isOfOtherField(query: AskedField, contexts: readonly Context[], asked: readonly AskedField[]): boolean {
  const byWords = { score: query.scoreByWords };
  // Only shared words count here, not similarity of meaning: the labels of any two numbers are
  // slightly similar in meaning.
  if (query.concept === undefined || labelScore(byWords, contexts) > maxOwn) return false;
  if (labelScore(query, contexts) >= minOther) return false;
  const near = contexts.filter(({ factor }) => factor >= minNear);
  // An amount can have several names, such as "rounded" and "amount due". For amounts, only the
  // other requested fields therefore count, not the whole lexicon.
  const known = query.format === "number" ? [] : knownFields();
  const others = [...asked, ...known].filter((other) => isRival(query, other));
  return others.some((other) => labelScore(other, near) >= minOther);
}

/**
 * Returns true if the other field has a concept that is neither the concept of this field nor one
 * that this field may stand for.
 */
const isRival = (query: AskedField, { concept }: AskedField): boolean =>
  concept !== undefined && concept.key !== query.concept?.key && !query.means.has(concept.key);

const formats: Partial<Record<ValueKind, ParamFormat>> = {
  date: "date",
  money: "number",
  number: "number",
  percent: "number",
};
let fieldsKnown: readonly AskedField[] | undefined;

/** Returns all fields of the lexicon as if they were requested. */
function knownFields(): readonly AskedField[] {
  fieldsKnown ??= readAskedFields(
    concepts.map(({ names: [name = ""], kind }) => ({ name, format: formats[kind] ?? "text", description: "" })),
  );
  return fieldsKnown;
}
