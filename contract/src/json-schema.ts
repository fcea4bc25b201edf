/**
 * Converts our schemas to plain JSON Schema. Each named schema is moved to `components.schemas`
 * once; annotations are resolved and removed.
 */
import type { TSchema } from "typebox";
import { annotationKeys, componentOf, shapeOf } from "./schema.ts";

export type JsonSchema = Record<string, unknown>;

/** Collects the components that the converted schemas refer to. */
export class Components {
  /** Components by name. They are sorted by name when they are read. */
  readonly #schemas = new Map<string, JsonSchema>();
  /** Serialized source of each component, to detect conflicts. */
  readonly #sources = new Map<string, string>();

  /** The components collected so far, sorted by name. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns the schema as it appears in the OpenAPI document. A named schema becomes a reference.
   */
  convert(schema: TSchema): JsonSchema {
    const shape = shapeOf(schema);
    if (shape !== undefined) return this.convert(shape);
    const name = componentOf(schema);
    return name === undefined ? this.#convertUnnamed(schema) : this.#refer(name, schema);
  }

  #refer(name: string, schema: TSchema): JsonSchema {
    const source = JSON.stringify(schema);
    const known = this.#sources.get(name);
    if (known === undefined) {
      this.#sources.set(name, source);
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#convertUnnamed(schema));
    } else if (known !== source) throw new Error(`two schemas are named ${name}`);
    return reference(name);
  }

  #convertUnnamed(schema: TSchema): JsonSchema {
    const { $defs, $ref, ...keywords } = schema as JsonSchema;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, TSchema>)) {
      const { $id: _, ...plain } = definition as JsonSchema;
      this.#refer(name, plain);
    }
    const entries = Object.entries(keywords).filter(([key]) => !annotationKeys.has(key));
    const converted = Object.fromEntries(entries.map(([key, value]) => [key, this.#convertKeyword(key, value)]));
    return typeof $ref === "string" ? { ...reference($ref), ...converted } : converted;
  }

  #convertKeyword(key: string, value: unknown): unknown {
    if (key === "properties") {
      const properties = Object.entries(value as Record<string, TSchema>);
      return Object.fromEntries(properties.map(([name, property]) => [name, this.convert(property)]));
    }
    if (key === "anyOf") return (value as TSchema[]).map((branch) => this.convert(branch));
    if ((key === "items" || key === "additionalProperties") && typeof value === "object")
      return this.convert(value as TSchema);
    return value;
  }
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
