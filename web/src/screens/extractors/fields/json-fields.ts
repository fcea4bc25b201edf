/** Converts fields to JSON and JSON Schema, and back. */
import type { AgentParam } from "@sheaf/client";
import { fieldLimits, rulesFor } from "./field-tree.ts";

/** A part of a schema that fields cannot represent, and what was done instead. */
export interface ImportNote {
  kind:
    | "date_as_text"
    | "integer_as_number"
    | "choices_in_description"
    | "object_flattened"
    | "values_as_list"
    | "unknown_as_text"
    | "constraints_dropped"
    | "too_deep_dropped"
    | "reference_dropped"
    | "name_dropped";
  /** Path of the field in the schema, such as `lines.amount`. */
  field: string;
}

export type ImportResult =
  | { fields: AgentParam[]; notes: ImportNote[] }
  | { problem: "not_json" | "no_fields" | "unknown_form" };

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the fields as JSON that the API accepts as `params`. */
export const paramsJson = (params: readonly AgentParam[]): string => `${JSON.stringify(params, null, 2)}\n`;

/**
 * Imports fields from JSON. Accepts the `params` of the API, an agent, its configuration, or a JSON
 * Schema of an object.
 */
export function importFields(text: string): ImportResult {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "not_json" };
  }
  const notes: ImportNote[] = [];
  const params = paramsWithin(json);
  if (params !== undefined) return found(readParams(params, "", 1, notes), notes);
  const schema = isRecord(json) ? objectSchema(json) : undefined;
  if (schema === undefined) return { problem: "unknown_form" };
  return found(new SchemaReader(json as Json, notes).fieldsOf(schema, "", 1), notes);
}

const found = (fields: AgentParam[], notes: ImportNote[]): ImportResult =>
  fields.length === 0 ? { problem: "no_fields" } : { fields, notes };

function paramsWithin(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (!isRecord(json)) return undefined;
  if (Array.isArray(json.params)) return json.params;
  const inner = json.configuration ?? json.data;
  return isRecord(inner) ? paramsWithin(inner) : undefined;
}

function readParams(params: unknown[], parent: string, depth: number, notes: ImportNote[]): AgentParam[] {
  const fields: AgentParam[] = [];
  for (const param of params) {
    if (!isRecord(param) || typeof param.name !== "string") {
      notes.push({ kind: "name_dropped", field: parent });
      continue;
    }
    const { name } = param;
    const path = parent === "" ? name : `${parent}.${name}`;
    const description = typeof param.description === "string" ? param.description : "";
    if (param.format === "list" && depth >= fieldLimits.levels) {
      notes.push({ kind: "too_deep_dropped", field: path });
      continue;
    }
    if (param.format === "date") notes.push({ kind: "date_as_text", field: path });
    const format = formatOfParam(param.format);
    if (format === undefined && param.format !== "date") notes.push({ kind: "unknown_as_text", field: path });
    const items =
      Array.isArray(param.items) && format === "list" ? readParams(param.items, path, depth + 1, notes) : [];
    const rules = isRecord(param.rules) ? rulesFor(format ?? "text", param.rules) : undefined;
    fields.push({ name, format: format ?? "text", description, items, ...(rules && { rules }) });
  }
  return fields;
}

const formatOfParam = (format: unknown): AgentParam["format"] | undefined =>
  format === "text" || format === "number" || format === "boolean" || format === "list" ? format : undefined;

/** Returns the schema of one record, which may be inside the schema of an array. */
function objectSchema(schema: Json): Json | undefined {
  if (isRecord(schema.properties) || schema.$ref !== undefined || schema.allOf !== undefined) return schema;
  // The schema may also be inside a function definition for language models.
  for (const key of ["schema", "parameters", "input_schema", "json_schema", "function"]) {
    const inner = schema[key];
    const wrapped = isRecord(inner) ? objectSchema(inner) : undefined;
    if (wrapped !== undefined) return wrapped;
  }
  return isRecord(schema.items) ? objectSchema(schema.items) : undefined;
}

/**
 * JSON Schema keywords that restrict values. The import of a JSON Schema drops them and adds a
 * note, because it does not create field rules.
 */
const constraints = [
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
] as const;

/**
 * Maximum number of references followed in a row. It prevents infinite loops in cyclic references.
 */
const maxReferences = 20;

class SchemaReader {
  readonly #root: Json;
  readonly #notes: ImportNote[];

  constructor(root: Json, notes: ImportNote[]) {
    this.#root = root;
    this.#notes = notes;
  }

  fieldsOf(schema: Json, parent: string, depth: number, prefix = "", nesting = 0): AgentParam[] {
    const resolved = this.#resolved(schema, parent);
    const { properties } = resolved;
    if (!isRecord(properties)) return [];
    return Object.entries(properties).flatMap(([key, property]) => {
      const name = `${prefix}${key}`;
      const path = parent === "" ? key : `${parent}.${key}`;
      return isRecord(property) ? this.#fields(name, property, path, depth, nesting) : [];
    });
  }

  #fields(name: string, property: Json, path: string, depth: number, nesting: number): AgentParam[] {
    const schema = this.#resolved(property, path);
    const description = descriptionOf(schema) || descriptionOf(property);
    const type = typeOf(schema);
    if (constraints.some((keyword) => schema[keyword] !== undefined)) this.#note("constraints_dropped", path);
    const field = (format: AgentParam["format"], items: AgentParam[] = []): AgentParam[] => [
      { name, format, description, items },
    ];
    if (Array.isArray(schema.enum) && type !== "boolean") {
      this.#note("choices_in_description", path);
      const choices = schema.enum.filter((choice) => choice !== null).join(", ");
      return [
        {
          ...(field(type === "number" ? "number" : "text")[0] as AgentParam),
          description: withChoices(description, choices),
        },
      ];
    }
    if (type === "string") {
      if (schema.format === "date" || schema.format === "date-time") this.#note("date_as_text", path);
      return field("text");
    }
    if (type === "integer") this.#note("integer_as_number", path);
    if (type === "integer" || type === "number") return field("number");
    if (type === "boolean") return field("boolean");
    if (type === "object") return this.#group(name, schema, path, depth, nesting);
    if (type === "array") return this.#list(field, schema, path, depth);
    this.#note("unknown_as_text", path);
    return field("text");
  }

  /**
   * Imports an object that is not in a list. Fields cannot represent an object, so each of its
   * members becomes a field whose name starts with the name of the object.
   */
  #group(name: string, schema: Json, path: string, depth: number, nesting: number): AgentParam[] {
    if (nesting >= maxReferences) {
      this.#note("too_deep_dropped", path);
      return [];
    }
    this.#note("object_flattened", path);
    return this.fieldsOf(schema, path, depth, `${name}_`, nesting + 1);
  }

  #list(
    field: (format: "list" | "text", items?: AgentParam[]) => AgentParam[],
    schema: Json,
    path: string,
    depth: number,
  ): AgentParam[] {
    if (depth >= fieldLimits.levels) {
      this.#note("too_deep_dropped", path);
      return [];
    }
    const row = isRecord(schema.items) ? this.#resolved(schema.items, path) : {};
    const items = this.fieldsOf(row, path, depth + 1);
    if (items.length > 0) return field("list", items);
    this.#note("values_as_list", path);
    const type = typeOf(row);
    const format = type === "number" || type === "integer" ? "number" : type === "boolean" ? "boolean" : "text";
    return field("list", [{ name: "value", format, description: descriptionOf(row), items: [] }]);
  }

  #note(kind: ImportNote["kind"], field: string): void {
    if (!this.#notes.some((note) => note.kind === kind && note.field === field)) this.#notes.push({ kind, field });
  }

  /**
   * Follows references within the file, and merges the parts of `allOf`. If `anyOf` or `oneOf` has
   * exactly one alternative besides null, uses that alternative.
   */
  #resolved(schema: Json, path: string): Json {
    let current = schema;
    for (let step = 0; step < maxReferences; step++) {
      if (typeof current.$ref === "string") {
        const target = this.#target(current.$ref);
        if (target === undefined) {
          this.#note("reference_dropped", path);
          return {};
        }
        const { $ref: _, ...others } = current;
        current = { ...target, ...others };
        continue;
      }
      const choices = [current.anyOf, current.oneOf].find(Array.isArray);
      const parts = (choices ?? []).filter((choice) => isRecord(choice) && choice.type !== "null") as Json[];
      const [first] = parts;
      if (parts.length === 1 && first !== undefined) {
        const { anyOf: _, oneOf: __, ...others } = current;
        current = { ...first, ...others };
        continue;
      }
      if (Array.isArray(current.allOf)) {
        const { allOf, ...others } = current;
        const all = (allOf as unknown[]).filter(isRecord).map((part) => this.#resolved(part, path));
        const properties = Object.assign({}, ...[...all, others].map((part) => part.properties));
        current = {
          ...Object.assign({}, ...all),
          ...others,
          ...(Object.keys(properties).length > 0 && { properties }),
        };
        continue;
      }
      return current;
    }
    this.#note("reference_dropped", path);
    return {};
  }

  #target(reference: string): Json | undefined {
    if (!reference.startsWith("#")) return undefined;
    let current: unknown = this.#root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
      current = current[key];
    }
    return isRecord(current) ? current : undefined;
  }
}

const withChoices = (description: string, choices: string): string =>
  description === "" ? `One of: ${choices}` : `${description} (one of: ${choices})`;

const descriptionOf = ({ description, title }: Json): string =>
  typeof description === "string" ? description : typeof title === "string" ? title : "";

function typeOf(schema: Json): string | undefined {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== "null");
  if (types.length === 1 && typeof types[0] === "string") return types[0];
  if (isRecord(schema.properties)) return "object";
  if (isRecord(schema.items)) return "array";
  if (Array.isArray(schema.enum)) return schema.enum.every((value) => typeof value === "number") ? "number" : "string";
  return undefined;
}

/** Returns a JSON Schema (2020-12) of one record of a result. */
export function jsonSchemaOf(title: string, params: readonly AgentParam[]): string {
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...recordSchema(params) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const recordSchema = (params: readonly AgentParam[]) => ({
  type: "object",
  properties: Object.fromEntries(params.map((param) => [param.name, valueSchema(param)])),
  // The API returns every field; a field without a value is null.
  required: params.map(({ name }) => name),
  additionalProperties: false,
});

function valueSchema({ format, description, items }: AgentParam): object {
  const texts = description === "" ? {} : { description };
  if (format === "list") return { type: "array", ...texts, items: recordSchema(items) };
  const type = format === "text" ? "string" : format;
  return { type: [type, "null"], ...texts };
}
