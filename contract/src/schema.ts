/**
 * Annotations of our schemas beyond JSON Schema, read by the validator (`validate.ts`) and the
 * OpenAPI generator (`openapi.ts`): the name of a component, the schema to document if it differs
 * from the validated one, and a check in code.
 */
import type { TEnum, TSchema } from "typebox";
import type { Issue } from "./errors.ts";
import Type from "./type.ts";

/**
 * Returns the issues of a value. Never throws. `path` is the JSON pointer of the value within the
 * request.
 */
export type IssuesOf = (value: unknown, path: string) => Issue[];

const componentKey = "~component";
const shapeKey = "~shape";
const issuesKey = "~issues";

/** Keys that must not appear in plain JSON Schema. */
export const annotationKeys: ReadonlySet<string> = new Set([componentKey, shapeKey, issuesKey]);

/**
 * Names a schema. It appears once, under `components.schemas`, and is referenced elsewhere.
 * @example
 * const Agent = component("Agent", Type.Object({ reference: Type.String() }));
 */
export function component<T extends TSchema>(name: string, schema: T): T {
  return annotate(schema, componentKey, name);
}

/**
 * Validates with the schema `validated`, but documents the schema `shape`. Used for rules that code
 * checks instead of a schema, and for violations whose error code is not `invalid_request`. The
 * static type is that of `validated`.
 */
export function documentedAs<T extends TSchema>(validated: T, shape: TSchema): T {
  return annotate(validated, shapeKey, shape);
}

/**
 * Adds a check in code to a schema. The check runs only if the value fits the schema. The schema
 * must be that of the body, or of a member of an object in the body.
 */
export function withIssues<T extends TSchema>(schema: T, issuesOf: IssuesOf): T {
  return annotate(schema, issuesKey, issuesOf);
}

/**
 * Schema of a string enumeration. Unlike `Type.Enum`, includes `type: "string"`, which many OpenAPI
 * tools expect.
 */
export function choice<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
): TEnum<[...Values]> {
  return Type.Enum([...values], { type: "string", ...options }) as unknown as TEnum<[...Values]>;
}

export function componentOf(schema: TSchema): string | undefined {
  return read(schema, componentKey) as string | undefined;
}

export function shapeOf(schema: TSchema): TSchema | undefined {
  return read(schema, shapeKey) as TSchema | undefined;
}

export function issuesOf(schema: TSchema): IssuesOf | undefined {
  return read(schema, issuesKey) as IssuesOf | undefined;
}

function annotate<T extends TSchema>(schema: T, key: string, value: unknown): T {
  return Object.assign(schema, { [key]: value });
}

function read(schema: TSchema, key: string): unknown {
  return (schema as Record<string, unknown>)[key];
}
