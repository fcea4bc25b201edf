/**
 * SQL of users, their memberships, passwords and sessions. Better Auth makes further queries of its
 * own.
 */

import { sql } from "kysely";
import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface MembershipRow {
  member_id: string;
  organization_id: string;
  name: string;
  role: MemberRole;
}

/** Lists the organizations that a user is an active member of, oldest membership first. */
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
  address: string;
}

/** Finds users by id or email address. Several users may share an address. */
export const listUsers = (db: Db, key: string): Promise<UserRow[]> =>
  db
    .selectFrom("users")
    .select(["id", "name", "address"])
    .where((where) => where.or([where("id", "=", key), where("address", "=", key)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/** Returns the oldest user for whom the operator has vouched that this address is theirs. */
export const findVerifiedUser = (db: Db, address: string): Promise<UserRow | undefined> =>
  db
    .selectFrom("users")
    .select(["id", "name", "address"])
    .where("address", "=", address)
    .where("email_verified", "=", true)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();

/** @param user `verified`: the operator vouches that the address belongs to the user */
export async function insertUser(
  db: Db,
  user: { id: string; name: string; address: string; verified: boolean; now: string },
): Promise<void> {
  const { id, name, address, verified, now } = user;
  await db
    .insertInto("users")
    .values({ id, name, address, email: id, email_verified: verified, created_at: now, updated_at: now })
    .execute();
}

export interface PasswordRow {
  user_id: string;
  password: string;
}

/**
 * Lists the passwords of the users with an address. Users who are active members somewhere come
 * first; among equals, older users come first.
 */
export async function listPasswords(db: Db, address: string, limit: number): Promise<PasswordRow[]> {
  const rows = await db
    .selectFrom("users as u")
    .innerJoin("accounts as a", "a.user_id", "u.id")
    .select(["u.id as user_id", "a.password"])
    .where("u.address", "=", address)
    .where("a.provider_id", "=", "credential")
    .where("a.password", "is not", null)
    .orderBy(
      sql`case when exists (select 1 from members as m where m.user_id = u.id and m.status = 'active') then 0 else 1 end`,
    )
    .orderBy("u.created_at")
    .orderBy("u.id")
    .limit(limit)
    .execute();
  return rows as PasswordRow[];
}

export async function hasPassword(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("id")
    .where("user_id", "=", userId)
    .where("provider_id", "=", "credential")
    .where("password", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateAddress(db: Db, userId: string, address: string, now: string): Promise<void> {
  await db
    .updateTable("users")
    .set({ address, email_verified: true, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

export async function setVerified(db: Db, userId: string, now: string): Promise<void> {
  await db.updateTable("users").set({ email_verified: true, updated_at: now }).where("id", "=", userId).execute();
}

/**
 * Sets the missing address of users that were inserted by a process of an earlier version during an
 * update.
 */
export async function fillAddresses(db: Db): Promise<void> {
  await db
    .updateTable("users")
    .set((expression) => ({ address: expression.ref("email") }))
    .where("address", "is", null)
    .execute();
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

export interface SessionRow {
  id: string;
  created_at: string;
  updated_at: string;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
}

/** Lists the active sessions of a user, newest first. */
export const listSessions = (db: Db, userId: string, alive: { now: string; since: string }): Promise<SessionRow[]> =>
  db
    .selectFrom("sessions")
    .select(["id", "created_at", "updated_at", "expires_at", "ip_address", "user_agent"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", alive.now)
    .where("created_at", ">", alive.since)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** Returns false if the user has no such session. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteOtherSessions(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).where("id", "!=", sessionId).execute();
}

/** Deletes sessions that expired before `now` for lack of use, and those opened before `since`. */
export async function deleteEndedSessions(db: Db, { now, since }: { now: string; since: string }): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where((where) => where.or([where("expires_at", "<", now), where("created_at", "<", since)]))
    .execute();
}

export async function setActiveOrganization(db: Db, sessionId: string, organizationId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ active_organization_id: organizationId })
    .where("id", "=", sessionId)
    .execute();
}
