/** Proposed configurations of extractor agents, to be evaluated before they are used. */
import type { ExtractorConfigurationJson } from "@sheaf/contract/agent-configurations.ts";
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";
import { checkedConfiguration, storedConfiguration } from "./agent-configuration.ts";
import { checkManaged, findVisible } from "./agent-permissions.ts";
import { findVersion } from "./agent-versions.service.ts";

/** The members of a configuration that determine the extracted values. */
export interface ExtractorFields {
  params: ExtractionParam[];
  engine: EngineName | undefined;
}

export interface ProposedConfiguration {
  reference: string;
  before: ExtractorFields;
  after: ExtractorFields;
  /** The current configuration, as stored. */
  stored: string;
}

/**
 * Configuration to evaluate. It is either a whole `configuration`, or a stored version in which
 * `params` and `engine` are replaced if they are given.
 */
export interface Proposal {
  configuration?: unknown;
  params?: unknown;
  engine?: unknown;
  version?: number;
}

/**
 * Validates a proposal. To propose a whole configuration, the caller must be allowed to change the
 * agent.
 * @throws AppError `agent_not_found`, also for an agent of another type; `invalid_config`,
 * `not_found`, `forbidden`
 */
export async function proposedConfiguration(
  { db, hasModel }: { db: Db; hasModel: boolean },
  caller: Caller,
  reference: string,
  { configuration, version, ...members }: Proposal,
): Promise<ProposedConfiguration> {
  const row = await findVisible(db, caller, reference);
  if (configuration !== undefined) checkManaged(caller, row);
  if (row.type !== "EXTRACTOR")
    throw new AppError(configuration === undefined ? "agent_not_found" : "invalid_agent_type");
  const present = JSON.parse(row.configuration) as ExtractorConfigurationJson;
  const base =
    version === undefined
      ? present
      : (JSON.parse((await findVersion(db, row, String(version))).configuration) as ExtractorConfigurationJson);
  const proposed = configuration ?? { ...base, ...members };
  const path = configuration === undefined ? "" : "/configuration";
  const checked = checkedConfiguration("EXTRACTOR", proposed, hasModel, path);
  return {
    reference: row.id,
    before: fieldsOf(present),
    after: fieldsOf(JSON.parse(storedConfiguration(configuration === undefined ? {} : present, checked))),
    stored: row.configuration,
  };
}

const fieldsOf = ({ params, engine }: ExtractorConfigurationJson): ExtractorFields => ({
  params,
  engine: engine ?? undefined,
});
