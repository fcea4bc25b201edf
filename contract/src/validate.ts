/**
 * Validation: compiles a schema once, then returns the issues of any number of values. The messages
 * never repeat the input.
 */
import { createRequire } from "node:module";
import type { TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";
import type { Issue } from "./errors.ts";
import { textPattern, unstorableText } from "./formats.ts";
import { IssueList, isRecord } from "./issues.ts";
import { limits } from "./limits.ts";
import { type IssuesOf, issuesOf } from "./schema.ts";

/**
 * Returns at most `limits.maxIssues` issues of a value; none if the value is valid. Never throws.
 * Does not modify or coerce the value.
 */
export type Check = (value: unknown) => Issue[];

type Validator = ReturnType<typeof import("typebox/schema").Compile>;

let compileSchema: ((schema: TSchema) => Validator) | undefined;

/**
 * Loads the validator of TypeBox on first use, because loading its 240 modules would delay every
 * start. Blocks once for about a tenth of a second.
 */
function loadValidator(): (schema: TSchema) => Validator {
  const load = createRequire(import.meta.url);
  const { Settings } = load("typebox/system") as typeof import("typebox/system");
  // A union yields one error per branch. They are combined into one issue later.
  Settings.Set({ maxErrors: limits.maxIssues * 4 });
  return (load("typebox/schema") as typeof import("typebox/schema")).Compile;
}

/**
 * Returns a function that returns the validator of a schema. The schema is compiled on the first
 * call, because loading and compiling take milliseconds. Checking takes microseconds.
 */
function lazyValidator(schema: TSchema): () => Validator {
  let validator: Validator | undefined;
  return () => {
    compileSchema ??= loadValidator();
    validator ??= compileSchema(schema);
    return validator;
  };
}

/**
 * Returns the check of a schema, which is compiled on first use. Call once, at start-up.
 * @example
 * const check = compile(CreateAgentRequest);
 * check({ type: "EXTRACTOR" }); // [{ path: "/name", message: "is required" }]
 */
export function compile(schema: TSchema): Check {
  const compiled = lazyValidator(schema);
  const maxItems = maxItemsOfProperties(schema);
  const checksInCode = findChecksInCode(schema, []);
  return (value) => {
    const issues = new IssueList();
    const validator = compiled();
    if (!validator.Check(value)) {
      const [, errors] = validator.Errors(cutExcess(issues, value, maxItems));
      addSchemaIssues(issues, errors);
    }
    for (const { keys, run } of checksInCode) addCodeIssues(issues, value, keys, run);
    return issues.list;
  };
}

function maxItemsOfProperties(schema: TSchema): Map<string, number> {
  const { properties = {} } = schema as { properties?: Record<string, { maxItems?: number }> };
  const bounded = Object.entries(properties).filter(([, property]) => property.maxItems !== undefined);
  return new Map(bounded.map(([key, property]) => [key, property.maxItems ?? 0]));
}

/**
 * Truncates arrays to their maximum length before validation, because validation takes 4 µs per
 * element, even for excess elements.
 */
function cutExcess(issues: IssueList, value: unknown, maxItems: ReadonlyMap<string, number>): unknown {
  if (!isRecord(value)) return value;
  const cut = { ...value };
  for (const [key, max] of maxItems) {
    const items = cut[key];
    if (!Array.isArray(items) || items.length <= max) continue;
    issues.add(`/${key}`, tooManyItems(max));
    cut[key] = items.slice(0, max);
  }
  return cut;
}

const tooManyItems = (max: number) => `must have at most ${max} items`;

function addSchemaIssues(issues: IssueList, errors: readonly TLocalizedValidationError[]): void {
  const unions = errors.filter((error) => error.keyword === "anyOf");
  for (const error of errors) {
    if (unions.some((union) => error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`))) continue;
    const { instancePath } = error;
    if (error.keyword === "required")
      for (const key of error.params.requiredProperties) issues.add(`${instancePath}/${key}`, "is required");
    else if (error.keyword === "anyOf") issues.add(instancePath, unionMessage(error, errors));
    else issues.add(instancePath, messageOf(error));
  }
}

/**
 * Returns one message for a value that matches no branch of a union: the message of the branch
 * whose type fits the value. If no type fits, the message lists the accepted types.
 */
function unionMessage(union: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  const ofBranches = errors.filter(
    (error) => error.instancePath === union.instancePath && error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`),
  );
  const telling = ofBranches.find((error) => error.keyword !== "type" && error.keyword !== "anyOf");
  if (telling !== undefined) return messageOf(telling);
  const types = ofBranches.flatMap((error) => (error.keyword === "type" ? error.params.type : []));
  return types.length > 0 ? typeMessage(types) : "has the wrong form";
}

function messageOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case "type":
      return typeMessage([error.params.type].flat());
    case "enum":
      return `must be one of ${error.params.allowedValues.join(", ")}`;
    case "const":
      return `must be ${String(error.params.allowedValue)}`;
    case "minLength":
      return error.params.limit === 1 ? "must not be empty" : `must have at least ${error.params.limit} characters`;
    case "maxLength":
      return `must have at most ${error.params.limit} characters`;
    case "minItems":
      return error.params.limit === 1 ? "must not be empty" : `must have at least ${error.params.limit} items`;
    case "maxItems":
      return tooManyItems(error.params.limit);
    case "pattern":
      return error.params.pattern === textPattern ? unstorableText : "has the wrong form";
    case "format":
      return error.params.format === "uuid" ? "must be a UUID" : "has the wrong form";
    default:
      return "has the wrong form";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function typeMessage(types: readonly string[]): string {
  return `must be ${types.map((type) => typeNames[type] ?? type).join(" or ")}`;
}

interface CheckInCode {
  /** Location of the value: the keys from the root to the value. */
  keys: string[];
  run: IssuesOf;
}

function findChecksInCode(schema: TSchema, keys: string[]): CheckInCode[] {
  const own = issuesOf(schema);
  const { properties } = schema as { properties?: Record<string, TSchema> };
  const ofProperties = Object.entries(properties ?? {}).flatMap(([key, property]) =>
    findChecksInCode(property, [...keys, key]),
  );
  return own === undefined ? ofProperties : [{ keys, run: own }, ...ofProperties];
}

/**
 * Runs a check in code on the value at `keys`. Skips the check if the value is absent or violates
 * its schema.
 */
function addCodeIssues(issues: IssueList, root: unknown, keys: readonly string[], run: IssuesOf): void {
  const path = keys.map((key) => `/${key}`).join("");
  let value = root;
  for (const key of keys) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (value === undefined) return;
  if (issues.list.some((issue) => issue.path === path || issue.path.startsWith(`${path}/`))) return;
  issues.addAll(run(value, path));
}
