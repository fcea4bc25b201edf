/** SQL queries for agents. Every query leaves out what the principal may not see. */
import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import type { Principal } from "../../lib/caller.ts";
import type { PageRequest } from "../../lib/paging.ts";
import type { AgentsTable } from "../../records/agent-tables.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export type AgentRow = Selectable<AgentsTable>;

export const listAgents = (db: Db, viewer: Principal, page: PageRequest): Promise<AgentRow[]> =>
  inPages(visibleAgents(db, viewer), ["created_at", "id"], page).execute();

/** Lists the agents of the given types that the viewer may see. */
export const listAgentsOfTypes = (
  db: Db,
  viewer: Principal,
  types: readonly AgentRow["type"][],
  page: PageRequest,
): Promise<AgentRow[]> =>
  inPages(visibleAgents(db, viewer).where("type", "in", types), ["created_at", "id"], page).execute();

export const findAgent = (db: Db, viewer: Principal, id: string): Promise<AgentRow | undefined> =>
  visibleAgents(db, viewer).where("id", "=", id).executeTakeFirst();

/**
 * Returns the agent and locks its row until the transaction ends. The lock is an update that
 * changes nothing, because this is the only row lock that both databases support.
 */
export const lockAgent = (db: Db, viewer: Principal, id: string): Promise<AgentRow | undefined> =>
  db
    .updateTable("agents")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("organization_id", "=", viewer.organizationId)
    .where("id", "=", id)
    .where(isVisibleTo(viewer))
    .returningAll()
    .executeTakeFirst();

export const selectVisible = (db: Db, viewer: Principal) =>
  db
    .selectFrom("agents")
    .select("agents.id")
    .where("organization_id", "=", viewer.organizationId)
    .where(isVisibleTo(viewer));

const visibleAgents = (db: Db, viewer: Principal) =>
  db.selectFrom("agents").selectAll().where("organization_id", "=", viewer.organizationId).where(isVisibleTo(viewer));

/**
 * Returns the condition that the principal may see an agent. A private agent is visible to its
 * owner only, and only in the web application. An administrator sees the agents of every group.
 */
function isVisibleTo({ channel, userId, role }: Principal) {
  return (where: ExpressionBuilder<Tables, "agents">) => {
    const open = where("visibility", "in", ["organization", "public"]);
    if (channel === "api") return where("visibility", "!=", "private");
    if (channel === "public") return where("visibility", "=", "public");
    const ofGroup = where("visibility", "=", "group");
    const inGroup = where.exists(
      where
        .selectFrom("group_members")
        .select("group_members.id")
        .whereRef("group_members.group_id", "=", "agents.group_id")
        .where("group_members.user_id", "=", userId ?? ""),
    );
    return where.or([
      open,
      where("owner_user_id", "=", userId ?? ""),
      role === "administrator" ? ofGroup : where.and([ofGroup, inGroup]),
    ]);
  };
}

/** Returns the documentalists with the given ids that are visible to the principal. */
export async function findVisibleCorpora(
  db: Db,
  viewer: Principal,
  ids: readonly string[],
): Promise<Map<string, AgentRow>> {
  if (ids.length === 0) return new Map();
  const rows = await visibleAgents(db, viewer).where("type", "=", "DOCUMENTALIST").where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns a public agent of any organization. */
export const findPublicAgent = (db: Db, id: string): Promise<AgentRow | undefined> =>
  db.selectFrom("agents").selectAll().where("id", "=", id).where("visibility", "=", "public").executeTakeFirst();

/**
 * Returns the organization of an agent. Searches all organizations: use it for the operator only,
 * never for a caller.
 */
export async function findOrganizationOfAgent(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("agents").select("organization_id").where("id", "=", id).executeTakeFirst();
  return row?.organization_id;
}

/**
 * Locks an agent of any organization until the transaction ends. Use it for background work only,
 * never for a caller.
 */
export async function lockAgentOfAny(db: Db, id: string): Promise<void> {
  await db
    .updateTable("agents")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("id", "=", id)
    .execute();
}

/**
 * Increases the index version of an agent, to record that the set of its indexed documents changes.
 * Locks the agent until the transaction ends, so that versions are committed in the order of their
 * numbers.
 */
export async function changeIndexVersion(transaction: Db, id: string): Promise<void> {
  await transaction
    .updateTable("agents")
    .set((expression) => ({ index_version: expression("index_version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/**
 * Returns the index version of each given agent: the version of its set of indexed documents.
 * Leaves out agents that do not exist.
 */
export const listIndexVersions = (
  db: Db,
  ids: readonly string[],
): Promise<Pick<DocumentalistRow, "id" | "index_version">[]> =>
  db.selectFrom("agents").select(["id", "index_version"]).where("id", "in", ids).execute();

export interface DocumentalistRow {
  id: string;
  organization_id: string;
  name: string;
  index_version: number;
}

/** Lists agents of all organizations. Use it for the operator only, never for a caller. */
export const listAllDocumentalists = (db: Db): Promise<DocumentalistRow[]> =>
  db
    .selectFrom("agents")
    .select(["id", "organization_id", "name", "index_version"])
    .where("type", "in", ["DOCUMENTALIST", "PERSONAL"])
    .orderBy("id")
    .execute();

/** Counts all agents. Includes private agents, because they count towards the quota, too. */
export async function countAgents(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("agents")
    .select((expression) => expression.fn.countAll<number | string>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertAgent(db: Db, agent: Insertable<AgentsTable>): Promise<void> {
  await db.insertInto("agents").values(agent).execute();
}

export type AgentChanges = Partial<
  Pick<AgentRow, "name" | "description" | "configuration" | "visibility" | "owner_user_id" | "group_id">
>;

export const updateAgent = (
  db: Db,
  organizationId: string,
  id: string,
  changes: AgentChanges & { updated_at: string },
): Promise<AgentRow> =>
  db
    .updateTable("agents")
    .set(changes)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes an agent. Returns false if it was already deleted. */
export async function deleteAgent(db: Db, organizationId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom("agents")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
