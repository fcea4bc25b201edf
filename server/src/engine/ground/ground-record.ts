/** Grounds the structured answer of a model: finds its values in the Document. */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Evidence, EvidenceRecord, EvidenceValue, LeafValue, Value, ValueRecord } from "../engine.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { define } from "../values/define-member.ts";
import { alignRows } from "./align-rows.ts";
import { checkFields } from "./field-checks.ts";
import { type Grounded, groundLeaf } from "./ground-value.ts";
import type { Ground } from "./open-ground.ts";
import { isNothing } from "./value-in-quote.ts";

/** Reason why a value of the model was rejected. */
export type RejectionReason =
  /** The value does not have the requested format. */
  | "malformed"
  /** The value has no quote. */
  | "no_quote"
  | "quote_not_found"
  /** The quote was found but does not contain the value. */
  | "value_not_in_quote"
  /** The value is not on the same row as the other values of its list element. */
  | "other_row"
  /**
   * The value does not have the form of the field, or its line is an instruction or disguised text
   * instead of content of the document.
   */
  | "not_a_value"
  /**
   * The label beside the value belongs to another field, or several fields have the value at this
   * position. The value may be kept with low confidence.
   */
  | "other_field";

export interface Rejection {
  /**
   * Path to the value: field names from the outermost to the innermost. The index of a list element
   * follows the name of the list.
   */
  path: (string | number)[];
  reason: RejectionReason;
}

export interface GroundedRecord {
  data: ValueRecord;
  evidence: EvidenceRecord;
  rejected: Rejection[];
}

/** Grounds the answer of a model in the document. Does not throw, whatever the model returns. */
export function groundRecord(params: readonly ExtractionParam[], answer: unknown, ground: Ground): GroundedRecord {
  const rejected: Rejection[] = [];
  const record = isObject(answer) ? answer : {};
  if (!isObject(answer)) rejected.push({ path: [], reason: "malformed" });
  return { ...groundFields(readAskedFields(params), record, ground, [], rejected), rejected };
}

function groundFields(
  queries: readonly AskedField[],
  answer: Readonly<Record<string, unknown>>,
  ground: Ground,
  path: Rejection["path"],
  rejected: Rejection[],
): { data: ValueRecord; evidence: EvidenceRecord } {
  const data: ValueRecord = {};
  const evidence: EvidenceRecord = {};
  const saidOf = ({ name }: AskedField) => (Object.hasOwn(answer, name) ? answer[name] : null);
  const leaves = queries.filter(({ format }) => format !== "list");
  const checked = checkFields(
    leaves.map((query) => ({
      query,
      choices: choicesOf(query, saidOf(query), ground, [...path, query.name], rejected),
    })),
    ground,
  );
  for (const query of queries) {
    const own = [...path, query.name];
    const field = checked[leaves.indexOf(query)];
    if (field?.reason) rejected.push({ path: own, reason: field.reason });
    const found =
      query.format === "list" ? groundList(query, saidOf(query), ground, own, rejected) : asLeaf(field?.choice, ground);
    define(data, query.name, found.value);
    define(evidence, query.name, found.evidence);
  }
  return { data, evidence };
}

/**
 * Returns the possible positions of a field's value, best first. Returns an empty array if there is
 * no value, or if the value was rejected.
 */
function choicesOf(
  query: AskedField,
  said: unknown,
  ground: Ground,
  path: Rejection["path"],
  rejected: Rejection[],
): Grounded[] {
  if (said === null || said === undefined) return [];
  if (!isObject(said)) {
    rejected.push({ path, reason: "malformed" });
    return [];
  }
  if (isNothing(said.value)) return [];
  const found = groundLeaf(query, said, ground);
  if (Array.isArray(found)) return found;
  rejected.push({ path, reason: found });
  return [];
}

function asLeaf(choice: Grounded | undefined, ground: Ground): { value: LeafValue; evidence: Evidence | null } {
  const page = choice && ground.index.pages[choice.page]?.page;
  if (!choice || !page) return { value: null, evidence: null };
  const evidence = makeEvidence(page, choice.words, choice.value, choice.confidence, choice.match === "inferred");
  return evidence ? { value: choice.value, evidence } : { value: null, evidence: null };
}

interface Element {
  path: Rejection["path"];
  said: Readonly<Record<string, unknown>>;
  leaves: Map<string, Grounded[]>;
}

function groundList(
  query: AskedField,
  said: unknown,
  ground: Ground,
  path: Rejection["path"],
  rejected: Rejection[],
): { value: Value; evidence: EvidenceValue } {
  if (said !== null && said !== undefined && !Array.isArray(said)) rejected.push({ path, reason: "malformed" });
  const leaves = query.items.filter((item) => item.format !== "list");
  const elements = (Array.isArray(said) ? said : []).flatMap((element: unknown, at): Element[] => {
    const own = [...path, at];
    if (!isObject(element)) {
      rejected.push({ path: own, reason: "malformed" });
      return [];
    }
    const found = leaves.map((item): [string, Grounded[]] => {
      const leaf = Object.hasOwn(element, item.name) ? element[item.name] : null;
      return [item.name, choicesOf(item, leaf, ground, [...own, item.name], rejected)];
    });
    return [{ path: own, said: element, leaves: new Map(found.filter(([, choices]) => choices.length > 0)) }];
  });
  const aligned = alignRows(
    elements.map((element) => element.leaves),
    ground.index,
  );
  const value: ValueRecord[] = [];
  const evidence: EvidenceRecord[] = [];
  const seen = new Set<string>();
  for (const [at, element] of elements.entries()) {
    const row = aligned[at];
    for (const name of row?.rejected ?? []) rejected.push({ path: [...element.path, name], reason: "other_row" });
    const data: ValueRecord = {};
    const shown: EvidenceRecord = {};
    let filled = false;
    for (const item of query.items) {
      const inner = Object.hasOwn(element.said, item.name) ? element.said[item.name] : null;
      const found =
        item.format === "list"
          ? groundList(item, inner, ground, [...element.path, item.name], rejected)
          : asLeaf(row?.chosen.get(item.name), ground);
      define(data, item.name, found.value);
      define(shown, item.name, found.evidence);
      filled ||= Array.isArray(found.value) ? found.value.length > 0 : found.value !== null;
    }
    const key = JSON.stringify(shown);
    if (!filled || seen.has(key)) continue;
    seen.add(key);
    value.push(data);
    evidence.push(shown);
  }
  return { value, evidence };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
