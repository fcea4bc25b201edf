/** The rules of agents. */
import {
  type AgentDeletionJson,
  type AgentJson,
  type AgentSummaryJson,
  type ConfigurableAgentType,
  configurationIssues,
  type DocumentalistConfigurationJson,
  defaultConfigurations,
  type ExtractorConfigurationJson,
} from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { cancel, enqueue } from "../../jobs/queue.ts";
import type { Administrator, Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type Page, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { lockAgentLimit } from "../organizations/organizations.service.ts";
import { archiveThreads } from "../threads/threads.service.ts";
import * as agents from "./agents.repo.ts";

export interface AgentDeps {
  db: Db;
  log: Logger;
  /** Removes the files of the agent's documents and what the index holds of them. */
  removeCorpus(organizationId: string, agent: string): Promise<void>;
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

export async function listAgents(
  { db }: Pick<AgentDeps, "db">,
  caller: Administrator,
  page: PageRequest,
): Promise<Page<AgentSummaryJson>> {
  const rows = await agents.listAgents(db, caller.organizationId, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], summaryJson);
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

/** Until then what is left of a deleted agent is removed by the request that deleted it. */
const cleanDelayMs = 60_000;

/**
 * Removes the agent, with the rows of its documents, then what it has elsewhere. What can't be removed becomes a warning, and a job
 * tries again. @throws AppError `agent_not_found`, `invalid_agent_type`.
 */
export async function deleteAgent(
  deps: AgentDeps,
  caller: Administrator,
  reference: string,
): Promise<AgentDeletionJson["warnings"]> {
  const { organizationId } = caller;
  managedTypeOf(await findVisible(deps.db, caller, reference));
  const job = await deps.db.transaction().execute(async (transaction) => {
    if (!(await agents.deleteAgent(transaction, organizationId, reference))) throw new AppError("agent_not_found");
    const options = { organizationId, delayMs: cleanDelayMs };
    return enqueue(transaction, "agent.clean", { agent: reference }, options);
  });
  const warnings = await cleanAgent(deps, organizationId, reference);
  if (warnings.length === 0) await cancel(deps.db, job);
  return warnings;
}

/** Removes what an agent that is gone has left; answers what could not be removed. */
export async function cleanAgent(
  { db, log, removeCorpus }: AgentDeps,
  organizationId: string,
  agent: string,
): Promise<AgentDeletionJson["warnings"]> {
  const warnings: AgentDeletionJson["warnings"] = [];
  const attempt = async (work: Promise<void>, code: string, message: string) => {
    try {
      await work;
    } catch (error) {
      log.error({ err: error, agent }, message);
      warnings.push({ code, message });
    }
  };
  await attempt(
    archiveThreads(db, organizationId, agent),
    "threads_not_archived",
    "The conversations of the agent could not be archived.",
  );
  await attempt(
    removeCorpus(organizationId, agent),
    "documents_not_removed",
    "The documents of the agent can't be reached any more, but not all of their files could be removed.",
  );
  return warnings;
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

export interface Documentalist {
  reference: string;
  /** What its answers should be like, as text. */
  consignes: string[];
  /** Whether its answers may show where they come from. */
  showsSources: boolean;
}

/** A documentalist that may be asked. @throws AppError `agent_not_found`, also for an agent of another type or seen by a group alone. */
export async function getDocumentalist(db: Db, tenant: Tenant, reference: string): Promise<Documentalist> {
  const row = await findVisible(db, tenant, reference);
  const isOpen = row.visibility === "organization" || row.visibility === "public";
  if (row.type !== "DOCUMENTALIST" || !isOpen) throw new AppError("agent_not_found");
  const { consignes, sourceVisibility } = JSON.parse(row.configuration) as DocumentalistConfigurationJson;
  const texts = consignes.map((consigne) => (typeof consigne === "string" ? consigne : consigne.content));
  return { reference: row.id, consignes: texts, showsSources: sourceVisibility };
}

export type Tenant = Pick<Caller, "organizationId">;

/** @throws AppError `agent_not_found`; `invalid_agent_type` where it has no corpus. */
export async function checkDocumentalist(db: Db, tenant: Tenant, reference: string): Promise<void> {
  if ((await findVisible(db, tenant, reference)).type !== "DOCUMENTALIST") throw new AppError("invalid_agent_type");
}

/** The same, with the agent locked until the transaction ends: its corpus is changed by one at a time. */
export async function lockDocumentalist(transaction: Db, tenant: Tenant, reference: string): Promise<void> {
  const row = isId(reference) ? await agents.lockAgent(transaction, tenant.organizationId, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  if (row.type !== "DOCUMENTALIST") throw new AppError("invalid_agent_type");
}

/** Locks an agent, if there still is one, until the transaction ends. */
export const lockAgentOfAny = agents.lockAgentOfAny;

/** The organization of an agent that the operator names. @throws AppError `agent_not_found`. */
export async function getTenantOfAgent(db: Db, reference: string): Promise<Tenant> {
  const organizationId = await agents.findOrganizationOfAgent(db, reference);
  if (organizationId === undefined) throw new AppError("agent_not_found");
  return { organizationId };
}

/** All agents of an organization that are not deleted, private ones too. */
export const countAgents = agents.countAgents;

/** Every agent of the installation that has a corpus. */
export const listAllDocumentalists = agents.listAllDocumentalists;

async function findVisible(db: Db, caller: Tenant, reference: string): Promise<agents.AgentRow> {
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
