/** The rules of agents. */
import {
  type AgentDeletionJson,
  type AgentJson,
  type AgentSummaryJson,
  type ConfigurableAgentType,
  configurationIssues,
  defaultConfigurations,
  type ExtractorConfigurationJson,
} from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Administrator, Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { lockAgentLimit } from "../organizations/organizations.service.ts";
import { archiveThreads } from "../threads/threads.service.ts";
import * as agents from "./agents.repo.ts";

export interface AgentDeps {
  db: Db;
  log: Logger;
}

export interface NewAgent {
  name: string;
  type: string;
  description?: string | null;
  configuration?: unknown;
}

export interface AgentPatch {
  name?: string;
  description?: string | null;
  configuration?: unknown;
}

export async function listAgents({ db }: AgentDeps, caller: Administrator): Promise<AgentSummaryJson[]> {
  const rows = await agents.listAgents(db, caller.organizationId);
  return rows.map(summaryJson);
}

/** @throws AppError `invalid_request`, `invalid_agent_type`, `invalid_config`, `quota_exceeded`. */
export async function createAgent({ db }: AgentDeps, caller: Administrator, input: NewAgent): Promise<AgentJson> {
  const type = managedType(input.type);
  const configuration = input.configuration === undefined ? {} : checkedConfiguration(type, input.configuration);
  const at = now();
  const row: agents.AgentRow = {
    id: newId(),
    organization_id: caller.organizationId,
    type,
    visibility: "organization",
    owner_user_id: null,
    group_id: null,
    name: input.name,
    description: input.description ?? null,
    configuration: JSON.stringify({ ...defaultConfigurations[type], ...configuration }),
    created_at: at,
    updated_at: at,
  };
  await db.transaction().execute(async (transaction) => {
    const limit = await lockAgentLimit(transaction, caller.organizationId);
    const current = await agents.countAgents(transaction, caller.organizationId);
    if (limit !== null && current >= limit) throw new AppError("quota_exceeded", { limit, current });
    await agents.insertAgent(transaction, row);
  });
  return agentJson(row);
}

/** @throws AppError `agent_not_found`. */
export async function getAgent({ db }: Pick<AgentDeps, "db">, caller: Caller, reference: string): Promise<AgentJson> {
  return agentJson(await findVisible(db, caller, reference));
}

/** @throws AppError `agent_not_found`, `invalid_agent_type`, `invalid_config`. */
export async function updateAgent(
  { db }: AgentDeps,
  caller: Administrator,
  reference: string,
  patch: AgentPatch,
): Promise<AgentJson> {
  return db.transaction().execute(async (transaction) => {
    const row = isId(reference) ? await agents.lockAgent(transaction, caller.organizationId, reference) : undefined;
    if (!row) throw new AppError("agent_not_found");
    const type = managedTypeOf(row);
    const changes: agents.AgentChanges = {};
    if (patch.name !== undefined) changes.name = patch.name;
    if (patch.description !== undefined) changes.description = patch.description;
    if (patch.configuration !== undefined) {
      const supplied = checkedConfiguration(type, patch.configuration);
      changes.configuration = JSON.stringify({ ...JSON.parse(row.configuration), ...supplied });
    }
    if (Object.keys(changes).length === 0) return agentJson(row);
    return agentJson(
      await agents.updateAgent(transaction, caller.organizationId, row.id, { ...changes, updated_at: now() }),
    );
  });
}

/**
 * Removes the agent and archives its threads. What fails after the agent is gone becomes a warning.
 * @throws AppError `agent_not_found`, `invalid_agent_type`.
 */
export async function deleteAgent(
  { db, log }: AgentDeps,
  caller: Administrator,
  reference: string,
): Promise<AgentDeletionJson["warnings"]> {
  managedTypeOf(await findVisible(db, caller, reference));
  if (!(await agents.deleteAgent(db, caller.organizationId, reference))) throw new AppError("agent_not_found");
  try {
    await archiveThreads(db, caller.organizationId, reference);
    return [];
  } catch (error) {
    log.error({ err: error, agent: reference }, "threads of a deleted agent could not be archived");
    return [{ code: "threads_not_archived", message: "The conversations of the agent could not be archived." }];
  }
}

export interface ExtractorAgent {
  reference: string;
  params: ExtractionParam[];
}

/** The schema of an extractor agent. @throws AppError `agent_not_found`, also for an agent of another type; `invalid_config` without params. */
export async function getExtractor(db: Db, caller: Caller, reference: string): Promise<ExtractorAgent> {
  const row = await findVisible(db, caller, reference);
  if (row.type !== "EXTRACTOR") throw new AppError("agent_not_found");
  const { params } = JSON.parse(row.configuration) as ExtractorConfigurationJson;
  if (params.length === 0)
    throw new AppError("invalid_config", { issues: [{ path: "/params", message: "the agent has no params yet" }] });
  return { reference: row.id, params };
}

async function findVisible(db: Db, caller: Caller, reference: string): Promise<agents.AgentRow> {
  const row = isId(reference) ? await agents.findAgent(db, caller.organizationId, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  return row;
}

function managedType(type: string): ConfigurableAgentType {
  if (type === "EXTRACTOR" || type === "DOCUMENTALIST") return type;
  if (type === "PERSONAL") throw new AppError("invalid_agent_type");
  throw new AppError("invalid_request", { issues: [{ path: "/type", message: "must be EXTRACTOR or DOCUMENTALIST" }] });
}

function managedTypeOf(row: agents.AgentRow): ConfigurableAgentType {
  if (row.type === "PERSONAL") throw new AppError("invalid_agent_type");
  return row.type;
}

function checkedConfiguration(type: ConfigurableAgentType, configuration: unknown): object {
  const issues = configurationIssues(type, configuration);
  if (issues.length > 0) throw new AppError("invalid_config", { issues });
  return configuration as object;
}

const summaryJson = (row: agents.AgentRow): AgentSummaryJson => ({
  reference: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

const agentJson = (row: agents.AgentRow): AgentJson =>
  row.type === "PERSONAL" ? summaryJson(row) : { ...summaryJson(row), configuration: JSON.parse(row.configuration) };
