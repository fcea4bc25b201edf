/** Versions of an agent's configuration: recorded with each change, listed, named, compared. */
import type {
  AgentVersionJson,
  AgentVersionSummaryJson,
  ConfigurationChangesJson,
} from "@sheaf/contract/agent-versions.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { personalConfiguration } from "./agent-configuration.ts";
import { findVisible, lockManaged } from "./agent-permissions.ts";
import * as versions from "./agent-versions.repo.ts";
import type { AgentRow } from "./agents.repo.ts";
import { configurationChanges } from "./configuration-changes.ts";

/**
 * Records the current configuration of an agent as its newest version. Call it in the transaction
 * of the change, with the agent locked.
 */
export async function recordVersion(
  transaction: Db,
  caller: Caller,
  agent: AgentRow,
  { restoredFrom = null }: { restoredFrom?: number | null } = {},
): Promise<versions.VersionRow> {
  const last = await versions.findLastVersion(transaction, agent);
  const row = {
    id: newId(),
    organization_id: agent.organization_id,
    agent_id: agent.id,
    number: (last?.number ?? 0) + 1,
    configuration: agent.configuration,
    name: null,
    created_by: caller.userId,
    restored_from: restoredFrom,
    created_at: agent.updated_at,
  };
  await versions.insertVersion(transaction, row);
  await versions.trimVersions(transaction, agent, limits.maxAgentVersions);
  return row;
}

/**
 * Lists the versions, oldest first.
 * @throws AppError `agent_not_found`, `invalid_agent_type`
 */
export async function listVersions(
  { db }: { db: Db },
  caller: Caller,
  reference: string,
  page: PageRequest,
): Promise<ListPage<AgentVersionSummaryJson>> {
  const agent = await findReadable(db, caller, reference);
  const current = await versions.findLastVersion(db, agent);
  const rows = await versions.listVersions(db, agent, page);
  return pageOf(
    rows,
    page,
    ({ created_at, id }) => [created_at, id],
    (row) => summaryJson(row, current?.number),
  );
}

/** @throws AppError `agent_not_found`, `invalid_agent_type`, `not_found` */
export async function getVersion(
  { db }: { db: Db },
  caller: Caller,
  reference: string,
  number: string,
): Promise<AgentVersionJson> {
  const agent = await findReadable(db, caller, reference);
  const row = await findVersion(db, agent, number);
  const current = await findCurrentVersion(db, agent);
  return versionJson(agent, row, current.number);
}

/**
 * Compares a version with a given version, or by default with the preceding one.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `not_found`
 */
export async function compareVersions(
  { db }: { db: Db },
  caller: Caller,
  reference: string,
  { number, from }: { number: string; from: string | undefined },
): Promise<ConfigurationChangesJson> {
  const agent = await findReadable(db, caller, reference);
  const to = await findVersion(db, agent, number);
  const before =
    from === undefined ? await versions.findLastVersion(db, agent, to.number) : await findVersion(db, agent, from);
  const changes = configurationChanges(JSON.parse(before?.configuration ?? "{}"), JSON.parse(to.configuration));
  return { from: before?.number ?? null, to: to.number, ...changes };
}

/**
 * Names a version, or removes its name.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `forbidden`, `not_found`
 */
export async function nameVersion(
  { db }: { db: Db },
  caller: Caller,
  reference: string,
  { number, name }: { number: string; name: string | null },
): Promise<AgentVersionSummaryJson> {
  return db.transaction().execute(async (transaction) => {
    const agent = await lockManaged(transaction, caller, reference);
    const { number: found } = await findVersion(transaction, agent, number);
    const detail = { version: found, name };
    await recordAudit(transaction, caller, { action: "agent.version_named", target: agent.id, detail });
    const row = await versions.nameVersion(transaction, agent, found, name);
    return summaryJson(row, (await findCurrentVersion(transaction, agent)).number);
  });
}

/**
 * Returns an agent whose configuration the caller may see. Only the owner of a personal agent sees
 * its versions.
 */
async function findReadable(db: Db, caller: Caller, reference: string): Promise<AgentRow> {
  const agent = await findVisible(db, caller, reference);
  const isOwn = caller.channel === "app" && agent.owner_user_id === caller.userId;
  if (agent.type === "PERSONAL" && !isOwn) throw new AppError("invalid_agent_type");
  return agent;
}

/** @throws AppError `not_found` */
export async function findVersion(db: Db, agent: AgentRow, number: string): Promise<versions.VersionRow> {
  const isNumber = /^[1-9]\d{0,8}$/.test(number);
  const row = isNumber ? await versions.findVersion(db, agent, Number(number)) : undefined;
  if (row === undefined)
    throw new AppError("not_found", undefined, { message: "The agent has no version with this number." });
  return row;
}

/**
 * Returns the newest version, which is the one in use. Call it only for agents that have versions.
 */
export async function findCurrentVersion(db: Db, agent: AgentRow): Promise<versions.VersionRow> {
  const row = await versions.findLastVersion(db, agent);
  if (row === undefined) throw new Error(`Agent ${agent.id} has no version.`);
  return row;
}

const summaryJson = (row: versions.VersionRow, current: number | undefined): AgentVersionSummaryJson => ({
  number: row.number,
  name: row.name,
  created_at: row.created_at,
  created_by: row.created_by,
  restored_from: row.restored_from,
  is_current: row.number === current,
});

export const versionJson = ({ type }: AgentRow, row: versions.VersionRow, current: number): AgentVersionJson => ({
  ...summaryJson(row, current),
  configuration: type === "PERSONAL" ? personalConfiguration(row.configuration) : JSON.parse(row.configuration),
});
