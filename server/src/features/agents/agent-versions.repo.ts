/** SQL queries for the versions of agents. Callers check that the agent is visible. */
import type { Insertable, Selectable } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import type { AgentVersionsTable } from "../../records/agent-tables.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { AgentRow } from "./agents.repo.ts";

export type VersionRow = Selectable<AgentVersionsTable>;
type Owner = Pick<AgentRow, "id" | "organization_id">;

const versionsOf = (db: Db, { id, organization_id }: Owner) =>
  db.selectFrom("agent_versions").where("organization_id", "=", organization_id).where("agent_id", "=", id);

export const listVersions = (db: Db, agent: Owner, page: PageRequest): Promise<VersionRow[]> =>
  inPages(versionsOf(db, agent).selectAll(), ["created_at", "id"], page).execute();

export const findVersion = (db: Db, agent: Owner, number: number): Promise<VersionRow | undefined> =>
  versionsOf(db, agent).selectAll().where("number", "=", number).executeTakeFirst();

/**
 * Returns the newest version whose number is less than `number`. If `number` is not given, returns
 * the newest version.
 */
export function findLastVersion(db: Db, agent: Owner, number?: number): Promise<VersionRow | undefined> {
  const all = versionsOf(db, agent).selectAll().orderBy("number", "desc");
  return (number === undefined ? all : all.where("number", "<", number)).limit(1).executeTakeFirst();
}

export async function insertVersion(db: Db, version: Insertable<AgentVersionsTable>): Promise<void> {
  await db.insertInto("agent_versions").values(version).execute();
}

export const nameVersion = (db: Db, agent: Owner, number: number, name: string | null): Promise<VersionRow> =>
  db
    .updateTable("agent_versions")
    .set({ name })
    .where("organization_id", "=", agent.organization_id)
    .where("agent_id", "=", agent.id)
    .where("number", "=", number)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Deletes versions until only `kept` are left. Never deletes the newest version. Deletes versions
 * without a name before named versions, and older versions before newer ones.
 */
export async function trimVersions(db: Db, agent: Owner, kept: number): Promise<void> {
  const rows = await versionsOf(db, agent).select(["number", "name"]).orderBy("number", "asc").execute();
  const excess = rows.length - kept;
  if (excess <= 0) return;
  const former = rows.slice(0, -1);
  const unnamed = former.filter(({ name }) => name === null);
  const named = former.filter(({ name }) => name !== null);
  const numbers = [...unnamed, ...named].slice(0, excess).map(({ number }) => number);
  await db
    .deleteFrom("agent_versions")
    .where("organization_id", "=", agent.organization_id)
    .where("agent_id", "=", agent.id)
    .where("number", "in", numbers)
    .execute();
}
