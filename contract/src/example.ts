/** Builds the example of a schema from the examples of its members. */
import type { TSchema } from "typebox";
import { shapeOf } from "./schema.ts";

interface Keywords {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly TSchema[];
  items?: TSchema;
  properties?: Readonly<Record<string, TSchema>>;
  required?: readonly string[];
  minimum?: number;
  format?: string;
  $defs?: Readonly<Record<string, TSchema>>;
  $ref?: string;
}

/**
 * Returns the example of a schema, or builds one. The example of an object has the required
 * members, and those optional members that have an example.
 */
export function exampleOf(schema: TSchema): unknown {
  const keywords = (shapeOf(schema) ?? schema) as Keywords;
  const given = ownExample(keywords);
  if (given !== undefined) return given;
  if (keywords.anyOf !== undefined) return exampleOf(keywords.anyOf[0] ?? {});
  const definition = keywords.$defs?.[keywords.$ref ?? ""];
  if (definition !== undefined) return exampleOf(definition);
  if (keywords.properties !== undefined) return objectExample(keywords.properties, keywords.required ?? []);
  if (keywords.items !== undefined) return keywords.items === undefined ? [] : arrayExample(keywords.items);
  return scalarExample(keywords);
}

function ownExample({ examples, const: constant, enum: words, default: usual }: Keywords): unknown {
  return examples?.[0] ?? constant ?? usual ?? words?.[0];
}

function objectExample(properties: Readonly<Record<string, TSchema>>, required: readonly string[]): unknown {
  const shown = Object.entries(properties).filter(
    ([key, property]) =>
      required.includes(key) || ownExample((shapeOf(property) ?? property) as Keywords) !== undefined,
  );
  return Object.fromEntries(shown.map(([key, property]) => [key, exampleOf(property)]));
}

/**
 * Returns the example of an array. A recursive reference allows any depth, so its example is an
 * empty array.
 */
function arrayExample(items: TSchema): unknown[] {
  const { $ref, $defs } = items as Keywords;
  return $ref !== undefined && $defs === undefined ? [] : [exampleOf(items)];
}

function scalarExample({ type, minimum, format }: Keywords): unknown {
  if (type === "string") return format === "uuid" ? "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77" : "text";
  if (type === "integer" || type === "number") return minimum ?? 0;
  if (type === "boolean") return true;
  return type === "array" ? [] : type === "null" ? null : {};
}
