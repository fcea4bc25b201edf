/** The basic schemas: text, ids, times, counts. */
import type { TSchema, TString, TUnsafe } from "typebox";
import { documentedAs } from "./schema.ts";
import Type from "./type.ts";

/**
 * Matches text without NUL, which PostgreSQL cannot store, and without unpaired surrogates, which
 * UTF-8 cannot encode.
 */
export const textPattern = "^[^\\u0000\\p{Cs}]*$";
const storable = new RegExp(textPattern, "u");

/** Returns whether SQLite and PostgreSQL both store the text unchanged. */
export function isStorableText(value: string): boolean {
  return storable.test(value);
}

/**
 * Returns whether the text has more than `max` Unicode code points, which is how JSON Schema
 * counts. Stops counting above `max`.
 */
export function isLongerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  if (value.length > 2 * max) return true;
  let count = 0;
  for (const _ of value) if (++count > max) return true;
  return false;
}

/** Returns the reason why text cannot be stored; `undefined` if there is none. */
export function textProblem(value: unknown, maxLength: number): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value !== "string") return "must be a string";
  if (isLongerThan(value, maxLength)) return `must have at most ${maxLength} characters`;
  return isStorableText(value) ? undefined : unstorableText;
}

export const unstorableText = "must not contain NUL or half of a surrogate pair";

interface TextOptions {
  minLength?: number;
  maxLength: number;
  description?: string;
  examples?: string[];
}

/** Schema of text that clients send and the service stores. */
export function text(options: TextOptions): TString {
  const shape = { ...options };
  return documentedAs(Type.String({ ...shape, pattern: textPattern }), Type.String(shape));
}

/** Schema of an id: UUID text of 36 characters (version 7 if the service creates it). */
export function uuid(description: string): TString {
  return Type.String({
    format: "uuid",
    minLength: 36,
    maxLength: 36,
    description,
    examples: ["0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77"],
  });
}

/** Schema of a time: ISO 8601 UTC with milliseconds, `2026-03-14T09:26:53.589Z`. */
export function timestamp(description: string): TString {
  return Type.String({
    format: "date-time",
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
    description: `${description} ISO 8601 UTC with milliseconds.`,
    examples: ["2026-03-14T09:26:53.589Z"],
  });
}

/** Schema of a non-negative whole number. */
export function count(description: string, example = 0) {
  return Type.Integer({ minimum: 0, description, examples: [example] });
}

/** Schema of an object with arbitrary keys, whose values all have the same schema. */
export function jsonObject(value: TSchema, options: Record<string, unknown> = {}) {
  return Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: value, ...options });
}

/** Schema of a box: `[x0, y0, x1, y1]` in page units, from the top left corner of the page. */
export const Box: TUnsafe<readonly [x0: number, y0: number, x1: number, y1: number]> = Type.Unsafe(
  Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: "`[x0, y0, x1, y1]`: left, top, right, bottom, in page units from the top left of the page.",
    examples: [[72, 96.5, 188.2, 108]],
  }),
);
