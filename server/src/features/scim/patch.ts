/**
 * Parses the operations of a PATCH (RFC 7644, section 3.5.2), in the variants that Okta and Entra
 * ID send.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { type AttributePath, parsePath, plainName } from "./filter.ts";
import { ScimError } from "./scim-error.ts";

export type Resource = Record<string, unknown>;

/** One change of one attribute. */
export interface Change {
  op: "add" | "replace" | "remove";
  path: AttributePath;
  /** Undefined if the operation has no value. */
  value: unknown;
  /** True if the operation names the attribute in its path, instead of in its value. */
  isExplicit: boolean;
}

const malformed = (detail: string) => new ScimError(400, detail, "invalidSyntax");

/**
 * Returns the changes of a PATCH in order. An operation without a path changes each attribute that
 * its value contains. Attributes of other schemas are left out.
 * @throws ScimError
 */
export function changesOf(body: Resource): Change[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations)) throw malformed("Operations must be an array.");
  if (operations.length > limits.maxScimOperations)
    throw new ScimError(400, `A PATCH has at most ${limits.maxScimOperations} operations.`, "tooMany");
  return operations.flatMap((operation) => {
    if (!isResource(operation)) throw malformed("Each operation must be an object.");
    const op = opOf(memberOf(operation, "op"));
    const [path, value] = [memberOf(operation, "path"), memberOf(operation, "value")];
    if (path === undefined || path === null) return withoutPath(op, value);
    if (typeof path !== "string") throw new ScimError(400, "The path must be a string.", "invalidPath");
    if (op !== "remove" && value === undefined) throw malformed(`The operation ${op} needs a value.`);
    const parsed = parsePath(path);
    return parsed === undefined ? [] : [{ op, path: parsed, value, isExplicit: true }];
  });
}

function withoutPath(op: Change["op"], value: unknown): Change[] {
  if (op === "remove") throw new ScimError(400, "The operation remove needs a path.", "invalidPath");
  if (!isResource(value)) throw malformed("The value of an operation without a path must be an object.");
  return attributesOf(value).map(([path, each]) => ({ op, path, value: each, isExplicit: false }));
}

/** Returns the attributes of a resource. Attributes of other schemas are left out. */
export function attributesOf(resource: Resource): [AttributePath, unknown][] {
  return Object.entries(resource).flatMap(([name, value]) => {
    // A key may be a path, as in { "name.givenName": "Ada" }. Otherwise it is a name, whose length
    // is not limited.
    const plain = plainName(name);
    if (plain === undefined) return [];
    const [attribute = "", sub, ...more] = plain.split(".");
    if (more.length > 0) return [];
    return [[{ attribute, ...(sub !== undefined && { sub }) }, value]];
  });
}

/** Returns a member of an object by its name, without regard to case. */
export function memberOf(resource: Resource, name: string): unknown {
  const key = Object.keys(resource).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : resource[key];
}

export const isResource = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function opOf(op: unknown): Change["op"] {
  const lower = typeof op === "string" ? op.toLowerCase() : undefined;
  if (lower === "add" || lower === "replace" || lower === "remove") return lower;
  throw malformed("op must be add, replace or remove.");
}
