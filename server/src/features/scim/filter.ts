/**
 * Parses SCIM filters and paths in linear time. A filter must be a single comparison with `eq`,
 * which is all that identity providers send.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { ScimError, type ScimType } from "./scim-error.ts";

export interface Comparison {
  /** Name of the attribute in lower case, such as `emails.value`. */
  attribute: string;
  value: string | boolean;
}

/** Target of a PATCH operation. */
export interface AttributePath {
  /** Name of the attribute in lower case. */
  attribute: string;
  /** Selects values of a multi-valued attribute. */
  filter?: Comparison;
  /** Name of the sub-attribute in lower case. */
  sub?: string;
}

const ownSchemas = ["user", "group"].map((name) => `urn:ietf:params:scim:schemas:core:2.0:${name}:`);
const isName = /^[a-z$][\w$-]*$/;

/**
 * @example
 * parseFilter('userName eq "ada@example.com"') // { attribute: "username", value: "ada@example.com" }
 * @throws ScimError `invalidFilter`
 */
export const parseFilter = (text: string): Comparison => parseComparison(text, "invalidFilter");

function parseComparison(text: string, scimType: ScimType): Comparison {
  const refuse = () => new ScimError(400, 'The filter must be one comparison: attribute eq "value".', scimType);
  if (text.length > limits.scimFilterMaxLength)
    throw new ScimError(400, `A filter has at most ${limits.scimFilterMaxLength} characters.`, scimType);
  const [name = "", rest] = cut(text);
  const [operator, operand] = cut(rest);
  const attribute = plainName(name) ?? "";
  if (!attribute.split(".").every((part) => isName.test(part)) || operator.toLowerCase() !== "eq") throw refuse();
  const value = parseValue(operand);
  if (typeof value !== "string" && typeof value !== "boolean") throw refuse();
  return { attribute, value };
}

/** Cuts text at its first space. */
function cut(text: string): [head: string, rest: string] {
  const trimmed = text.trim();
  const at = trimmed.indexOf(" ");
  return at === -1 ? [trimmed, ""] : [trimmed.slice(0, at), trimmed.slice(at + 1)];
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the path of a PATCH operation. Returns undefined if the attribute belongs to a schema that
 * this service does not support, such as the schema of enterprise users.
 * @example
 * parsePath('members[value eq "42"]') // { attribute: "members", filter: { attribute: "value", value: "42" } }
 * parsePath("name.givenName") // { attribute: "name", sub: "givenname" }
 * @throws ScimError `invalidPath`
 */
export function parsePath(text: string): AttributePath | undefined {
  if (text.length > limits.scimFilterMaxLength)
    throw new ScimError(400, `A path has at most ${limits.scimFilterMaxLength} characters.`, "invalidPath");
  const open = text.indexOf("[");
  const close = text.lastIndexOf("]");
  const isFiltered = open !== -1 && close > open;
  const named = plainName(isFiltered ? text.slice(0, open) + text.slice(close + 1) : text);
  if (named === undefined) return undefined;
  const [attribute = "", sub, ...more] = named.split(".");
  const names = sub === undefined ? [attribute] : [attribute, sub];
  if (more.length > 0 || !names.every((name) => isName.test(name)))
    throw new ScimError(400, `${text} is not a path.`, "invalidPath");
  return {
    attribute,
    ...(isFiltered && { filter: parseComparison(text.slice(open + 1, close), "invalidPath") }),
    ...(sub !== undefined && { sub }),
  };
}

/**
 * Returns the name of an attribute in lower case, without the schema prefix of users or groups;
 * undefined for an attribute of another schema.
 */
export function plainName(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  const schema = ownSchemas.find((each) => lower.startsWith(each));
  if (schema !== undefined) return lower.slice(schema.length);
  return lower.startsWith("urn:") ? undefined : lower;
}
