/** Types of agents and the configurations that they accept. */
import {
  type AgentType,
  type ConfigurableAgentType,
  type ConfigurationJson,
  configurationIssues,
} from "@sheaf/contract/agents.ts";
import { AppError } from "../../lib/errors.ts";

/**
 * @throws AppError `invalid_agent_type` for a type that is configured elsewhere; `invalid_request`
 * for an unknown one.
 */
export function managedType(type: string): ConfigurableAgentType {
  if (type === "EXTRACTOR" || type === "DOCUMENTALIST") return type;
  if (type === "PERSONAL") throw new AppError("invalid_agent_type");
  throw new AppError("invalid_request", { issues: [{ path: "/type", message: "must be EXTRACTOR or DOCUMENTALIST" }] });
}

/**
 * Returns the type whose configuration applies: a personal agent has a corpus, as a documentalist
 * does.
 */
export const configuredAs = (type: AgentType): ConfigurableAgentType => (type === "PERSONAL" ? "DOCUMENTALIST" : type);

/**
 * Validates the configuration that a caller supplied.
 * @param hasModel whether the installation has a language model
 * @throws AppError `invalid_config`
 */
export function checkedConfiguration(
  type: AgentType,
  configuration: unknown,
  hasModel: boolean,
): Partial<ConfigurationJson> {
  const issues = configurationIssues(configuredAs(type), configuration);
  if (issues.length > 0) throw new AppError("invalid_config", { issues });
  const checked = configuration as Partial<ConfigurationJson>;
  const { engine = null } = checked;
  if (hasModel || engine === null || engine === "builtin") return checked;
  const message = "needs a language model, and this installation has none";
  throw new AppError("invalid_config", { issues: [{ path: "/configuration/engine", message }] });
}

/**
 * Merges the supplied members into those stored before; `engine: null` removes the choice of an
 * engine.
 */
export function storedConfiguration(before: Partial<ConfigurationJson>, supplied: Partial<ConfigurationJson>): string {
  const { engine = null, ...others } = { ...before, ...supplied };
  return JSON.stringify({ ...others, ...(engine !== null && { engine }) });
}
