/** Defines the JSON schemas of answers: values with quotes, or values with line numbers. */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import { define } from "../values/define-member.ts";

type JsonSchema = Record<string, unknown>;
type LeafFormat = Exclude<ParamFormat, "list">;

const jsonType: Record<LeafFormat, string> = {
  text: "string",
  date: "string",
  number: "number",
  boolean: "boolean",
};

/**
 * Returns the JSON schema of an answer with quotes. Objects allow no other members. Each value is
 * `{ value, quote, page }`, all three of which may be null.
 */
export function quoteSchema(params: readonly ExtractionParam[]): JsonSchema {
  const properties: JsonSchema = {};
  for (const param of params) define(properties, param.name, quotedField(param));
  return closed(properties);
}

function quotedField({ format, description, items }: ExtractionParam): JsonSchema {
  const told = description === "" ? {} : { description };
  if (format === "list") return { type: "array", ...told, items: quoteSchema(items ?? []) };
  const value = { type: [jsonType[format], "null"], ...(format === "date" ? { description: "YYYY-MM-DD" } : {}) };
  return {
    ...closed({ value, quote: { type: ["string", "null"] }, page: { type: ["integer", "null"] } }),
    ...told,
  };
}

/**
 * Returns the JSON schema of an answer with line numbers, for fields that are not lists. Objects
 * allow no other members. Each value is `{ value, line }` or null.
 */
export function lineSchema(params: readonly ExtractionParam[]): JsonSchema {
  const properties: JsonSchema = {};
  for (const { name, format } of params) {
    const value = { type: jsonType[format as LeafFormat] };
    define(properties, name, { anyOf: [closed({ value, line: { type: "integer" } }), { type: "null" }] });
  }
  return closed(properties);
}

const closed = (properties: JsonSchema): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
