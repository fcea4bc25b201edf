/**
 * Checks a value against a JSON schema of the kind that language models receive. Property names in
 * the schema come from users, so the schema is not compiled to code. Members that the schema does
 * not allow are dropped, so that superfluous members of a response do no harm.
 */

/**
 * The supported subset of JSON Schema. Purely descriptive keywords are ignored. Any other keyword
 * causes an error.
 */
export interface JsonSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
}

export interface Conformed {
  /** The value without members that the schema does not allow. */
  value: unknown;
  /**
   * Problems such as `/path/to/it must be a string`, at most `maxProblems`. They do not quote the
   * value. Empty if the value fits the schema.
   */
  problems: string[];
}

/** Maximum number of problems returned. Chosen by hand, 2026-11. */
export const maxProblems = 20;

const checked = new Set(
  "type enum const anyOf properties required additionalProperties items minItems maxItems minimum maximum minLength maxLength $ref $defs".split(
    " ",
  ),
);
const descriptive = new Set("$schema $id title description examples default".split(" "));

/**
 * Checks `value` against `schema`. Throws an Error if a keyword is not supported or a `$ref` can't
 * be resolved.
 */
export function conform(schema: JsonSchema, value: unknown): Conformed {
  const problems: string[] = [];
  const conformed = new Conformer(schema, problems).conform(schema, value, "");
  return { value: conformed, problems: problems.slice(0, maxProblems) };
}

class Conformer {
  readonly #root: JsonSchema;
  readonly #problems: string[];

  constructor(root: JsonSchema, problems: string[]) {
    this.#root = root;
    this.#problems = problems;
  }

  conform(schema: JsonSchema, value: unknown, path: string): unknown {
    for (const keyword of Object.keys(schema))
      if (!checked.has(keyword) && !descriptive.has(keyword))
        throw new Error(`The keyword ${keyword} of JSON Schema is not supported.`);
    if (schema.$ref !== undefined) return this.conform(this.#definition(schema.$ref), value, path);
    if (schema.anyOf !== undefined) return this.#anyOf(schema.anyOf, value, path);
    const problem = problemOf(schema, value);
    if (problem !== undefined) {
      this.#problems.push(`${path || "the value"} ${problem}`);
      return value;
    }
    if (Array.isArray(value)) return this.#array(schema, value, path);
    return isObject(value) ? this.#object(schema, value, path) : value;
  }

  #definition(ref: string): JsonSchema {
    const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
    const found = ref === "#" ? this.#root : name && this.#root.$defs?.[name];
    if (!found) throw new Error(`The JSON schema has no definition ${ref}.`);
    return found;
  }

  /**
   * Returns the result of the first branch of the schema that the value fits. If it fits none,
   * reports the problems of a branch whose type it fits.
   */
  #anyOf(branches: readonly JsonSchema[], value: unknown, path: string): unknown {
    const tries = branches.map((branch) => {
      const problems: string[] = [];
      return { value: new Conformer(this.#root, problems).conform(branch, value, path), problems };
    });
    const fitting = tries.find(({ problems }) => problems.length === 0);
    if (fitting !== undefined) return fitting.value;
    const nearest = tries.find(({ problems }) => !problems.some((each) => each.startsWith(`${path || "the value"} `)));
    this.#problems.push(...(nearest?.problems ?? [`${path || "the value"} matches none of the allowed schemas`]));
    return value;
  }

  #array(schema: JsonSchema, value: readonly unknown[], path: string): unknown {
    const { items } = schema;
    return items === undefined ? value : value.map((item, index) => this.conform(items, item, `${path}/${index}`));
  }

  #object(schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: string): unknown {
    const { properties = {}, required = [], additionalProperties = true } = schema;
    for (const key of required) if (!Object.hasOwn(value, key)) this.#problems.push(`${path}/${key} is required`);
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (known !== undefined) return [[key, this.conform(known, member, `${path}/${key}`)]];
      return additionalProperties ? [[key, member]] : [];
    });
    return Object.fromEntries(members);
  }
}

/** Returns the problem with the value itself, without checking its members. */
function problemOf(schema: JsonSchema, value: unknown): string | undefined {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `must be of type ${types.join(" or ")}`;
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices !== undefined && !choices.includes(value)) return `must be one of ${JSON.stringify(choices)}`;
  if (typeof value === "string") return outside([...value].length, schema.minLength, schema.maxLength, "characters");
  if (typeof value === "number") return outside(value, schema.minimum, schema.maximum, "in amount");
  if (Array.isArray(value)) return outside(value.length, schema.minItems, schema.maxItems, "items");
  return undefined;
}

function outside(size: number, min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min !== undefined && size < min) return `must have at least ${min} ${unit}`;
  if (max !== undefined && size > max) return `must have at most ${max} ${unit}`;
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  // `JSON.parse` reads 1e999 as Infinity, which JSON can't represent.
  if (type === "number") return Number.isFinite(value);
  return typeof value === type;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
