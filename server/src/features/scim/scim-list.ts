/**
 * Parses the queries of SCIM lists, and selects the resources and attributes that a response
 * contains.
 */
import { isStorableText } from "@sheaf/contract/formats.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { type Comparison, parseFilter, plainName } from "./filter.ts";
import type { Resource } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

/** Query of a request, as received. A repeated parameter is an array. */
export type ScimQuery = Record<string, string | string[] | undefined>;

export interface ListRequest {
  filter: (Comparison & { value: string }) | undefined;
  /** Index of the first resource, counted from 1. */
  startIndex: number;
  count: number;
}

/** Maximum start index of a list. The databases accept an offset of this size. */
const maxStartIndex = 1_000_000_000;

/**
 * @param isFilterable whether a filter may compare the attribute
 * @throws ScimError
 */
export function listRequest(query: ScimQuery, isFilterable: (attribute: string) => boolean): ListRequest {
  const text = single(query, "filter");
  return {
    filter: text === undefined ? undefined : filterOf(text, isFilterable),
    startIndex: Math.min(Math.max(numberOf(query, "startIndex") ?? 1, 1), maxStartIndex),
    count: Math.min(Math.max(numberOf(query, "count") ?? limits.scimPageSize, 0), limits.scimPageSize),
  };
}

function filterOf(text: string, isFilterable: (attribute: string) => boolean): Comparison & { value: string } {
  const { attribute, value } = parseFilter(text);
  if (typeof value !== "string" || !isFilterable(attribute) || !isStorableText(value))
    throw new ScimError(400, "Resources cannot be filtered by this attribute and value.", "invalidFilter");
  return { attribute, value };
}

function numberOf(query: ScimQuery, name: string): number | undefined {
  const text = single(query, name);
  if (text === undefined || /^-?\d{1,15}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw invalidValue(`${name} must be a whole number.`);
}

function single(query: ScimQuery, name: string): string | undefined {
  const value = query[name];
  if (typeof value !== "object") return value;
  throw invalidValue(`${name} must occur only once.`);
}

/**
 * Shortens a page of users or groups, to bound the memory that a list takes. Keeps the first rows
 * that together have at most `limits.scimPageMembers` members or groups, but at least one row. SCIM
 * allows a page to be shorter than requested.
 * @param counts number of members of each group, or of groups of each user, by id
 */
export function fitting<T extends { id: string }>(rows: readonly T[], counts: ReadonlyMap<string, number>): T[] {
  let total = 0;
  return rows.filter(({ id }, index) => {
    total += counts.get(id) ?? 0;
    return index === 0 || total <= limits.scimPageMembers;
  });
}

export const listResponse = (
  resources: readonly Resource[],
  { totalResults, startIndex }: { totalResults: number; startIndex: number },
): Resource => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/**
 * Returns a function that reduces resources to the attributes that the query asks for. If the query
 * asks for a sub-attribute, the whole attribute is kept. Call `attributeSelector` before changing
 * any data, because it throws if the query is invalid.
 * @throws ScimError
 */
export function attributeSelector(query: ScimQuery): (resource: Resource) => Resource {
  const [wanted, excluded] = [namesIn(query, "attributes"), namesIn(query, "excludedAttributes")];
  const isShown = (name: string) => {
    const lower = name.toLowerCase();
    if (lower === "id" || lower === "schemas") return true;
    return wanted === undefined ? !excluded?.has(lower) : wanted.has(lower);
  };
  return (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name)));
}

function namesIn(query: ScimQuery, name: string): ReadonlySet<string> | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  if (text.length > limits.scimFilterMaxLength)
    throw invalidValue(`${name} has at most ${limits.scimFilterMaxLength} characters.`);
  return new Set(text.split(",").map((each) => plainName(each)?.split(".")[0] ?? ""));
}
