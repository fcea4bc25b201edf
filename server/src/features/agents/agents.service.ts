/** Creates, lists, changes and deletes agents, and sets who can see them. */

import { defaultConfigurations } from "@sheaf/contract/agent-configurations.ts";
import type { AgentVersionJson } from "@sheaf/contract/agent-versions.ts";
import type {
  AgentAccessJson,
  AgentJson,
  AgentSummaryJson,
  PutAgentAccessRequestJson,
} from "@sheaf/contract/agents.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { checkGroup } from "../organizations/groups.service.ts";
import { lockLimits } from "../plans/plans.service.ts";
import {
  checkedConfiguration,
  managedType,
  personalConfiguration,
  storedConfiguration,
} from "./agent-configuration.ts";
import { accessJson, agentJson, ownAgentJson, summaryJson } from "./agent-json.ts";
import { findVisible, lockManaged } from "./agent-permissions.ts";
import { findCurrentVersion, findVersion, recordVersion, versionJson } from "./agent-versions.service.ts";
import * as agents from "./agents.repo.ts";

/** Dependencies of the functions that create and change agents. */
export interface ConfigurationDeps {
  db: Db;
  /** True if the installation has a language model. */
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
  { db }: Pick<ConfigurationDeps, "db">,
  caller: Caller,
  page: PageRequest,
): Promise<ListPage<AgentSummaryJson>> {
  const rows = await agents.listAgents(db, caller, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], summaryJson);
}

/**
 * Creates an agent of the organization. In the web application, any member may create a PERSONAL
 * agent, which then belongs to them.
 * @throws AppError `invalid_request`, `invalid_agent_type`, `invalid_config`, `quota_exceeded`;
 * `forbidden` if the caller is not an administrator
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
    configuration: storedConfiguration(defaultConfigurations[type], configuration),
    index_version: 0,
    created_at: at,
    updated_at: at,
  };
  let created = agentJson(row);
  await db.transaction().execute(async (transaction) => {
    const { max_agents: limit } = await lockLimits(transaction, caller);
    const current = await agents.countAgents(transaction, caller.organizationId);
    if (limit !== null && current >= limit) throw new AppError("quota_exceeded", { limit, current });
    if (isPersonal) await checkCorpora(transaction, caller, row.configuration);
    await agents.insertAgent(transaction, row);
    await recordVersion(transaction, caller, row);
    const detail = { type, name: row.name, visibility: row.visibility };
    await recordAudit(transaction, caller, { action: "agent.created", target: row.id, detail });
    created = await shownAgent(transaction, caller, row);
    await atCommit?.(transaction, created);
  });
  return created;
}

/**
 * Returns the agent as the caller sees it. Only the owner of a personal agent sees its
 * configuration.
 */
async function shownAgent(db: Db, caller: Caller, row: agents.AgentRow): Promise<AgentJson> {
  const isOwn = row.type === "PERSONAL" && caller.channel === "app" && row.owner_user_id === caller.userId;
  if (!isOwn) return agentJson(row);
  const { corpora } = personalConfiguration(row.configuration);
  return ownAgentJson(row, await agents.findVisibleCorpora(db, caller, corpora));
}

/**
 * Throws unless the caller sees every corpus that the configuration of a personal agent names.
 * Corpora named by the previous configuration, `before`, are accepted even if the caller no longer
 * sees them.
 * @throws AppError `invalid_config`
 */
async function checkCorpora(db: Db, caller: Caller, configuration: string, before = "{}"): Promise<void> {
  const { corpora } = personalConfiguration(configuration);
  const had = new Set(personalConfiguration(before).corpora);
  const visible = await agents.findVisibleCorpora(db, caller, corpora.filter(isId));
  const message = "must be the reference of a documentalist agent that you see";
  const issues = corpora.flatMap((corpus, index) =>
    had.has(corpus) || visible.has(corpus) ? [] : [{ path: `/configuration/corpora/${index}`, message }],
  );
  if (issues.length > 0) throw new AppError("invalid_config", { issues });
}

/** @throws AppError `agent_not_found` */
export async function getAgent(
  { db }: Pick<ConfigurationDeps, "db">,
  caller: Caller,
  reference: string,
): Promise<AgentJson> {
  return shownAgent(db, caller, await findVisible(db, caller, reference));
}

/**
 * Changes the given members of an agent.
 * @param evaluated the stored configuration that the new configuration was compared with, if it was
 * compared
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `invalid_config`; `forbidden` if the
 * caller may only see the agent; `conflict` if the stored configuration is no longer the same as
 * `evaluated`
 */
export async function updateAgent(
  { db, hasModel }: ConfigurationDeps,
  caller: Caller,
  reference: string,
  patch: AgentPatch,
  evaluated?: string,
): Promise<AgentJson> {
  return db.transaction().execute(async (transaction) => {
    const row = await lockManaged(transaction, caller, reference);
    if (evaluated !== undefined && evaluated !== row.configuration) {
      const message =
        "Another request has changed the configuration in the meantime; get it again and repeat the change.";
      throw new AppError("conflict", undefined, { message });
    }
    const { type } = row;
    const changes: agents.AgentChanges = {};
    if (patch.name !== undefined) changes.name = patch.name;
    if (patch.description !== undefined) changes.description = patch.description;
    if (patch.configuration !== undefined) {
      const supplied = checkedConfiguration(type, patch.configuration, hasModel);
      const before = type === "PERSONAL" ? personalConfiguration(row.configuration) : JSON.parse(row.configuration);
      changes.configuration = storedConfiguration(before, supplied);
      if (type === "PERSONAL") await checkCorpora(transaction, caller, changes.configuration, row.configuration);
    }
    const changed = Object.keys(changes);
    if (changed.length === 0) return shownAgent(transaction, caller, row);
    await recordAudit(transaction, caller, { action: "agent.updated", target: row.id, detail: { changed } });
    const updated = { ...changes, updated_at: now() };
    const after = await agents.updateAgent(transaction, caller.organizationId, row.id, updated);
    if (after.configuration !== row.configuration) await recordVersion(transaction, caller, after);
    return shownAgent(transaction, caller, after);
  });
}

/**
 * Restores the configuration of an earlier version. Returns the version that is current afterwards.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `not_found`; `invalid_config` if this
 * configuration is no longer accepted; `forbidden` if the caller may only see the agent
 */
export async function restoreVersion(
  { db, hasModel }: ConfigurationDeps,
  caller: Caller,
  { reference, number }: { reference: string; number: string },
  atCommit?: AtCommit<AgentVersionJson>,
): Promise<AgentVersionJson> {
  return db.transaction().execute(async (transaction) => {
    const row = await lockManaged(transaction, caller, reference);
    const version = await findVersion(transaction, row, number);
    const { configuration } = version;
    const isPersonal = row.type === "PERSONAL";
    const accepted = isPersonal ? personalConfiguration(configuration) : JSON.parse(configuration);
    checkedConfiguration(row.type, accepted, hasModel);
    if (isPersonal) await checkCorpora(transaction, caller, configuration, row.configuration);
    let current = await findCurrentVersion(transaction, row);
    if (configuration !== row.configuration) {
      const detail = { version: version.number };
      await recordAudit(transaction, caller, { action: "agent.version_restored", target: row.id, detail });
      const changes = { configuration, updated_at: now() };
      const after = await agents.updateAgent(transaction, caller.organizationId, row.id, changes);
      current = await recordVersion(transaction, caller, after, { restoredFrom: version.number });
    }
    const restored = versionJson(row, current, current.number);
    await atCommit?.(transaction, restored);
    return restored;
  });
}

/**
 * Returns who can see an agent.
 * @throws AppError `agent_not_found`
 */
export async function getAgentAccess(
  { db }: Pick<ConfigurationDeps, "db">,
  caller: Caller,
  reference: string,
): Promise<AgentAccessJson> {
  return accessJson(await findVisible(db, caller, reference));
}

/**
 * Sets who can see an agent. If an agent is made private, the caller becomes its owner.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `group_not_found`, `invalid_request`;
 * `forbidden` if the caller may only see the agent
 */
export async function putAgentAccess(
  { db }: Pick<ConfigurationDeps, "db">,
  caller: Caller,
  reference: string,
  { visibility, group_id }: PutAgentAccessRequestJson,
): Promise<AgentAccessJson> {
  if ((visibility === "group") !== (group_id !== undefined)) {
    const message = "must be present if visibility is group, and absent otherwise";
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
