/** SQL of users: what they belong to, and their passwords where no session is at hand. */

import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface MembershipRow {
  member_id: string;
  organization_id: string;
  name: string;
  role: MemberRole;
}

/** Organizations that a user is an active member of, the oldest membership first. */
export const listMemberships = (db: Db, userId: string): Promise<MembershipRow[]> =>
  db
    .selectFrom("members as m")
    .innerJoin("organizations as o", "o.id", "m.organization_id")
    .select(["m.id as member_id", "o.id as organization_id", "o.name", "m.role"])
    .where("m.user_id", "=", userId)
    .where("m.status", "=", "active")
    .orderBy("m.created_at")
    .orderBy("m.id")
    .execute();

export async function findFirstOrganization(db: Db, userId: string): Promise<string | undefined> {
  return (await listMemberships(db, userId))[0]?.organization_id;
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
}

export const findUser = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom("users").select(["id", "name", "email"]).where("email", "=", email).executeTakeFirst();

export async function updateEmail(db: Db, userId: string, email: string, now: string): Promise<void> {
  await db.updateTable("users").set({ email, updated_at: now }).where("id", "=", userId).execute();
}

/** The hash of a user's password; undefined where they have none. */
export async function findPassword(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("accounts")
    .select("password")
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? undefined;
}

export async function putPassword(
  db: Db,
  account: { id: string; userId: string; password: string; now: string },
): Promise<void> {
  const { id, userId, password, now } = account;
  await db
    .insertInto("accounts")
    .values({
      id,
      user_id: userId,
      account_id: userId,
      provider_id: "credential",
      password,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "provider_id", "account_id"]).doUpdateSet({ password, updated_at: now }),
    )
    .execute();
}

export async function deleteSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteExpiredSessions(db: Db, now: string): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<", now).execute();
}

export async function setActiveOrganization(db: Db, sessionId: string, organizationId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ active_organization_id: organizationId })
    .where("id", "=", sessionId)
    .execute();
}
