/** SQL queries for organizations, their users and members, and the fingerprint of the keys. */

import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  api_enabled: boolean | 0 | 1;
  keep_extractions_days: number | null;
  created_at: string;
}

export const listOrganizations = (db: Db): Promise<OrganizationRow[]> =>
  db
    .selectFrom("organizations")
    .select(["id", "name", "slug", "api_enabled", "keep_extractions_days", "created_at"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/** Finds an organization by id or slug. */
export const findOrganization = (db: Db, key: string): Promise<OrganizationRow | undefined> =>
  db
    .selectFrom("organizations")
    .select(["id", "name", "slug", "api_enabled", "keep_extractions_days", "created_at"])
    .where((where) => where.or([where("id", "=", key), where("slug", "=", key)]))
    .executeTakeFirst();

/** Returns false if the slug is taken. */
export async function insertOrganization(
  db: Db,
  organization: { id: string; name: string; slug: string; now: string },
): Promise<boolean> {
  const { now, ...columns } = organization;
  const result = await db
    .insertInto("organizations")
    .values({ ...columns, api_enabled: true, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function insertMember(
  db: Db,
  member: { id: string; organizationId: string; userId: string; role: MemberRole; now: string },
): Promise<void> {
  await db
    .insertInto("members")
    .values({
      id: member.id,
      organization_id: member.organizationId,
      user_id: member.userId,
      role: member.role,
      status: "active",
      created_at: member.now,
    })
    .execute();
}

/**
 * Returns the first active administrator, who becomes the owner of credentials created on the
 * command line.
 */
export const findAdministrator = (db: Db, organizationId: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom("members")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "administrator")
    .where("status", "=", "active")
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();

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

export async function updateOrganization(
  db: Db,
  id: string,
  changes: { name?: string; api_enabled?: boolean; keep_extractions_days?: number | null; updated_at: string },
): Promise<void> {
  await db.updateTable("organizations").set(changes).where("id", "=", id).execute();
}

export const findKeyFingerprint = (db: Db): Promise<{ key_fingerprint: string } | undefined> =>
  db.selectFrom("installation").select("key_fingerprint").where("id", "=", 1).executeTakeFirst();

export async function insertKeyFingerprint(db: Db, fingerprint: string, now: string): Promise<void> {
  await db
    .insertInto("installation")
    .values({ id: 1, key_fingerprint: fingerprint, created_at: now })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
