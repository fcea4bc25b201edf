/** SQL queries for the links that sign the first administrator in. */
import type { MemberStatus } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface FirstSignInLinkRow {
  /** Name of the process that created the link. It stays the same when the process restarts. */
  worker: string;
  token_hash: string;
  created_at: string;
  expires_at: string;
}

/** Stores a link. It replaces the previous link of the same process. */
export async function putLink(db: Db, link: FirstSignInLinkRow): Promise<void> {
  const { worker: _, ...changes } = link;
  await db
    .insertInto("first_sign_in_links")
    .values(link)
    .onConflict((conflict) => conflict.column("worker").doUpdateSet(changes))
    .execute();
}

export async function isLink(db: Db, tokenHash: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom("first_sign_in_links")
    .select("worker")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLink(db: Db, worker: string): Promise<void> {
  await db.deleteFrom("first_sign_in_links").where("worker", "=", worker).execute();
}

export async function deleteAllLinks(db: Db): Promise<void> {
  await db.deleteFrom("first_sign_in_links").execute();
}

export async function deleteExpiredLinks(db: Db, now: string): Promise<void> {
  await db.deleteFrom("first_sign_in_links").where("expires_at", "<=", now).execute();
}

/** Returns the id of the oldest organization. */
export async function findOldestOrganization(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("organizations")
    .select("id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Locks the organization until the transaction ends. An update is the only way to lock a row that
 * PostgreSQL and SQLite both support.
 */
export async function lockOrganization(db: Db, id: string): Promise<void> {
  await db
    .updateTable("organizations")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("id", "=", id)
    .execute();
}

export interface AdministratorRow {
  user_id: string;
  status: MemberStatus;
  /** Null if the user has no password. */
  password: string | null;
}

/** Lists the administrators of an organization, oldest membership first. */
export const listAdministrators = (db: Db, organizationId: string): Promise<AdministratorRow[]> =>
  db
    .selectFrom("members as m")
    .leftJoin("accounts as a", (join) =>
      join.onRef("a.user_id", "=", "m.user_id").on("a.provider_id", "=", "credential"),
    )
    .select(["m.user_id", "m.status", "a.password"])
    .where("m.organization_id", "=", organizationId)
    .where("m.role", "=", "administrator")
    .orderBy("m.created_at")
    .orderBy("m.id")
    .execute();
