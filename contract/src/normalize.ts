/**
 * Normalizes a request body before validation: removes `null` for optional members and converts
 * UUIDs to lower case.
 */
import type { TSchema } from "typebox";
import { isRecord } from "./issues.ts";
import { shapeOf } from "./schema.ts";

interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

type Definitions = Record<string, Schema>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a UUID in lower case, as ids are stored. Returns any other text unchanged. */
export const lowerCaseId = (text: string): string => (uuid.test(text) ? text.toLowerCase() : text);

/**
 * Normalizes a value. Objects and arrays are changed in place. Values that do not match the schema
 * are left unchanged, and the validation then reports them.
 * @example
 * normalize(KnowledgeRequest, { query: "Who?", thread_id: null }) // { query: "Who?" }
 */
export const normalize = (schema: TSchema, value: unknown): unknown => plain(schema as Schema, value, {});

function plain(given: Schema, value: unknown, definitions: Definitions): unknown {
  const schema = resolved(given, definitions);
  const known = { ...definitions, ...schema.$defs };
  if (schema.$ref !== undefined) return plain(known[schema.$ref] ?? {}, value, known);
  if (schema.anyOf) return schema.anyOf.reduce((changed, branch) => plain(branch, changed, known), value);
  if (typeof value === "string") return schema.format === "uuid" ? lowerCaseId(value) : value;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const [index, item] of value.entries()) value[index] = plain(items, item, known);
  } else if (isRecord(value)) plainMembers(schema, value, known);
  return value;
}

function plainMembers({ properties = {}, required = [] }: Schema, value: Record<string, unknown>, known: Definitions) {
  for (const [key, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, key)) continue;
    if (value[key] === null && !required.includes(key) && !takesNull(property, known)) delete value[key];
    else value[key] = plain(property, value[key], known);
  }
}

function takesNull(given: Schema, definitions: Definitions): boolean {
  const { type, anyOf } = resolved(given, definitions);
  return type === "null" || (anyOf ?? []).some((branch) => takesNull(branch, definitions));
}

/**
 * Returns the documented shape of a schema, or the schema itself if it has none. Follows
 * references.
 */
const resolved = (schema: Schema, definitions: Definitions): Schema => {
  const shape = (shapeOf(schema as TSchema) as Schema | undefined) ?? schema;
  return shape.$ref !== undefined && shape.$defs === undefined ? (definitions[shape.$ref] ?? {}) : shape;
};
