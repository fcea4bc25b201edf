/**
 * Validates the configuration of an agent. Unknown keys are reported as issues, so that misspelled
 * keys are noticed.
 */
import type { AgentType } from "./agents.ts";
import type { Issue } from "./errors.ts";
import { isStorableText, textProblem, unstorableText } from "./formats.ts";
import { IssueList, isRecord, unknownKeys } from "./issues.ts";
import { limits } from "./limits.ts";
import { lowerCaseId } from "./normalize.ts";
import { agentParamRules, paramIssues } from "./params.ts";
import { type Precision, precisions } from "./precision.ts";
import { isKeepExtractionsDays } from "./retention.ts";

/** Engines that an agent can choose. */
export const engineNames = ["builtin", "model", "auto"] as const;
export type EngineName = (typeof engineNames)[number];

/**
 * Returns the issues of an agent's configuration, for `invalid_config`. All fields of a
 * documentalist's or personal configuration are optional. Never throws, whatever the value.
 * @param path JSON pointer of the configuration within the request
 * @example
 * configurationIssues("EXTRACTOR", { parms: [] });
 * // issues at /configuration/params and /configuration/parms
 */
export function configurationIssues(type: AgentType, configuration: unknown, path = "/configuration"): Issue[] {
  if (!isRecord(configuration)) return [{ path, message: "must be an object" }];
  const issues = new IssueList();
  if (type === "EXTRACTOR") checkExtractor(issues, configuration, path);
  else if (type === "PERSONAL") checkPersonal(issues, configuration, path);
  else checkDocumentalist(issues, configuration, path);
  const { engine = null } = configuration;
  if (engine !== null && !engineNames.includes(engine as EngineName))
    issues.add(`${path}/engine`, `must be ${engineNames.join(", ")} or null`);
  return issues.list;
}

const personalKeys: ReadonlySet<string> = new Set(["instructions", "corpora", "engine"]);
const extractorKeys: ReadonlySet<string> = new Set(["params", "engine", "keep_extractions_days", "wanted_precision"]);
const documentalistKeys: ReadonlySet<string> = new Set(["consignes", "sourceVisibility", "domains", "engine"]);

function checkExtractor(issues: IssueList, configuration: Record<string, unknown>, path: string): void {
  issues.addAll(unknownKeys(configuration, extractorKeys, path));
  if (configuration.params === undefined) issues.add(`${path}/params`, "is required");
  else issues.addAll(paramIssues(configuration.params, agentParamRules, `${path}/params`));
  const { keep_extractions_days: days = null } = configuration;
  if (days !== null && !isKeepExtractionsDays(days))
    issues.add(`${path}/keep_extractions_days`, `must be a whole number from 0 to ${limits.maxKeepExtractionsDays}`);
  const { wanted_precision: precision = null } = configuration;
  if (precision !== null && !precisions.includes(precision as Precision))
    issues.add(`${path}/wanted_precision`, `must be ${precisions.join(", ")} or null`);
}

function checkDocumentalist(issues: IssueList, configuration: Record<string, unknown>, path: string): void {
  const { consignes, sourceVisibility, domains } = configuration;
  issues.addAll(unknownKeys(configuration, documentalistKeys, path));
  if (consignes !== undefined) checkArray(issues, consignes, limits.maxConsignes, `${path}/consignes`, consigneProblem);
  if (sourceVisibility !== undefined && typeof sourceVisibility !== "boolean")
    issues.add(`${path}/sourceVisibility`, "must be true or false");
  if (domains !== undefined && !Array.isArray(domains)) issues.add(`${path}/domains`, "must be an array");
}

function checkPersonal(issues: IssueList, configuration: Record<string, unknown>, path: string): void {
  const { instructions, corpora } = configuration;
  issues.addAll(unknownKeys(configuration, personalKeys, path));
  if (instructions !== undefined)
    checkArray(issues, instructions, limits.maxInstructions, `${path}/instructions`, (item) =>
      textProblem(item, limits.instructionMaxLength),
    );
  if (corpora === undefined) return;
  const seen = new Set<unknown>();
  checkArray(issues, corpora, limits.maxCorpora, `${path}/corpora`, (item) => {
    if (typeof item !== "string") return "must be the reference of an agent";
    const key = lowerCaseId(item);
    if (seen.has(key)) return "must not be repeated";
    seen.add(key);
    return undefined;
  });
}

function checkArray(
  issues: IssueList,
  value: unknown,
  maxItems: number,
  path: string,
  problemOf: (item: unknown) => string | undefined,
): void {
  if (!Array.isArray(value)) issues.add(path, "must be an array");
  else if (value.length > maxItems) issues.add(path, `must have at most ${maxItems} items`);
  else for (const [index, item] of value.entries()) issues.addProblem(`${path}/${index}`, problemOf(item));
}

function consigneProblem(consigne: unknown): string | undefined {
  if (typeof consigne === "string") return textProblem(consigne, limits.consigneMaxLength);
  if (!isRecord(consigne)) return "must be a string or an object with a string content";
  const { content, ...others } = consigne;
  const problem = textProblem(content, limits.consigneMaxLength);
  return problem === undefined ? membersProblem(others) : `content ${problem}`;
}

/**
 * Returns why the members of a consigne (an instruction) other than `content` are refused;
 * `undefined` if they are accepted. These members are stored unchanged.
 */
function membersProblem(members: Record<string, unknown>): string | undefined {
  const tally = { members: 0, length: 0, storable: true };
  const isShallow = measure(members, tally, limits.maxConsigneDepth);
  if (!isShallow || tally.members > limits.maxConsigneMembers || tally.length > limits.consigneMembersMaxLength)
    return "has too many or too large members in addition to its content";
  return tally.storable ? undefined : unstorableText;
}

/**
 * Counts members and characters. Returns false if a value has more than `depth` levels or too many
 * members.
 */
function measure(
  value: unknown,
  tally: { members: number; length: number; storable: boolean },
  depth: number,
): boolean {
  if (typeof value === "string") {
    tally.length += value.length;
    tally.storable &&= value.length > limits.consigneMembersMaxLength || isStorableText(value);
  }
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  for (const [key, member] of Object.entries(value)) {
    tally.length += key.length;
    tally.storable &&= isStorableText(key);
    if (++tally.members > limits.maxConsigneMembers || !measure(member, tally, depth - 1)) return false;
  }
  return true;
}
