/** The rules of agents. */
import {
  type AgentAccessJson,
  type AgentDeletionJson,
  type AgentJson,
  type AgentSummaryJson,
  type AgentType,
  type ConfigurableAgentType,
  type ConfigurationJson,
  configurationIssues,
  type DocumentalistConfigurationJson,
  defaultConfigurations,
  type EngineName,
  type ExtractorConfigurationJson,
  type PutAgentAccessRequestJson,
} from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { cancel, enqueue } from "../../jobs/queue.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import { type Caller, onBehalfOf, type Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type Page, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { checkGroup } from "../organizations/groups.service.ts";
import { lockLimits } from "../plans/plans.service.ts";
import { archiveThreads } from "../threads/threads.service.ts";
import * as agents from "./agents.repo.ts";

export interface AgentDeps {
  db: Db;
  log: Logger;
  /** Removes the files of the agent's documents and what the index holds of them. */
  removeCorpus(organizationId: string, agent: string): Promise<void>;
}

/** What configurations of agents are checked with. */
export interface ConfigurationDeps {
  db: Db;
  /** Whether there is a language model. */
  hasModel: boolean;
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
  caller: Caller,
  page: PageRequest,
): Promise<Page<AgentSummaryJson>> {
  const rows = await agents.listAgents(db, caller, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], summaryJson);
}

/**
 * An agent of the organization, or in the web application, where any member may make one, a PERSONAL one of theirs.
 * @throws AppError `invalid_request`, `invalid_agent_type`, `invalid_config`, `quota_exceeded`; `forbidden` for a member who is no
 * administrator.
 */
export async function createAgent(
  { db, hasModel }: ConfigurationDeps,
  caller: Caller,
  input: NewAgent,
  atCommit?: AtCommit<AgentJson>,
): Promise<AgentJson> {
  const isPersonal = input.type === "PERSONAL" && caller.channel === "app";
  const type = isPersonal ? "PERSONAL" : managedType(input.type);
  if (!isPersonal && caller.role !== "administrator") throw new AppError("forbidden");
  const configuration =
    input.configuration === undefined ? {} : checkedConfiguration(type, input.configuration, hasModel);
  const at = now();
  const row: agents.AgentRow = {
    id: newId(),
    organization_id: caller.organizationId,
    type,
    visibility: isPersonal ? "private" : "organization",
    owner_user_id: isPersonal ? caller.userId : null,
    group_id: null,
    name: input.name,
    description: input.description ?? null,
    configuration: storedConfiguration(defaultConfigurations[configuredAs(type)], configuration),
    created_at: at,
    updated_at: at,
  };
  await db.transaction().execute(async (transaction) => {
    const { max_agents: limit } = await lockLimits(transaction, caller);
    const current = await agents.countAgents(transaction, caller.organizationId);
    if (limit !== null && current >= limit) throw new AppError("quota_exceeded", { limit, current });
    await agents.insertAgent(transaction, row);
    const detail = { type, name: row.name, visibility: row.visibility };
    await recordAudit(transaction, caller, { action: "agent.created", target: row.id, detail });
    await atCommit?.(transaction, agentJson(row));
  });
  return agentJson(row);
}

/** @throws AppError `agent_not_found`. */
export async function getAgent({ db }: Pick<AgentDeps, "db">, caller: Caller, reference: string): Promise<AgentJson> {
  return agentJson(await findVisible(db, caller, reference));
}

/** @throws AppError `agent_not_found`, `invalid_agent_type`, `invalid_config`; `forbidden` for who may only see it. */
export async function updateAgent(
  { db, hasModel }: ConfigurationDeps,
  caller: Caller,
  reference: string,
  patch: AgentPatch,
): Promise<AgentJson> {
  return db.transaction().execute(async (transaction) => {
    const row = await lockManaged(transaction, caller, reference);
    const { type } = row;
    const changes: agents.AgentChanges = {};
    if (patch.name !== undefined) changes.name = patch.name;
    if (patch.description !== undefined) changes.description = patch.description;
    if (patch.configuration !== undefined) {
      const supplied = checkedConfiguration(type, patch.configuration, hasModel);
      changes.configuration = storedConfiguration(JSON.parse(row.configuration), supplied);
    }
    const changed = Object.keys(changes);
    if (changed.length === 0) return agentJson(row);
    await recordAudit(transaction, caller, { action: "agent.updated", target: row.id, detail: { changed } });
    return agentJson(
      await agents.updateAgent(transaction, caller.organizationId, row.id, { ...changes, updated_at: now() }),
    );
  });
}

/** Who sees an agent. @throws AppError `agent_not_found`. */
export async function getAgentAccess(
  { db }: Pick<AgentDeps, "db">,
  caller: Caller,
  reference: string,
): Promise<AgentAccessJson> {
  return accessJson(await findVisible(db, caller, reference));
}

/**
 * Sets who sees an agent; one that becomes private becomes the caller's.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `group_not_found`, `invalid_request`; `forbidden` for who may only see it.
 */
export async function putAgentAccess(
  { db }: Pick<AgentDeps, "db">,
  caller: Caller,
  reference: string,
  { visibility, group_id }: PutAgentAccessRequestJson,
): Promise<AgentAccessJson> {
  if ((visibility === "group") !== (group_id !== undefined)) {
    const message = "is given with visibility group, and only then";
    throw new AppError("invalid_request", { issues: [{ path: "/group_id", message }] });
  }
  return db.transaction().execute(async (transaction) => {
    const row = await lockManaged(transaction, caller, reference);
    if (group_id !== undefined) await checkGroup(transaction, caller, group_id);
    const access = {
      visibility,
      group_id: group_id ?? null,
      owner_user_id: visibility === "private" ? caller.userId : row.type === "PERSONAL" ? row.owner_user_id : null,
    };
    const changes = { ...access, updated_at: now() };
    const detail = { from: row.visibility, to: visibility, ...(group_id && { group: group_id }) };
    await recordAudit(transaction, caller, { action: "agent.access_changed", target: row.id, detail });
    return accessJson(await agents.updateAgent(transaction, caller.organizationId, row.id, changes));
  });
}

/** Until then what is left of a deleted agent is removed by the request that deleted it. */
const cleanDelayMs = 60_000;

/**
 * Removes the agent, with the rows of its documents, then what it has elsewhere. What can't be removed becomes a warning, and a job
 * tries again. @throws AppError `agent_not_found`, `invalid_agent_type`; `forbidden` for who may only see it.
 */
export async function deleteAgent(
  deps: AgentDeps,
  caller: Caller,
  reference: string,
): Promise<AgentDeletionJson["warnings"]> {
  const { organizationId } = caller;
  const row = await findVisible(deps.db, caller, reference);
  checkManaged(caller, row);
  const job = await deps.db.transaction().execute(async (transaction) => {
    if (!(await agents.deleteAgent(transaction, organizationId, reference))) throw new AppError("agent_not_found");
    const detail = { type: row.type, name: row.name };
    await recordAudit(transaction, caller, { action: "agent.deleted", target: reference, detail });
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
  engine: EngineName | undefined;
}

/** The schema of an extractor agent. @throws AppError `agent_not_found`, also for an agent of another type; `invalid_config` without params. */
export async function getExtractor(db: Db, caller: Caller, reference: string): Promise<ExtractorAgent> {
  const row = await findVisible(db, caller, reference);
  if (row.type !== "EXTRACTOR") throw new AppError("agent_not_found");
  const { params, engine } = JSON.parse(row.configuration) as ExtractorConfigurationJson;
  if (params.length === 0)
    throw new AppError("invalid_config", { issues: [{ path: "/params", message: "the agent has no params yet" }] });
  return { reference: row.id, params, engine: engine ?? undefined };
}

export interface Documentalist {
  reference: string;
  /** What its answers should be like, as text. */
  consignes: string[];
  /** Whether its answers may show where they come from. */
  showsSources: boolean;
  engine: EngineName | undefined;
}

/**
 * A documentalist that may be asked: through the API one that the whole organization sees, in the web application any that the member
 * sees. @throws AppError `agent_not_found`, also for an agent without a corpus.
 */
export async function getDocumentalist(db: Db, principal: Principal, reference: string): Promise<Documentalist> {
  const row = await findVisible(db, principal, reference);
  const isOpen = row.visibility === "organization" || row.visibility === "public" || principal.channel === "app";
  if (!hasCorpus(principal, row) || !isOpen) throw new AppError("agent_not_found");
  const { consignes, sourceVisibility, engine } = JSON.parse(row.configuration) as DocumentalistConfigurationJson;
  const texts = consignes.map((consigne) => (typeof consigne === "string" ? consigne : consigne.content));
  return { reference: row.id, consignes: texts, showsSources: sourceVisibility, engine: engine ?? undefined };
}

export type Tenant = Pick<Caller, "organizationId">;

/** Whose corpus may be seen. @throws AppError `agent_not_found`; `invalid_agent_type` where it has no corpus. */
export async function checkDocumentalist(db: Db, principal: Principal, reference: string): Promise<void> {
  if (!hasCorpus(principal, await findVisible(db, principal, reference))) throw new AppError("invalid_agent_type");
}

/** Whose corpus may be changed. @throws AppError as `checkDocumentalist`; `forbidden` for who may only see it. */
export async function checkManagedDocumentalist(db: Db, principal: Principal, reference: string): Promise<void> {
  const row = await findVisible(db, principal, reference);
  if (!hasCorpus(principal, row)) throw new AppError("invalid_agent_type");
  if (!mayManage(principal, row)) throw new AppError("forbidden");
}

/** The same, with the agent locked until the transaction ends: its corpus is changed by one at a time. */
export async function lockDocumentalist(transaction: Db, principal: Principal, reference: string): Promise<void> {
  const row = isId(reference) ? await agents.lockAgent(transaction, principal, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  if (!hasCorpus(principal, row)) throw new AppError("invalid_agent_type");
}

/** Locks an agent, if there still is one, until the transaction ends. */
export const lockAgentOfAny = agents.lockAgentOfAny;

/** Of any organization, for work in the background. */
export const findOrganizationOfAgent = agents.findOrganizationOfAgent;

/** Whether there is such an agent, in any organization. */
export const isAgent = async (db: Db, reference: string): Promise<boolean> =>
  (await agents.findOrganizationOfAgent(db, reference)) !== undefined;

/** The operator, working for the organization of an agent that they name. @throws AppError `agent_not_found`. */
export async function getOperatorOfAgent(db: Db, reference: string): Promise<Principal & { operator: string }> {
  const organizationId = await agents.findOrganizationOfAgent(db, reference);
  if (organizationId === undefined) throw new AppError("agent_not_found");
  return { ...onBehalfOf(organizationId), operator: "cli" };
}

/** Anybody, who may ask a public agent. @throws AppError `agent_not_found`, also for one that is not public. */
export async function getPublicAsker(db: Db, reference: string): Promise<Principal> {
  const row = isId(reference) ? await agents.findPublicAgent(db, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  return { organizationId: row.organization_id, channel: "public", userId: null, role: null };
}

/** All agents of an organization that are not deleted, private ones too. */
export const countAgents = agents.countAgents;

/** Every agent of the installation that has a corpus. */
export const listAllDocumentalists = agents.listAllDocumentalists;

async function findVisible(db: Db, viewer: Principal, reference: string): Promise<agents.AgentRow> {
  const row = isId(reference) ? await agents.findAgent(db, viewer, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  return row;
}

async function lockManaged(transaction: Db, caller: Caller, reference: string): Promise<agents.AgentRow> {
  const row = isId(reference) ? await agents.lockAgent(transaction, caller, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  checkManaged(caller, row);
  return row;
}

/** Only the web application has personal agents with a corpus: each its owner's. */
const hasCorpus = ({ channel }: Principal, { type }: agents.AgentRow): boolean =>
  type === "DOCUMENTALIST" || (type === "PERSONAL" && channel === "app");

/** A personal agent is managed by its owner, any other by administrators and whoever works for the organization as a whole. */
const mayManage = ({ role, userId }: Principal, row: agents.AgentRow): boolean =>
  row.type === "PERSONAL" ? row.owner_user_id === userId : role !== "member";

/** @throws AppError `invalid_agent_type`, `forbidden`. */
function checkManaged(caller: Caller, row: agents.AgentRow): void {
  if (row.type === "PERSONAL" && caller.channel === "api") throw new AppError("invalid_agent_type");
  if (!mayManage(caller, row)) throw new AppError("forbidden");
}

function managedType(type: string): ConfigurableAgentType {
  if (type === "EXTRACTOR" || type === "DOCUMENTALIST") return type;
  if (type === "PERSONAL") throw new AppError("invalid_agent_type");
  throw new AppError("invalid_request", { issues: [{ path: "/type", message: "must be EXTRACTOR or DOCUMENTALIST" }] });
}

/** A personal agent answers from a corpus too. */
const configuredAs = (type: AgentType): ConfigurableAgentType => (type === "PERSONAL" ? "DOCUMENTALIST" : type);

function checkedConfiguration(type: AgentType, configuration: unknown, hasModel: boolean): Partial<ConfigurationJson> {
  const issues = configurationIssues(configuredAs(type), configuration);
  if (issues.length > 0) throw new AppError("invalid_config", { issues });
  const checked = configuration as Partial<ConfigurationJson>;
  const { engine = null } = checked;
  if (hasModel || engine === null || engine === "builtin") return checked;
  const message = "needs a language model, and this installation has none";
  throw new AppError("invalid_config", { issues: [{ path: "/configuration/engine", message }] });
}

function storedConfiguration(before: Partial<ConfigurationJson>, supplied: Partial<ConfigurationJson>): string {
  const { engine = null, ...others } = { ...before, ...supplied };
  return JSON.stringify({ ...others, ...(engine !== null && { engine }) });
}

const accessJson = ({ visibility, group_id, owner_user_id }: agents.AgentRow): AgentAccessJson => ({
  visibility,
  group_id,
  owner_user_id,
});

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
