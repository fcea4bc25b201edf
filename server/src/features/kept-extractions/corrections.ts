/**
 * Corrections of a result: checks them against the fields, and applies them in order. The path of a
 * correction refers to the result after the previous corrections.
 */
import type { Issue } from "@sheaf/contract/errors.ts";
import type { ExtractedRecordJson, ExtractedValueJson } from "@sheaf/contract/extraction-result.ts";
import { isLongerThan, isStorableText } from "@sheaf/contract/formats.ts";
import { escapePointer, IssueList, isRecord } from "@sheaf/contract/issues.ts";
import type { CorrectionJson } from "@sheaf/contract/kept-extractions.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";

/** The result to correct. */
export interface Correctable {
  params: readonly ExtractionParam[];
  data: readonly ExtractedRecordJson[];
  pages: number;
}

export interface Corrected {
  data: ExtractedRecordJson[];
  /** Problems found in the corrections. A correction with a problem is not applied. */
  issues: Issue[];
}

/** Returns a copy of the result with the corrections applied. */
export function applyCorrections(
  { params, data, pages }: Correctable,
  corrections: readonly CorrectionJson[],
): Corrected {
  const corrected = structuredClone(data) as ExtractedRecordJson[];
  const issues = new IssueList();
  for (const [index, correction] of corrections.entries()) {
    const path = `/corrections/${index}`;
    const before = issues.list.length;
    checkMarks(issues, correction, pages, path);
    const target = targetOf(corrected, params, correction.path);
    if (target === undefined) issues.add(`${path}/path`, "does not refer to a value of the result");
    else if (issues.list.length === before) apply(issues, target, correction, path);
    if (issues.full) break;
  }
  return { data: corrected, issues: issues.list };
}

/** Target of a path: the value of a field, or a row of a list. */
type Target =
  | { kind: "value"; record: ExtractedRecordJson; param: ExtractionParam }
  | { kind: "row"; rows: ExtractedRecordJson[]; index: number; items: readonly ExtractionParam[] };

function targetOf(
  data: ExtractedRecordJson[],
  params: readonly ExtractionParam[],
  pointer: string,
): Target | undefined {
  const [root, first, ...rest] = pointer.split("/").map(unescapeSegment);
  const record = root === "" && first !== undefined ? data[indexIn(first) ?? -1] : undefined;
  return record && targetIn(record, params, rest);
}

function targetIn(
  record: ExtractedRecordJson,
  params: readonly ExtractionParam[],
  [name, index, ...rest]: readonly string[],
): Target | undefined {
  const param = params.find((each) => each.name === name);
  if (param === undefined) return undefined;
  if (index === undefined) return { kind: "value", record, param };
  const rows = record[param.name];
  const items = param.items ?? [];
  if (param.format !== "list" || !Array.isArray(rows)) return undefined;
  const at = index === "-" ? rows.length : indexIn(index);
  if (at === undefined || at > rows.length) return undefined;
  if (rest.length === 0) return { kind: "row", rows, index: at, items };
  const row = rows[at];
  return row && targetIn(row, items, rest);
}

const unescapeSegment = (text: string): string => text.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * Returns the index that a segment of a JSON Pointer denotes; undefined unless it consists of
 * digits without leading zeros.
 */
const indexIn = (text: string): number | undefined => (/^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined);

function apply(issues: IssueList, target: Target, correction: CorrectionJson, path: string): void {
  const { op = "set", value, confirmed } = correction;
  const before = issues.list.length;
  const isThere = target.kind === "value" || target.index < target.rows.length;
  if (op !== "set" && target.kind === "value") issues.add(`${path}/path`, "does not refer to a row of a list");
  else if (op !== "insert" && !isThere) issues.add(`${path}/path`, "does not refer to a row of the list");
  else if (op === "remove" && (value !== undefined || confirmed)) issues.add(path, "must have no value");
  else if (op === "insert" && confirmed) issues.add(path, "must have a value");
  else if (op !== "remove" && (value === undefined) === (confirmed === undefined))
    issues.add(path, "must have exactly one of value and confirmed");
  if (issues.list.length > before || confirmed) return;
  if (op === "remove") {
    if (target.kind === "row") target.rows.splice(target.index, 1);
  } else put(issues, target, op === "insert", value, `${path}/value`);
}

function put(issues: IssueList, target: Target, isNew: boolean, value: unknown, path: string): void {
  const before = issues.list.length;
  if (target.kind === "value") {
    const checked = checkedValue(issues, target.param, value, path);
    if (issues.list.length === before) target.record[target.param.name] = checked;
    return;
  }
  const row = rowOf(issues, target.items, value, path);
  if (issues.list.length === before) target.rows.splice(target.index, isNew ? 0 : 1, row);
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 10) === text;

/**
 * For each format, a function that returns what is wrong with a value that is not null. The
 * function returns undefined if the value has that format.
 */
const problemOf: Record<Exclude<ExtractionParam["format"], "list">, (value: unknown) => string | undefined> = {
  text: (value) => {
    if (typeof value !== "string") return "must be a string or null";
    if (isLongerThan(value, limits.correctedTextMaxLength))
      return `must have at most ${limits.correctedTextMaxLength} characters`;
    return isStorableText(value) ? undefined : "must not contain NUL or half of a surrogate pair";
  },
  number: (value) => (typeof value === "number" && Number.isFinite(value) ? undefined : "must be a number or null"),
  boolean: (value) => (typeof value === "boolean" ? undefined : "must be true, false or null"),
  date: (value) => (typeof value === "string" && isDate(value) ? undefined : "must be a date YYYY-MM-DD or null"),
};

/**
 * Returns the value in the format of its field. Adds an issue if the value does not fit the field.
 */
function checkedValue(issues: IssueList, param: ExtractionParam, value: unknown, path: string): ExtractedValueJson {
  if (param.format === "list") {
    if (Array.isArray(value))
      return value.map((row, index) => rowOf(issues, param.items ?? [], row, `${path}/${index}`));
    issues.add(path, "must be an array of rows");
    return [];
  }
  if (value === null) return null;
  issues.addProblem(path, problemOf[param.format](value));
  return value as ExtractedValueJson;
}

function rowOf(
  issues: IssueList,
  items: readonly ExtractionParam[],
  value: unknown,
  path: string,
): ExtractedRecordJson {
  const row: ExtractedRecordJson = {};
  if (!isRecord(value)) {
    issues.add(path, "must be an object");
    return row;
  }
  const names = new Set(items.map(({ name }) => name));
  if (Object.keys(value).some((key) => !names.has(key)))
    issues.add(path, "has a member that is not a field of the list");
  for (const item of items) {
    const given = Object.hasOwn(value, item.name) ? value[item.name] : undefined;
    const none = item.format === "list" ? [] : null;
    row[item.name] =
      given === undefined ? none : checkedValue(issues, item, given, `${path}/${escapePointer(item.name)}`);
  }
  return row;
}

/** Checks the page and the boxes that a person marked. */
function checkMarks(issues: IssueList, { page, boxes }: CorrectionJson, pages: number, path: string): void {
  if (page !== undefined && page > pages) issues.add(`${path}/page`, `must be a page of the document: 1 to ${pages}`);
  if (boxes !== undefined && page === undefined) issues.add(`${path}/page`, "is required with boxes");
  const isFlat = boxes?.some(([x0, y0, x1, y1]) => x1 < x0 || y1 < y0);
  if (isFlat) issues.add(`${path}/boxes`, "must have left before right and top above bottom");
}
