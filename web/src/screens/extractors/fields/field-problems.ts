/** Problems with fields: those found before sending, and those that the service reports. */
import { type FieldNode, type FieldTree, fieldLimits } from "./field-tree.ts";

export type FieldProblem =
  | { kind: "name_missing" | "name_taken" | "name_forbidden" | "name_too_long" | "description_too_long" }
  | { kind: "list_empty" | "too_deep" }
  /** Message of the service, always in English. */
  | { kind: "refused"; message: string };

/** The part of a field's row that shows the problem. */
export type FieldPart = "name" | "format" | "description" | "items";

export interface FieldProblems {
  /** Problems of each field, by field id. */
  readonly byField: ReadonlyMap<string, Partial<Record<FieldPart, FieldProblem>>>;
  /** Problems that concern the fields as a whole. */
  readonly general: readonly ("too_many" | FieldProblem)[];
}

const length = (text: string) => [...text].length;

/** Returns the problems that would make the service refuse the fields. */
export function problemsOf(tree: FieldTree): FieldProblems {
  const byField = new Map<string, Partial<Record<FieldPart, FieldProblem>>>();
  let seen = 0;
  const check = (nodes: FieldTree, depth: number) => {
    const names = new Set<string>();
    for (const node of nodes) {
      seen++;
      const problems = problemsOfField(node, names, depth);
      names.add(node.name);
      if (Object.keys(problems).length > 0) byField.set(node.id, problems);
      if (node.format === "list") check(node.items, depth + 1);
    }
  };
  check(tree, 1);
  return { byField, general: seen > fieldLimits.fields ? ["too_many"] : [] };
}

function problemsOfField(node: FieldNode, names: ReadonlySet<string>, depth: number) {
  const problems: Partial<Record<FieldPart, FieldProblem>> = {};
  const { name, description, format, items } = node;
  if (name === "") problems.name = { kind: "name_missing" };
  else if (name === "__proto__") problems.name = { kind: "name_forbidden" };
  else if (length(name) > fieldLimits.nameLength) problems.name = { kind: "name_too_long" };
  else if (names.has(name)) problems.name = { kind: "name_taken" };
  if (length(description) > fieldLimits.descriptionLength) problems.description = { kind: "description_too_long" };
  if (format === "list" && depth >= fieldLimits.levels) problems.format = { kind: "too_deep" };
  else if (format === "list" && items.length === 0) problems.items = { kind: "list_empty" };
  return problems;
}

export const hasProblems = ({ byField, general }: FieldProblems): boolean => byField.size > 0 || general.length > 0;

interface Issue {
  path: string;
  message: string;
}

/**
 * Maps the issues in the service's response to the fields that cause them. The paths of the issues
 * are JSON pointers into the request.
 */
export function problemsOfIssues(tree: FieldTree, issues: readonly Issue[]): FieldProblems {
  const byField = new Map<string, Partial<Record<FieldPart, FieldProblem>>>();
  const general: FieldProblem[] = [];
  for (const { path, message } of issues) {
    const problem: FieldProblem = { kind: "refused", message };
    const place = placeOf(tree, path);
    if (place === undefined) general.push({ kind: "refused", message: `${path} ${message}` });
    else byField.set(place.id, { ...byField.get(place.id), [place.part]: problem });
  }
  return { byField, general };
}

const prefix = "/configuration/params/";

function placeOf(tree: FieldTree, path: string): { id: string; part: FieldPart } | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const steps = path.slice(prefix.length).split("/");
  let nodes: FieldTree = tree;
  let node: FieldNode | undefined;
  for (let at = 0; at < steps.length; at++) {
    node = nodes[Number(steps[at])];
    if (node === undefined) return undefined;
    const part = steps[at + 1];
    if (part !== "items" || at + 2 >= steps.length) return { id: node.id, part: partOf(part) };
    nodes = node.items;
    at++;
  }
  return undefined;
}

const partOf = (step: string | undefined): FieldPart =>
  step === "format" || step === "description" || step === "items" ? step : "name";
