/** Types of agents and the configurations that they accept. */
import type {
  ConfigurationJson,
  DocumentalistConfigurationJson,
  ExtractorConfigurationJson,
  PersonalConfigurationJson,
} from "@sheaf/contract/agent-configurations.ts";
import { type AgentType, configurationIssues } from "@sheaf/contract/agents.ts";
import { lowerCaseId } from "@sheaf/contract/normalize.ts";
import { AppError } from "../../lib/errors.ts";

/**
 * @throws AppError `invalid_agent_type` for a type that is configured elsewhere; `invalid_request`
 * for an unknown one.
 */
export function managedType(type: string): Exclude<AgentType, "PERSONAL"> {
  if (type === "EXTRACTOR" || type === "DOCUMENTALIST") return type;
  if (type === "PERSONAL") throw new AppError("invalid_agent_type");
  throw new AppError("invalid_request", { issues: [{ path: "/type", message: "must be EXTRACTOR or DOCUMENTALIST" }] });
}

/**
 * Returns the configuration of a personal agent. Converts configurations that earlier versions
 * stored in the format of a documentalist's configuration.
 */
export function personalConfiguration(stored: string): PersonalConfigurationJson {
  const { instructions, corpora, engine, consignes } = JSON.parse(stored) as Partial<
    PersonalConfigurationJson & DocumentalistConfigurationJson
  >;
  return {
    instructions: instructions ?? (consignes ?? []).map(consigneText),
    corpora: corpora ?? [],
    ...(engine && { engine }),
  };
}

export const consigneText = (consigne: DocumentalistConfigurationJson["consignes"][number]): string =>
  typeof consigne === "string" ? consigne : consigne.content;

/**
 * Validates the configuration that a caller supplied.
 * @param hasModel whether the installation has a language model
 * @param path JSON pointer of the configuration within the request
 * @throws AppError `invalid_config`
 */
export function checkedConfiguration(
  type: AgentType,
  configuration: unknown,
  hasModel: boolean,
  path = "/configuration",
): Partial<ConfigurationJson> {
  const issues = configurationIssues(type, configuration, path);
  if (issues.length > 0) throw new AppError("invalid_config", { issues });
  const checked = withLowerCaseCorpora(configuration as Partial<ConfigurationJson>);
  const { engine = null } = checked;
  if (hasModel || engine === null || engine === "builtin") return checked;
  const message = "needs a language model, and this installation has none";
  throw new AppError("invalid_config", { issues: [{ path: `${path}/engine`, message }] });
}

/** Converts the ids of corpora to lower case, because ids are compared without regard to case. */
const withLowerCaseCorpora = (configuration: Partial<ConfigurationJson>): Partial<ConfigurationJson> =>
  "corpora" in configuration && configuration.corpora
    ? { ...configuration, corpora: configuration.corpora.map(lowerCaseId) }
    : configuration;

/**
 * Merges the supplied members into the stored configuration. Null removes an optional member:
 * `engine`, `keep_extractions_days` and `wanted_precision`.
 */
export function storedConfiguration(before: Partial<ConfigurationJson>, supplied: Partial<ConfigurationJson>): string {
  const merged: Partial<ExtractorConfigurationJson> = { ...before, ...supplied };
  const { engine = null, keep_extractions_days: days = null, wanted_precision: precision = null, ...others } = merged;
  return JSON.stringify({
    ...others,
    ...(engine !== null && { engine }),
    ...(days !== null && { keep_extractions_days: days }),
    ...(precision !== null && { wanted_precision: precision }),
  });
}
