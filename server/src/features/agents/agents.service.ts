/** Creates, lists, changes and deletes agents, and sets who sees them. */
import {
  type AgentAccessJson,
  type AgentJson,
  type AgentSummaryJson,
  defaultConfigurations,
  type PutAgentAccessRequestJson,
} from "@sheaf/contract/agents.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { checkGroup } from "../organizations/groups.service.ts";
import { lockLimits } from "../plans/plans.service.ts";
import { checkedConfiguration, configuredAs, managedType, storedConfiguration } from "./agent-configuration.ts";
import { accessJson, agentJson, summaryJson } from "./agent-json.ts";
import { findVisible, lockManaged } from "./agent-permissions.ts";
import * as agents from "./agents.repo.ts";

/** Dependencies of creating and changing agents. */
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
 * Creates an agent of the organization. In the web application any member may create a PERSONAL one
 * of their own.
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

/** @throws AppError `agent_not_found` */
export async function getAgent(
  { db }: Pick<ConfigurationDeps, "db">,
  caller: Caller,
  reference: string,
): Promise<AgentJson> {
  return agentJson(await findVisible(db, caller, reference));
}

/**
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `invalid_config`; `forbidden` if the
 * caller may only see the agent
 */
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

/**
 * Returns who sees an agent.
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
 * Sets who sees an agent. One that becomes private then belongs to the caller.
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
    const message = "must be given if visibility is group, and only then";
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
