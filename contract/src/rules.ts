/**
 * Rules that the value of a field must satisfy. If a value fails a rule, the value is not changed,
 * and the failed rule is reported with the result.
 */
import type { Issue } from "./errors.ts";
import { isLongerThan, textProblem } from "./formats.ts";
import { IssueList, isRecord, unknownKeys } from "./issues.ts";
import { limits } from "./limits.ts";
import type { ExtractionParam, ParamFormat } from "./params.ts";
import { patternProblem } from "./rule-patterns.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

export const ruleNames = ["required", "pattern", "minimum", "maximum", "one_of", "sum_of"] as const;
export type RuleName = (typeof ruleNames)[number];

/** The rules of one field. */
export interface FieldRules {
  required?: boolean;
  pattern?: string;
  minimum?: number | string;
  maximum?: number | string;
  one_of?: string[];
  sum_of?: string;
}

const bound = (which: string) =>
  Type.Union([Type.Number(), Type.String({ format: "date" })], {
    description: `${which} value of a number, or of a date as YYYY-MM-DD.`,
  });

export const FieldRulesSchema = component(
  "FieldRules",
  Type.Object(
    {
      required: Type.Optional(
        Type.Boolean({ description: "True if the document must have a value, or at least one row of a list." }),
      ),
      pattern: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.rulePatternMaxLength,
          description:
            "Regular expression in the syntax of RE2. The text must contain a match. Anchor the expression with `^` and `$` to match the whole text.",
          examples: ["^DE[0-9]{9}$"],
        }),
      ),
      minimum: Type.Optional(bound("Least")),
      maximum: Type.Optional(bound("Greatest")),
      one_of: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: limits.ruleValueMaxLength }), {
          minItems: 1,
          maxItems: limits.maxRuleValues,
          description: "The allowed texts. Case, accents, white space and punctuation are ignored.",
        }),
      ),
      sum_of: Type.Optional(
        Type.String({
          maxLength: 2 * limits.paramNameMaxLength + 2,
          description:
            "JSON pointer to a number field of a list at the same level as this field. The value must equal the sum of that field over all rows, to the " +
            "last decimal place that occurs.",
          examples: ["/lines/amount"],
        }),
      ),
    },
    {
      additionalProperties: false,
      description:
        "Rules that the value must satisfy. A missing value fails only `required`. No value is changed; rules that fail are listed in " +
        "`metadata.failed_rules`.",
    },
  ),
);

const known: ReadonlySet<string> = new Set(ruleNames);

/** For each rule, the formats of the fields that may have it. */
const formatsOf: Readonly<Record<RuleName, readonly ParamFormat[]>> = {
  required: ["text", "number", "boolean", "date", "list"],
  pattern: ["text"],
  minimum: ["number", "date"],
  maximum: ["number", "date"],
  one_of: ["text"],
  sum_of: ["number"],
};

/**
 * Checks the rules of a field and returns their issues. Never throws, whatever `value` is.
 * @param siblings the other fields at the same level; `sum_of` may refer to a list among them
 * @example
 * ruleIssues({ minimum: 0 }, "number", [], "/params/0/rules") // []
 */
export function ruleIssues(value: unknown, format: ParamFormat, siblings: readonly unknown[], path: string): Issue[] {
  const issues = new IssueList();
  if (!isRecord(value)) return [{ path, message: "must be an object" }];
  issues.addAll(unknownKeys(value, known, path));
  for (const name of ruleNames) {
    const rule = value[name];
    if (rule === undefined) continue;
    const isFor = formatsOf[name].includes(format);
    issues.addProblem(
      `${path}/${name}`,
      isFor ? problemOf(name, rule, format, siblings) : `is not a rule for fields of the format ${format}`,
    );
  }
  const { minimum, maximum } = value;
  if (issues.list.length === 0 && minimum !== undefined && maximum !== undefined && isMore(minimum, maximum))
    issues.add(`${path}/minimum`, "must not be greater than the maximum");
  return issues.list;
}

const isMore = (one: unknown, other: unknown): boolean => (one as number | string) > (other as number | string);

function problemOf(
  name: RuleName,
  rule: unknown,
  format: ParamFormat,
  siblings: readonly unknown[],
): string | undefined {
  switch (name) {
    case "required":
      return typeof rule === "boolean" ? undefined : "must be true or false";
    case "pattern":
      return textProblem(rule, limits.rulePatternMaxLength) ?? patternProblem(rule as string);
    case "one_of":
      return valuesProblem(rule);
    case "sum_of":
      return sumProblem(rule, siblings);
    default:
      if (format === "number")
        return typeof rule === "number" && Number.isFinite(rule) ? undefined : "must be a number";
      return typeof rule === "string" && isDay(rule) ? undefined : "must be a date YYYY-MM-DD";
  }
}

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
};

function valuesProblem(rule: unknown): string | undefined {
  if (!Array.isArray(rule) || rule.length === 0) return "must be an array with at least one text";
  if (rule.length > limits.maxRuleValues) return `must have at most ${limits.maxRuleValues} texts`;
  const isText = (each: unknown): boolean =>
    typeof each === "string" && each !== "" && !isLongerThan(each, limits.ruleValueMaxLength);
  if (!rule.every(isText)) return `must have only texts of 1 to ${limits.ruleValueMaxLength} characters`;
  return rule.map((each) => textProblem(each, limits.ruleValueMaxLength)).find((problem) => problem !== undefined);
}

function sumProblem(rule: unknown, siblings: readonly unknown[]): string | undefined {
  const summed = typeof rule === "string" ? summedField(rule) : undefined;
  if (summed === undefined) return "must be a JSON pointer such as /lines/amount";
  const list = siblings.find((each): each is ExtractionParam => isRecord(each) && each.name === summed.list);
  if (list?.format !== "list" || !Array.isArray(list.items))
    return "must begin with the name of a list beside the field";
  const item: unknown = list.items.find((each: unknown) => isRecord(each) && each.name === summed.item);
  return isRecord(item) && item.format === "number"
    ? undefined
    : "must end with the name of a number field of the list";
}

/**
 * Splits a pointer such as `/lines/amount` into the name of a list and the name of one of its
 * fields. Returns undefined if the pointer does not consist of two names.
 */
export function summedField(pointer: string): { list: string; item: string } | undefined {
  const [root, list, item, ...rest] = pointer
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return root === "" && list && item && rest.length === 0 ? { list, item } : undefined;
}
