/** Checks the values of a result against the rules of their fields. Does not change any value. */
import { setImmediate as endOfTurn } from "node:timers/promises";
import type {
  EvidenceJson,
  EvidenceRecordJson,
  ExtractedRecordJson,
  ExtractedValueJson,
  FailedRuleJson,
} from "@sheaf/contract/extraction-result.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { patternSearch } from "@sheaf/contract/rule-patterns.ts";
import { type FieldRules, type RuleName, ruleNames, summedField } from "@sheaf/contract/rules.ts";

/**
 * Maximum length of a text that is searched for a pattern, in characters. Chosen by hand, 2026-11.
 */
const maxSearchedLength = 2_000;
/**
 * Number of values after which the event loop gets a turn for other work. Chosen by hand, 2026-11.
 */
const valuesPerTurn = 200;

/**
 * Returns the rules that fail, in the order of the fields, at most `limits.maxFailedRules`;
 * undefined if no field has rules.
 * @param index index of the record in `data`, used in the paths of the failed rules
 */
export async function failedRules(
  params: readonly ExtractionParam[],
  data: ExtractedRecordJson,
  evidence: EvidenceRecordJson | undefined,
  index = 0,
): Promise<FailedRuleJson[] | undefined> {
  if (!hasRules(params)) return undefined;
  const failed: FailedRuleJson[] = [];
  let checked = 0;
  for (const { fail, path, evidence: own } of checksOf(params, data, evidence ?? {}, `/${index}`)) {
    if (++checked % valuesPerTurn === 0) await endOfTurn();
    const found = fail();
    if (found) failed.push({ path, ...found, ...(evidence && { evidence: own().slice(0, limits.maxRuleEvidence) }) });
    if (failed.length === limits.maxFailedRules) break;
  }
  return failed;
}

const hasRules = (params: readonly ExtractionParam[]): boolean =>
  params.some(({ rules, items }) => rules !== undefined || (items !== undefined && hasRules(items)));

interface Check {
  path: string;
  /** Returns the rule and why the value fails it; undefined if the value satisfies the rule. */
  fail(): { rule: RuleName; message: string } | undefined;
  evidence(): EvidenceJson[];
}

/** Yields one check for each rule of each value. */
function* checksOf(
  params: readonly ExtractionParam[],
  record: ExtractedRecordJson,
  evidence: EvidenceRecordJson,
  parent: string,
  rules = compiledRules(params),
): Generator<Check> {
  for (const param of params) {
    const path = `${parent}/${escapePointer(param.name)}`;
    const value = memberOf(record, param.name) ?? null;
    const own = memberOf(evidence, param.name);
    for (const [rule, messageOf] of rules.own.get(param) ?? [])
      yield {
        path,
        fail: () => {
          const message = messageOf(value, record);
          return message === undefined ? undefined : { rule, message };
        },
        evidence: () => [...leavesOf(own), ...(rule === "sum_of" ? summandsOf(param.rules, evidence) : [])],
      };
    const items = rules.items.get(param);
    if (!items || !Array.isArray(value)) continue;
    const rows = Array.isArray(own) ? own : [];
    for (const [at, row] of value.entries())
      yield* checksOf(param.items ?? [], row, rows[at] ?? {}, `${path}/${at}`, items);
  }
}

/**
 * Returns an own member of an object, never an inherited one, because fields may have names such as
 * `constructor`.
 */
const memberOf = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the problem with a value of a record; undefined if there is none. */
type Judge = (value: ExtractedValueJson, record: ExtractedRecordJson) => string | undefined;

interface CompiledRules {
  own: Map<ExtractionParam, [RuleName, Judge][]>;
  /** Rules of the fields of each list. */
  items: Map<ExtractionParam, CompiledRules>;
  isEmpty: boolean;
}

function compiledRules(params: readonly ExtractionParam[]): CompiledRules {
  const own = new Map<ExtractionParam, [RuleName, Judge][]>();
  const items = new Map<ExtractionParam, CompiledRules>();
  for (const param of params) {
    if (param.rules) own.set(param, judgesOf(param.rules));
    if (param.format !== "list") continue;
    const inner = compiledRules(param.items ?? []);
    if (!inner.isEmpty) items.set(param, inner);
  }
  return { own, items, isEmpty: own.size + items.size === 0 };
}

function judgesOf(rules: FieldRules): [RuleName, Judge][] {
  return ruleNames.flatMap((name): [RuleName, Judge][] => {
    const judge = rules[name] === undefined ? undefined : judgeOf[name](rules);
    return judge ? [[name, name === "required" ? judge : ofValues(judge)]] : [];
  });
}

/** Wraps a rule so that it accepts missing values. Only the rule `required` refuses them. */
const ofValues =
  (judge: Judge): Judge =>
  (value, record) =>
    value === null ? undefined : judge(value, record);

const judgeOf: Record<RuleName, (rules: FieldRules) => Judge | undefined> = {
  required: ({ required }) =>
    required
      ? (value) => (value === null || (Array.isArray(value) && value.length === 0) ? "is missing" : undefined)
      : undefined,
  pattern: ({ pattern = "" }) => {
    const matches = patternSearch(pattern);
    return (value) => {
      const text = String(value);
      if (text.length > maxSearchedLength) return `${shown(value)} is too long for a pattern`;
      return matches(text) ? undefined : `${shown(value)} does not match ${pattern}`;
    };
  },
  minimum:
    ({ minimum = "" }) =>
    (value) =>
      (value as typeof minimum) < minimum ? `${shown(value)} is less than ${minimum}` : undefined,
  maximum:
    ({ maximum = "" }) =>
    (value) =>
      (value as typeof maximum) > maximum ? `${shown(value)} is greater than ${maximum}` : undefined,
  one_of: ({ one_of = [] }) => {
    const allowed = new Set(one_of.map(plainForm));
    return (value) =>
      allowed.has(plainForm(String(value))) ? undefined : `${shown(value)} is not one of the allowed values`;
  },
  sum_of: ({ sum_of = "" }) => {
    const summed = summedField(sum_of);
    return summed && ((value, record) => sumProblem(value as number, memberOf(record, summed.list), summed));
  },
};

/** Maximum number of characters of a value that a message shows. */
const shownLength = 80;

function shown(value: ExtractedValueJson): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text;
}

/**
 * Returns a text in lower case, without accents, white space and punctuation. Returns it unchanged
 * if nothing else is left.
 */
function plainForm(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return plain === "" ? text : plain;
}

function sumProblem(
  value: number,
  list: ExtractedValueJson | undefined,
  { list: name, item }: { list: string; item: string },
): string | undefined {
  const summands = (Array.isArray(list) ? list : [])
    .map((row) => memberOf(row, item))
    .filter((each) => typeof each === "number");
  const places = Math.max(...[value, ...summands].map(decimalPlaces));
  const sum = Number(summands.reduce((total, each) => total + each, 0).toFixed(places));
  // The value and the sum are both multiples of the unit in the last decimal place. A difference of
  // less than half a unit is therefore a rounding error.
  return Math.abs(sum - value) < 0.5 * 10 ** -places
    ? undefined
    : `${value} is not the sum of ${name}/${item}, which is ${sum}`;
}

/**
 * Maximum number of decimal places that are compared. With more places, a double is not exact
 * enough for numbers of ordinary size.
 */
const maxPlaces = 6;

function decimalPlaces(value: number): number {
  for (let places = 0; places < maxPlaces; places++) if (Number(value.toFixed(places)) === value) return places;
  return maxPlaces;
}

/** Yields the evidence of a value, or of all values of a list. */
function* leavesOf(evidence: EvidenceRecordJson[string] | undefined): Generator<EvidenceJson> {
  if (!evidence) return;
  if (!Array.isArray(evidence)) yield evidence;
  else for (const row of evidence) for (const each of Object.values(row)) yield* leavesOf(each);
}

function* summandsOf(rules: FieldRules | undefined, evidence: EvidenceRecordJson): Generator<EvidenceJson> {
  const summed = summedField(rules?.sum_of ?? "");
  const rows = summed && memberOf(evidence, summed.list);
  if (summed && Array.isArray(rows)) for (const row of rows) yield* leavesOf(memberOf(row, summed.item));
}
