/**
 * Parses the attributes of a group as an identity provider sends them. Ignores attributes that are
 * not stored.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { isId } from "../../lib/ids.ts";
import { attributesOf, type Change, isResource, type Resource } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";
import { optionalText, requiredText } from "./user-attributes.ts";

export interface GroupAttributes {
  displayName: string;
  externalId: string | null;
  /** Ids of members, in lower case. */
  members: Set<string>;
}

/** Attributes that only this service sets. */
const readOnly = new Set(["id", "meta", "schemas"]);

/**
 * Returns the attributes of a complete group, as contained in the body of a POST or PUT request.
 * @throws ScimError
 */
export function groupAttributes(resource: Resource): GroupAttributes {
  const attributes: GroupAttributes = { displayName: "", externalId: null, members: new Set() };
  for (const [path, value] of attributesOf(resource))
    apply(attributes, { op: "replace", path, value, isExplicit: false }, { named: 0 });
  if (attributes.displayName === "") throw invalidValue("displayName is required.");
  return attributes;
}

/**
 * Applies the changes of a PATCH to the attributes, and returns the result.
 * @throws ScimError
 */
export function patchedGroup(current: GroupAttributes, changes: readonly Change[]): GroupAttributes {
  const attributes = { ...current, members: new Set(current.members) };
  const counter = { named: 0 };
  for (const change of changes) apply(attributes, change, counter);
  return attributes;
}

/** @param counter counts the members that the request has named so far */
function apply(attributes: GroupAttributes, change: Change, counter: { named: number }): void {
  const { op, path, isExplicit } = change;
  const value = op === "remove" ? null : change.value;
  if (path.attribute === "members") applyMembers(attributes, change, counter);
  else if (path.attribute === "displayname") attributes.displayName = requiredText("displayName", value);
  else if (path.attribute === "externalid") attributes.externalId = optionalText("externalId", value);
  else if (readOnly.has(path.attribute) && isExplicit)
    throw new ScimError(400, `${path.attribute} cannot be changed.`, "mutability");
}

function applyMembers(attributes: GroupAttributes, { op, path, value }: Change, counter: { named: number }): void {
  const { members } = attributes;
  if (path.filter !== undefined) {
    // Only `remove` operations may select members with a filter: members[value eq "id"].
    const { attribute, value: id } = path.filter;
    if (op !== "remove" || attribute !== "value" || typeof id !== "string" || path.sub !== undefined)
      throw new ScimError(400, 'Members can be selected only to remove them: members[value eq "id"].', "invalidPath");
    members.delete(id.toLowerCase());
    return;
  }
  if (path.sub !== undefined) throw new ScimError(400, "Members are added and removed as a whole.", "invalidPath");
  const isEmpty = value === undefined || value === null;
  // Without a value, all members are removed. Entra ID sends the members to remove as the value.
  if (op === "remove" && isEmpty) members.clear();
  const ids = isEmpty ? [] : idsOf(value, counter);
  if (op === "replace") members.clear();
  for (const id of ids)
    if (op === "remove") members.delete(id);
    else members.add(id);
}

function idsOf(value: unknown, counter: { named: number }): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  counter.named += entries.length;
  if (counter.named > limits.maxScimMembers)
    throw new ScimError(400, `A request names at most ${limits.maxScimMembers} members.`, "tooMany");
  return entries.map((entry) => {
    const id = isResource(entry) ? entry.value : entry;
    if (typeof id === "string" && isId(id)) return id.toLowerCase();
    throw invalidValue("Each member must be an object with the id of a user as its value.");
  });
}
