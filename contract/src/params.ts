/**
 * Extraction params: the fields to extract, sent with a request or stored in the configuration of
 * an extractor agent.
 */
import type { Issue } from "./errors.ts";
import { textProblem } from "./formats.ts";
import { IssueList, isRecord, unknownKeys } from "./issues.ts";
import { limits } from "./limits.ts";
import { type FieldRules, FieldRulesSchema, ruleIssues } from "./rules.ts";
import { choice, documentedAs, withIssues } from "./schema.ts";
import Type from "./type.ts";

export const paramFormats = ["text", "number", "boolean", "date", "list"] as const;
export type ParamFormat = (typeof paramFormats)[number];

/** One field to extract. `items` are the sub-fields of each element, only with format `list`. */
export interface ExtractionParam {
  name: string;
  format: ParamFormat;
  description: string;
  items?: ExtractionParam[];
  rules?: FieldRules;
}

/** The formats of an agent's params. `date` is available in requests only. */
export const agentParamFormats = ["text", "number", "boolean", "list"] as const;

/**
 * One field that an extractor agent extracts. `items` is always present, empty if the format is not
 * `list`.
 */
export interface AgentParam {
  name: string;
  format: (typeof agentParamFormats)[number];
  description: string;
  items: AgentParam[];
  rules?: FieldRules;
}

const name = Type.String({
  minLength: 1,
  maxLength: limits.paramNameMaxLength,
  description: "Name of the field, which is the key of its value in the result. Unique among its siblings.",
  examples: ["invoice_number"],
});
const description = Type.String({
  maxLength: limits.paramDescriptionMaxLength,
  description: "Meaning of the field, in words.",
  examples: ["Number of the invoice, as printed"],
});

/** A param of a request, as shown in the OpenAPI document. */
export const ExtractionParamSchema = Type.Cyclic(
  {
    ExtractionParam: Type.Object(
      {
        name,
        format: choice(paramFormats, { description: "`date` yields `YYYY-MM-DD`, `list` an array of objects." }),
        description,
        items: Type.Optional(
          Type.Array(Type.Ref("ExtractionParam"), {
            description: "The fields of each element: at least one if the format is `list`, otherwise none.",
          }),
        ),
        rules: Type.Optional(FieldRulesSchema),
      },
      { description: `One field to extract. Lists nest up to ${limits.maxParamDepth} levels.` },
    ),
  },
  "ExtractionParam",
);

/** A param of an extractor agent. */
export const AgentParamSchema = Type.Cyclic(
  {
    AgentParam: Type.Object(
      {
        name,
        format: choice(agentParamFormats),
        description,
        items: Type.Array(Type.Ref("AgentParam"), {
          description: "The fields of each element: at least one if the format is `list`, otherwise `[]`.",
        }),
        rules: Type.Optional(FieldRulesSchema),
      },
      {
        additionalProperties: false,
        description: `One field that the agent extracts. Lists nest up to ${limits.maxParamDepth} levels.`,
      },
    ),
  },
  "AgentParam",
);

export interface ParamRules {
  formats: readonly ParamFormat[];
  /** If true, every param must have `items`, which must be `[]` unless the format is `list`. */
  itemsRequired: boolean;
  /** If true, unknown keys are reported as issues. */
  strict: boolean;
  /** Minimum number of params. */
  minParams: 0 | 1;
}

/** Rules of params in a request: `POST /v2/extractor` and `POST /v2/extractor/async`. */
export const requestParamRules: ParamRules = {
  formats: paramFormats,
  itemsRequired: false,
  strict: false,
  minParams: 1,
};
/** Rules of the params that an agent is configured with. An agent may have no params yet. */
export const agentParamRules: ParamRules = {
  formats: agentParamFormats,
  itemsRequired: true,
  strict: true,
  minParams: 0,
};

/**
 * Returns the issues of an array of params. Never throws, whatever the value. Reads at most
 * `limits.maxParams` params and `limits.maxParamDepth` levels, and returns at most
 * `limits.maxIssues` issues.
 * @param path JSON pointer of the array within the request
 * @example
 * paramIssues([{ name: "total", format: "number", description: "" }], requestParamRules) // []
 */
export function paramIssues(params: unknown, rules: ParamRules, path = "/params"): Issue[] {
  const check: Check = { rules, issues: new IssueList(), seen: 0, patterns: 0 };
  checkParams(check, params, path, 1);
  return check.issues.list;
}

/** The params of a request, checked by `paramIssues`. */
export const RequestParams = withIssues(
  documentedAs(
    Type.Unsafe<ExtractionParam[]>({}),
    Type.Array(ExtractionParamSchema, {
      minItems: 1,
      maxItems: limits.maxParams,
      description: "The fields to extract. The limit applies to the total number of fields at all levels.",
    }),
  ),
  (value, path) => paramIssues(value, requestParamRules, path),
);

interface Check {
  readonly rules: ParamRules;
  readonly issues: IssueList;
  /** Number of params read so far, at every level. */
  seen: number;
  /**
   * Number of patterns checked so far. It is limited, because compiling a pattern takes
   * milliseconds.
   */
  patterns: number;
}

function checkParams(check: Check, params: unknown, path: string, depth: number): void {
  const { issues, rules } = check;
  if (!Array.isArray(params)) {
    issues.add(path, "must be an array");
    return;
  }
  if (depth === 1 && params.length < rules.minParams) issues.add(path, "must not be empty");
  const names = new Set<string>();
  for (const [index, param] of params.entries()) {
    check.seen += 1;
    if (check.seen === limits.maxParams + 1) issues.add(path, `has more than ${limits.maxParams} params in total`);
    if (check.seen > limits.maxParams || issues.full) return;
    checkParam(check, param, `${path}/${index}`, depth, names);
    if (isRecord(param) && param.rules !== undefined) checkRules(check, param, params, `${path}/${index}/rules`);
  }
}

function checkParam(check: Check, param: unknown, path: string, depth: number, siblings: Set<string>): void {
  const { issues, rules } = check;
  if (!isRecord(param)) {
    issues.add(path, "must be an object");
    return;
  }
  issues.addProblem(`${path}/name`, nameProblem(param.name, siblings));
  issues.addProblem(`${path}/description`, textProblem(param.description, limits.paramDescriptionMaxLength));
  if (rules.strict) issues.addAll(unknownKeys(param, paramKeys, path));
  if (rules.formats.some((format) => format === param.format)) checkItems(check, param, path, depth);
  else issues.add(`${path}/format`, `must be one of ${rules.formats.join(", ")}`);
}

function checkRules(check: Check, { rules, format }: Record<string, unknown>, siblings: unknown[], path: string): void {
  const { issues } = check;
  if (isRecord(rules) && rules.pattern !== undefined) check.patterns += 1;
  if (check.patterns > limits.maxRulePatterns)
    issues.add(
      `${path}/pattern`,
      `must be removed: the params have more than ${limits.maxRulePatterns} patterns in total`,
    );
  else if (paramFormats.some((each) => each === format))
    issues.addAll(ruleIssues(rules, format as ParamFormat, siblings, path));
}

const paramKeys: ReadonlySet<string> = new Set(["name", "format", "description", "items", "rules"]);

function checkItems(check: Check, param: Record<string, unknown>, path: string, depth: number): void {
  const problem = itemsProblem(param, check.rules, depth);
  check.issues.addProblem(`${path}/items`, problem);
  if (problem === undefined && param.format === "list") checkParams(check, param.items, `${path}/items`, depth + 1);
}

function itemsProblem({ format, items }: Record<string, unknown>, rules: ParamRules, depth: number) {
  const isList = format === "list";
  if (items === undefined && !isList && !rules.itemsRequired) return undefined;
  if (items === undefined) return "is required";
  if (!Array.isArray(items)) return "must be an array";
  if (!isList) return items.length > 0 ? "must be empty: only a list has items" : undefined;
  if (items.length === 0) return "must not be empty: a list has items";
  return depth === limits.maxParamDepth ? `must not nest deeper than ${limits.maxParamDepth} levels` : undefined;
}

/** Validates a name and, if it is valid, adds it to those of its siblings. */
function nameProblem(value: unknown, siblings: Set<string>): string | undefined {
  const problem = textProblem(value, limits.paramNameMaxLength);
  if (problem !== undefined) return problem;
  const key = value as string;
  if (key === "") return "must not be empty";
  // The names are keys of the result. Assigning this key to an object would set its prototype.
  if (key === "__proto__") return "must not be __proto__";
  if (siblings.has(key)) return "must be unique among its siblings";
  siblings.add(key);
  return undefined;
}
