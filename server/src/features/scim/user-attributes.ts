/**
 * Parses the attributes of a user as an identity provider sends them. Ignores attributes that are
 * not stored.
 */
import { textProblem } from "@sheaf/contract/formats.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { plainAddress } from "../identity/users.service.ts";
import type { AttributePath } from "./filter.ts";
import { attributesOf, type Change, isResource, memberOf, type Resource } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

export interface UserAttributes {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  formattedName: string | null;
  givenName: string | null;
  familyName: string | null;
  /** Email address in lower case; undefined if the request does not set it. */
  email: string | undefined;
  /** Undefined if the request does not set it, so that omitting it never restores access. */
  active: boolean | undefined;
}

/** Stored text attributes, by their SCIM name in lower case. */
const texts: Record<string, "externalId" | "displayName"> = { externalid: "externalId", displayname: "displayName" };
const nameParts: Record<string, "formattedName" | "givenName" | "familyName"> = {
  formatted: "formattedName",
  givenname: "givenName",
  familyname: "familyName",
};
/** Attributes that only this service sets. */
const readOnly = new Set(["id", "meta", "groups", "schemas"]);

const none: UserAttributes = {
  userName: "",
  externalId: null,
  displayName: null,
  formattedName: null,
  givenName: null,
  familyName: null,
  email: undefined,
  active: undefined,
};

/**
 * Returns the attributes of a complete user, as contained in the body of a POST or PUT request.
 * @throws ScimError
 */
export function userAttributes(resource: Resource): UserAttributes {
  const attributes = { ...none };
  for (const [path, value] of attributesOf(resource))
    apply(attributes, { op: "replace", path, value, isExplicit: false });
  if (attributes.userName === "") throw invalidValue("userName is required.");
  return attributes;
}

/**
 * Applies the changes of a PATCH to the attributes, and returns the result.
 * @throws ScimError
 */
export function patchedUser(current: UserAttributes, changes: readonly Change[]): UserAttributes {
  const attributes = { ...current };
  for (const change of changes) apply(attributes, change);
  return attributes;
}

function apply(attributes: UserAttributes, change: Change): void {
  const { op, path, isExplicit } = change;
  const value = op === "remove" ? null : change.value;
  const { attribute } = path;
  const text = Object.hasOwn(texts, attribute) ? texts[attribute] : undefined;
  if (text !== undefined) attributes[text] = optionalText(attribute, value);
  else if (attribute === "username") attributes.userName = requiredText("userName", value);
  else if (attribute === "name") applyName(attributes, path, value);
  else if (attribute === "emails") attributes.email = emailOf(path, value) ?? attributes.email;
  else if (attribute === "active") attributes.active = flagOf(value);
  else if (readOnly.has(attribute) && isExplicit)
    throw new ScimError(400, `${attribute} cannot be changed.`, "mutability");
}

function applyName(attributes: UserAttributes, { sub }: AttributePath, value: unknown): void {
  if (sub !== undefined) {
    const part = Object.hasOwn(nameParts, sub) ? nameParts[sub] : undefined;
    if (part !== undefined) attributes[part] = optionalText(`name.${sub}`, value);
    return;
  }
  if (value !== null && !isResource(value)) throw invalidValue("name must be an object.");
  for (const [key, part] of Object.entries(nameParts)) {
    const given = value === null ? null : memberOf(value, key);
    if (given !== undefined) attributes[part] = optionalText(`name.${key}`, given);
  }
}

/**
 * Returns the address to use: the primary address, or else the address of type `work`, or else the
 * first one. Returns undefined if the value contains no address.
 */
function emailOf({ filter, sub }: AttributePath, value: unknown): string | undefined {
  const isOther = filter?.attribute === "type" && !isWork(filter.value);
  if (isOther || value === null || (sub !== undefined && sub !== "value")) return undefined;
  const emails = (Array.isArray(value) ? value : [value]).filter((each) => !isResource(each) || "value" in each);
  const chosen =
    emails.find((each) => isResource(each) && each.primary === true) ??
    emails.find((each) => isResource(each) && isWork(each.type)) ??
    emails[0];
  const text = isResource(chosen) ? chosen.value : chosen;
  if (text === undefined || text === null || text === "") return undefined;
  return addressOf(text) ?? refuseAddress(text);
}

const isWork = (type: unknown): boolean => typeof type === "string" && type.toLowerCase() === "work";

/** Returns the email address in lower case; undefined if the value is not an email address. */
export const addressOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.length <= limits.emailMaxLength ? plainAddress(value.trim()) : undefined;

function refuseAddress(value: unknown): never {
  throw invalidValue(`${typeof value === "string" ? value.slice(0, 100) : "The value"} is not an email address.`);
}

/** Entra ID sends booleans as the texts "True" and "False". */
function flagOf(value: unknown): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : value;
  if (text === true || text === "true") return true;
  if (text === false || text === "false") return false;
  throw invalidValue("active must be true or false.");
}

/**
 * Returns the value as text without surrounding white space, which must not be empty.
 * @throws ScimError `invalidValue`
 */
export function requiredText(name: string, value: unknown): string {
  const problem = textProblem(value ?? undefined, limits.scimTextMaxLength);
  if (problem !== undefined) throw invalidValue(`${name} ${problem}.`);
  const text = (value as string).trim();
  if (text === "") throw invalidValue(`${name} is required.`);
  return text;
}

/**
 * Returns the value as text; null if it is null or empty.
 * @throws ScimError `invalidValue`
 */
export function optionalText(name: string, value: unknown): string | null {
  if (value === null || value === "") return null;
  const problem = textProblem(value, limits.scimTextMaxLength);
  if (problem !== undefined) throw invalidValue(`${name} ${problem}.`);
  return value as string;
}
