/** Schemas in Markdown: a type in a few words, an object as a table of its fields. */
import type { JsonSchema } from "./json-schema.ts";

/** A table; bars inside cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The members of an object schema, one row each. */
export function fieldTable(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  const rows = properties.map(([name, property]) => [
    `\`${name}\``,
    typeText(property),
    required.includes(name) ? "yes" : "no",
    [property.description, bounds(property)].filter(Boolean).join(" "),
  ]);
  return table(["Field", "Type", "Required", "Meaning"], rows);
}

/** One section for each component: its description, then its fields or what it is one of. */
export function typeSections(schemas: Readonly<Record<string, JsonSchema>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    [
      `### <a id="${anchor(name)}"></a>${name}`,
      String(schema.description ?? ""),
      schema.properties === undefined ? `Type: ${typeText(schema)}` : fieldTable(schema),
    ].filter((block) => block !== ""),
  );
}

/** @example typeText({ type: "array", items: { $ref: "#/components/schemas/Agent" } }) // "array of [Agent](#type-agent)" */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, enum: words, const: constant, type } = schema;
  if (typeof $ref === "string") return link($ref.slice($ref.lastIndexOf("/") + 1));
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(" or ");
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (Array.isArray(words)) return words.map((word) => `\`${JSON.stringify(word)}\``).join(" or ");
  if (type === "array") return `array of ${typeText(schema.items as JsonSchema)}`;
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
    ? `object of ${typeText(additionalProperties as JsonSchema)}`
    : "object";
}

function link(name: string): string {
  return `[${name}](#${anchor(name)})`;
}

function anchor(name: string): string {
  return `type-${name.toLowerCase()}`;
}

/** Lengths and counts, in words. */
function bounds({ type, format, minLength, maxLength, minItems, maxItems }: JsonSchema): string {
  if (format === "uuid") return "";
  if (type === "string" && maxLength !== undefined)
    return minLength === undefined
      ? `At most ${String(maxLength)} characters.`
      : `${String(minLength)} to ${String(maxLength)} characters.`;
  if (type === "array" && maxItems !== undefined && minItems !== maxItems) return `At most ${String(maxItems)} items.`;
  return "";
}
