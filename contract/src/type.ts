/**
 * The TypeBox builders that the contract uses, with TypeBox's own types. TypeBox would load 370
 * modules to build plain objects, which takes a fifth of a second at every start. The schemas built
 * here equal those of TypeBox (`type.test.ts`).
 */
import type TypeBox from "typebox";

type Builders = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Cyclic"
  | "Enum"
  | "Integer"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Ref"
  | "String"
  | "Union"
  | "Unknown"
  | "Unsafe"
>;

type Schema = Record<string, unknown>;

/**
 * Key that marks a schema as an optional member. The property is not enumerable, so that it does
 * not appear in JSON.
 */
const optionalMark = "~optional";

const ofType =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

function objectOf(properties: Record<string, Schema>, options: Schema = {}): Schema {
  const required = Object.keys(properties).filter((key) => !Object.hasOwn(properties[key] ?? {}, optionalMark));
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options };
}

/**
 * Copies a schema with its marks, so that marking the copy as optional leaves the original
 * required.
 */
const copyOf = (schema: Schema): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));

const optional = (schema: Schema): Schema => Object.defineProperty(copyOf(schema), optionalMark, { value: true });

/**
 * Builds a schema whose definitions refer to each other. Gives each definition an `$id`, so that
 * `$ref` can find it.
 */
function cyclic(definitions: Record<string, Schema>, $ref: string, options: Schema = {}): Schema {
  const identified = Object.entries(definitions).map(([$id, schema]) => [$id, Object.assign(copyOf(schema), { $id })]);
  return { $defs: Object.fromEntries(identified), $ref, ...options };
}

const builders = {
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: "array", items, ...options }),
  Boolean: ofType("boolean"),
  Cyclic: cyclic,
  Enum: (values: readonly string[], options: Schema = {}): Schema => ({ enum: values, ...options }),
  Integer: ofType("integer"),
  Literal: (value: string | number | boolean, options: Schema = {}): Schema => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: ofType("null"),
  Number: ofType("number"),
  Object: objectOf,
  Optional: optional,
  Ref: ($ref: string, options: Schema = {}): Schema => ({ $ref, ...options }),
  String: ofType("string"),
  Union: (anyOf: Schema[], options: Schema = {}): Schema => ({ anyOf, ...options }),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Unsafe: copyOf,
};

const Type = builders as unknown as Builders;
export default Type;
