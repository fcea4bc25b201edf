/** Renders schemas as Markdown: a type in a few words, an object as a table of its fields. */
import type { JsonSchema } from "./json-schema.ts";

/** Renders a Markdown table. Escapes vertical bars in cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Renders the members of an object schema, one row each. */
export function fieldTable(schema: JsonSchema): string {
  const rows = fieldsOf(schema).map(({ name, type, isRequired, meaning }) => [
    `\`${name}\``,
    type,
    isRequired ? "yes" : "no",
    meaning,
  ]);
  return table(["Field", "Type", "Required", "Meaning"], rows);
}

/** A member of an object schema, with type and meaning in Markdown. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  meaning: string;
}

/** Returns the members of an object schema. Those of nested objects follow as `outer.inner`. */
export function fieldsOf(schema: JsonSchema, prefix = ""): Field[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, property]) => {
    if (property.properties !== undefined) return fieldsOf(property, `${prefix}${name}.`);
    const meaning = [property.description, bounds(property)].filter(Boolean).join(" ");
    return [{ name: prefix + name, type: typeText(property), isRequired: required.includes(name), meaning }];
  });
}

/** Renders one section per component: its description, then its fields or alternatives. */
export function typeSections(schemas: Readonly<Record<string, JsonSchema>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    [
      `### <a id="${anchor(name)}"></a>${name}`,
      String(schema.description ?? ""),
      schema.properties === undefined ? `Type: ${typeText(schema)}` : fieldTable(schema),
    ].filter((block) => block !== ""),
  );
}

/**
 * Renders a type.
 * @example
 * typeText({ type: "array", items: { $ref: "#/components/schemas/Agent" } });
 * // "array of [Agent](#type-agent)"
 */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, enum: words, const: constant, type } = schema;
  if (typeof $ref === "string") return link($ref.slice($ref.lastIndexOf("/") + 1));
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(" or ");
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (Array.isArray(words)) return words.map((word) => `\`${JSON.stringify(word)}\``).join(" or ");
  if (type === "array") return `array of ${grouped(schema.items as JsonSchema)}`;
  if (type === "object") return objectText(schema);
  return typeof schema.format === "string" ? `${String(type)} (${schema.format})` : String(type ?? "anything");
}

export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function objectText({ properties, additionalProperties }: JsonSchema): string {
  if (properties !== undefined) {
    const members = Object.entries(properties as Record<string, JsonSchema>);
    return `{${members.map(([name, member]) => `\`${name}\`: ${typeText(member)}`).join(", ")}}`;
  }
  return typeof additionalProperties === "object"
    ? `object of ${grouped(additionalProperties as JsonSchema)}`
    : "object";
}

/**
 * Renders a type inside another one. Adds parentheses around alternatives, which are joined by
 * "or".
 */
function grouped(schema: JsonSchema): string {
  return Array.isArray(schema.anyOf) ? `(${typeText(schema)})` : typeText(schema);
}

function link(name: string): string {
  return `[${name}](#${anchor(name)})`;
}

function anchor(name: string): string {
  return `type-${name.toLowerCase()}`;
}

/** Renders limits on lengths and counts. */
function bounds({ type, format, minLength, maxLength, minItems, maxItems }: JsonSchema): string {
  if (format === "uuid") return "";
  if (type === "string" && maxLength !== undefined) return range(minLength, maxLength, "character");
  if (type === "array" && maxItems !== undefined) return range(minItems, maxItems, "item");
  return "";
}

function range(min: unknown, max: unknown, unit: string): string {
  const noun = max === 1 ? unit : `${unit}s`;
  return min === undefined ? `At most ${String(max)} ${noun}.` : `${String(min)} to ${String(max)} ${noun}.`;
}
