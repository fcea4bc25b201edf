/**
 * What our schemas say beyond JSON Schema. Three annotations, read by the validator (`validate.ts`) and by the generator of the
 * OpenAPI document (`openapi.ts`): a component's name, a shape to show in place of what is validated, a check in code.
 */
import type { TEnum, TSchema } from "typebox";
import type { Issue } from "./errors.ts";
import Type from "./type.ts";

/** Finds what is wrong with a value. Never throws; `path` is the JSON pointer of the value inside the request. */
export type IssuesOf = (value: unknown, path: string) => Issue[];

const componentKey = "~component";
const shapeKey = "~shape";
const issuesKey = "~issues";

/** The keys that no consumer of plain JSON Schema should see. */
export const annotationKeys: ReadonlySet<string> = new Set([componentKey, shapeKey, issuesKey]);

/**
 * Names a schema: it stands once, under `components.schemas`, and is referred to from everywhere else.
 * @example const Agent = component("Agent", Type.Object({ reference: Type.String() }));
 */
export function component<T extends TSchema>(name: string, schema: T): T {
  return annotate(schema, componentKey, name);
}

/**
 * Validates with one schema and shows another. For what a schema cannot say or must not decide: a rule in code, another error code.
 * The static type is that of `validated`.
 */
export function documentedAs<T extends TSchema>(validated: T, shape: TSchema): T {
  return annotate(validated, shapeKey, shape);
}

/** Adds a check in code. It runs when the value has passed its schema; the schema is the body or a property of an object in it. */
export function withIssues<T extends TSchema>(schema: T, issuesOf: IssuesOf): T {
  return annotate(schema, issuesKey, issuesOf);
}

/** One of some words. Like `Type.Enum`, with the JSON type that many readers of OpenAPI expect. */
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
