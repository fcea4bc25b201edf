/**
 * Model of a review: the values of an extraction after its corrections, with their evidence. All
 * functions are pure. The list of corrections is the only state.
 */
import type { FieldRules } from "@sheaf/client";
import { type Box, boxAt } from "../../document/geometry.ts";

export interface FieldParam {
  name: string;
  format: "text" | "number" | "boolean" | "date" | "list";
  description: string;
  items?: readonly FieldParam[];
  rules?: FieldRules;
}

export type Scalar = string | number | boolean | null;
export type ValueJson = Scalar | readonly RecordJson[];
export interface RecordJson {
  readonly [name: string]: ValueJson;
}

export interface EvidenceJson {
  page: number;
  boxes: readonly Box[];
  quote: string;
  match: "exact" | "normalized" | "inferred";
  confidence: number;
}
export interface EvidenceRecordJson {
  readonly [name: string]: EvidenceJson | null | readonly EvidenceRecordJson[];
}

/**
 * A correction in the form of the API. It sets or confirms the value at a JSON pointer, or inserts
 * or removes a row.
 */
export interface CorrectionJson {
  path: string;
  op?: "set" | "insert" | "remove";
  value?: ValueJson | RecordJson;
  confirmed?: true;
  reason?: string;
  page?: number;
  boxes?: readonly Box[];
}

/** The document from which the extractor learned to read a value. */
export interface LearnedFrom {
  filename: string;
  learned_at: string;
}

export interface ExtractionJson {
  params: readonly FieldParam[];
  data: readonly RecordJson[];
  evidence: readonly EvidenceRecordJson[];
  from_memory?: readonly (LearnedFrom & { path: string })[];
}

/** Position of a value in the document. */
export interface Marks {
  page: number;
  boxes: readonly Box[];
}

export type ValueState = "unchanged" | "corrected" | "confirmed" | "nulled";

export interface ValueNode {
  kind: "value";
  path: string;
  param: FieldParam;
  value: Scalar;
  /** The extracted value; undefined in a row that a user inserted. */
  original: Scalar | undefined;
  evidence: EvidenceJson | undefined;
  /** Set if the value would be different without what the extractor has learned. */
  learnedFrom?: LearnedFrom;
  /** The boxes of the evidence, or those that a user drew. */
  marks: Marks | undefined;
  state: ValueState;
  /** The reason that the user gave for the correction. */
  reason: string | undefined;
  isInList: boolean;
}

export interface ListNode {
  kind: "list";
  path: string;
  param: FieldParam;
  rows: RowNode[];
  /** Set if the rows would be different without what the extractor has learned. */
  learnedFrom?: LearnedFrom;
  /** True if a user has confirmed the whole list or changed its rows. */
  isChecked: boolean;
}

export type FieldNode = ValueNode | ListNode;

/** A row of a list, or a whole record. */
export interface RowNode {
  /** Key for rendering. It stays the same when rows before this one are inserted or removed. */
  key: string;
  path: string;
  fields: FieldNode[];
}

/**
 * Returns the records after applying the corrections in order. A correction whose path does not
 * exist is ignored.
 */
export function reviewOf(extraction: ExtractionJson, corrections: readonly CorrectionJson[]): RowNode[] {
  const records = extraction.data.map((record, index) =>
    rowNode(`${index}`, extraction.params, record, extraction.evidence[index], false),
  );
  for (const { path, ...from } of extraction.from_memory ?? []) {
    const target = targetOf(records, path);
    if (target?.kind === "field") markLearned(target.node, from);
  }
  corrections.forEach((correction, index) => {
    apply(records, correction, index);
  });
  setPaths(records, "");
  return records;
}

/** Marks a value as learned, or a list together with all its values. */
function markLearned(node: FieldNode, from: LearnedFrom): void {
  node.learnedFrom = from;
  if (node.kind === "list") for (const row of node.rows) for (const field of row.fields) markLearned(field, from);
}

function rowNode(
  key: string,
  params: readonly FieldParam[],
  record: RecordJson,
  evidence: EvidenceRecordJson | undefined,
  isInList: boolean,
): RowNode {
  const fields = params.map((param): FieldNode => {
    const value = record[param.name] ?? null;
    const found = evidence?.[param.name] ?? undefined;
    if (param.format !== "list") return valueNode(param, value as Scalar, found as EvidenceJson | undefined, isInList);
    const rows = (Array.isArray(value) ? value : []).map((row: RecordJson, index) =>
      rowNode(`${index}`, param.items ?? [], row, (found as readonly EvidenceRecordJson[] | undefined)?.[index], true),
    );
    return { kind: "list", path: "", param, rows, isChecked: false };
  });
  return { key, path: "", fields };
}

const valueNode = (
  param: FieldParam,
  value: Scalar,
  evidence: EvidenceJson | undefined,
  isInList: boolean,
): ValueNode => ({
  kind: "value",
  path: "",
  param,
  value,
  original: value,
  evidence,
  marks: evidence,
  state: "unchanged",
  reason: undefined,
  isInList,
});

/** Returns a row that a user has inserted. */
function enteredRow(key: string, params: readonly FieldParam[], record: RecordJson): RowNode {
  const row = rowNode(key, params, record, undefined, true);
  for (const node of valuesOf([row])) {
    node.original = undefined;
    if (node.value !== null) node.state = "corrected";
  }
  return row;
}

type Target =
  | { kind: "field"; node: FieldNode }
  | { kind: "row"; list: ListNode; index: number }
  | { kind: "record"; row: RowNode };

function targetOf(records: readonly RowNode[], path: string): Target | undefined {
  const [root, first, ...names] = path.split("/").map(unescapeSegment);
  let row = root === "" ? records[Number(first)] : undefined;
  if (names.length === 0) return row && { kind: "record", row };
  for (let at = 0; row !== undefined; at += 2) {
    const [name, index] = [names[at], names[at + 1]];
    const node: FieldNode | undefined = row.fields.find(({ param }) => param.name === name);
    if (node === undefined) return undefined;
    if (index === undefined) return { kind: "field", node };
    if (node.kind !== "list") return undefined;
    const position = index === "-" ? node.rows.length : Number(index);
    if (!(position >= 0 && position <= node.rows.length)) return undefined;
    if (names.length === at + 2) return { kind: "row", list: node, index: position };
    row = node.rows[position];
  }
  return undefined;
}

/** @param number index of the correction; the keys of inserted rows are derived from it */
function apply(records: readonly RowNode[], correction: CorrectionJson, number: number): void {
  const target = targetOf(records, correction.path);
  if (target === undefined) return;
  const { op = "set", value } = correction;
  const enter = (list: ListNode, row: ValueJson | RecordJson | undefined, index: number) =>
    enteredRow(`${number}.${index} new`, list.param.items ?? [], (row ?? {}) as RecordJson);
  if (correction.confirmed) {
    if (target.kind === "field") confirm(target.node);
    else
      for (const node of (target.kind === "row" ? target.list.rows[target.index] : target.row)?.fields ?? [])
        confirm(node);
  } else if (target.kind === "row") {
    const { list, index } = target;
    list.isChecked = true;
    if (op === "remove") list.rows.splice(index, 1);
    else list.rows.splice(index, op === "insert" ? 0 : 1, enter(list, value, 0));
  } else if (target.kind === "field" && target.node.kind === "list") {
    const list = target.node;
    list.isChecked = true;
    list.rows = (Array.isArray(value) ? value : []).map((row: RecordJson, index) => enter(list, row, index));
  } else if (target.kind === "field" && target.node.kind === "value") set(target.node, correction);
}

function set(node: ValueNode, { value, reason, page, boxes }: CorrectionJson): void {
  node.value = value as Scalar;
  node.reason = reason;
  if (page !== undefined && boxes !== undefined) node.marks = { page, boxes };
  else node.marks = node.value === null ? undefined : node.evidence;
  if (node.value === node.original) node.state = "confirmed";
  else node.state = node.value === null ? "nulled" : "corrected";
}

function confirm(node: FieldNode): void {
  if (node.kind === "value") {
    if (node.state === "unchanged") node.state = "confirmed";
    return;
  }
  node.isChecked = true;
  for (const row of node.rows) for (const field of row.fields) confirm(field);
}

function setPaths(rows: readonly RowNode[], parent: string): void {
  rows.forEach((row, index) => {
    row.path = `${parent}/${index}`;
    for (const node of row.fields) {
      node.path = `${row.path}/${escapeSegment(node.param.name)}`;
      if (node.kind === "list") setPaths(node.rows, node.path);
    }
  });
}

const escapeSegment = (text: string) => text.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeSegment = (text: string) => text.replaceAll("~1", "/").replaceAll("~0", "~");

/** Yields all values, including those in rows. */
export function* valuesOf(rows: readonly RowNode[]): Generator<ValueNode> {
  for (const row of rows)
    for (const node of row.fields) {
      if (node.kind === "value") yield node;
      else yield* valuesOf(node.rows);
    }
}

/** Returns the field at a path; undefined if there is none. */
export function fieldAt(records: readonly RowNode[], path: string | undefined): FieldNode | undefined {
  const target = path === undefined ? undefined : targetOf(records, path);
  return target?.kind === "field" ? target.node : undefined;
}

/**
 * Returns the row at a path, or the row that contains the path, together with its list. Returns
 * undefined if the path is not in a list.
 */
export function rowAt(
  records: readonly RowNode[],
  path: string | undefined,
): { list: ListNode; index: number } | undefined {
  const parts = path?.split("/") ?? [];
  // A path is "", record, name, index, name, index … The path of the row ends with the last index.
  const length = parts.length - (parts.length % 2 === 0 ? 0 : 1);
  if (length < 4) return undefined;
  const target = targetOf(records, parts.slice(0, length).join("/"));
  return target?.kind === "row" ? target : undefined;
}

/**
 * Returns the value of a word: the one with the smallest box that contains the centre of the word.
 */
export function valueOfWord(records: readonly RowNode[], page: number, word: Box): ValueNode | undefined {
  const candidates = valuesOf(records)
    .flatMap((node) => (node.marks?.page === page ? node.marks.boxes.map((box) => ({ node, box })) : []))
    .toArray();
  const center = { x: (word[0] + word[2]) / 2, y: (word[1] + word[3]) / 2 };
  const at = boxAt(
    candidates.map(({ box }) => box),
    center,
  );
  return at === undefined ? undefined : candidates[at]?.node;
}

/** Returns the values as plain data. */
export const dataOf = (rows: readonly RowNode[]): RecordJson[] =>
  rows.map(({ fields }) =>
    Object.fromEntries(
      fields.map((node) => [node.param.name, node.kind === "value" ? node.value : dataOf(node.rows)] as const),
    ),
  );
