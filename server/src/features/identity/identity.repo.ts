/**
 * SQL queries for users, their memberships, passwords and sessions. Better Auth also runs its own
 * queries.
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

const memberships = (db: Db, userId: string) =>
  db
    .selectFrom("members as m")
    .innerJoin("organizations as o", "o.id", "m.organization_id")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["m.id as member_id", "o.id as organization_id", "o.name", "m.role"])
    .where("m.user_id", "=", userId)
    .where("m.status", "=", "active")
    .orderBy("m.created_at")
    .orderBy("m.id");

/** Lists the organizations that a user is an active member of, oldest membership first. */
export const listMemberships = (db: Db, userId: string): Promise<MembershipRow[]> => memberships(db, userId).execute();

/**
 * Lists the memberships that a session gives access to. A session opened by single sign-on gives
 * access only to the organization whose provider opened it, because the administrators of that
 * organization control the provider. Any other session gives no access to an organization that
 * requires sign-on of this user, unless the user is its break-glass administrator. An organization
 * requires sign-on if it enforces sign-on for the domain of the user's address. It also requires
 * sign-on if the user has signed on with its provider and the operator does not vouch for the
 * user's address.
 * @param signOnOrganizationId the organization whose provider opened the session
 */
export function listAccessible(
  db: Db,
  userId: string,
  signOnOrganizationId: string | null | undefined,
): Promise<MembershipRow[]> {
  if (signOnOrganizationId) return memberships(db, userId).where("o.id", "=", signOnOrganizationId).execute();
  return memberships(db, userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sign_on_providers as p")
            .select("p.organization_id")
            .whereRef("p.organization_id", "=", "m.organization_id")
            .where(
              ({ ref, fn, val }) => sql<boolean>`${fn.coalesce("p.break_glass_member_id", val(""))} <> ${ref("m.id")}`,
            )
            .where((inner) =>
              inner.or([
                inner.and([
                  inner("p.enforced", "=", true),
                  inner.exists(
                    inner
                      .selectFrom("organization_domains as d")
                      .select("d.domain")
                      .whereRef("d.organization_id", "=", "m.organization_id")
                      .where(({ ref }) => sql<boolean>`${ref("u.address")} like '%@' || ${ref("d.domain")}`),
                  ),
                ]),
                inner.and([
                  inner("u.email_verified", "=", false),
                  inner.exists(
                    inner
                      .selectFrom("sign_on_identities as i")
                      .select("i.subject")
                      .whereRef("i.organization_id", "=", "m.organization_id")
                      .whereRef("i.user_id", "=", "m.user_id"),
                  ),
                ]),
              ]),
            ),
        ),
      ),
    )
    .execute();
}

/**
 * Returns whether the user is an active member of at least one organization, and all organizations
 * that the user is an active member of require sign-on.
 */
export const isSignOnRequired = async (db: Db, userId: string): Promise<boolean> =>
  (await listAccessible(db, userId, null)).length === 0 && (await listMemberships(db, userId)).length > 0;

/**
 * Returns the id of the organization with the oldest membership among those that the user can
 * access with a password.
 */
export async function findFirstOrganization(db: Db, userId: string): Promise<string | undefined> {
  return (await listAccessible(db, userId, null))[0]?.organization_id;
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

/**
 * Returns the user with this address, if the operator has vouched that the address belongs to the
 * user. If there are several such users, returns the one whose account is oldest.
 */
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
 * Lists the passwords of the users with the given email address. Users who are active members of
 * any organization come first. Within each group, the user whose account is oldest comes first.
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
 * Fills in the missing `address` of users that a process of an earlier version inserted during an
 * upgrade.
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
  sign_on_organization_id: string | null;
}

/** Restricts a query to the sessions of a user that are visible from the current session. */
export interface SessionFilter {
  userId: string;
  /** If not null, only sessions opened with the provider of this organization are included. */
  signOnOrganizationId: string | null;
}

/** Lists the active sessions of a user, newest first. */
export const listSessions = (
  db: Db,
  { userId, signOnOrganizationId }: SessionFilter,
  alive: { now: string; since: string; signedOnSince: string },
): Promise<SessionRow[]> =>
  db
    .selectFrom("sessions")
    .select(["id", "created_at", "updated_at", "expires_at", "ip_address", "user_agent", "sign_on_organization_id"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", alive.now)
    .where("created_at", ">", alive.since)
    .where((where) =>
      where.or([where("sign_on_organization_id", "is", null), where("created_at", ">", alive.signedOnSince)]),
    )
    .$if(signOnOrganizationId !== null, (query) => query.where("sign_on_organization_id", "=", signOnOrganizationId))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** Returns false if the user has no such session. */
export async function deleteSession(
  db: Db,
  { userId, signOnOrganizationId }: SessionFilter,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .$if(signOnOrganizationId !== null, (query) => query.where("sign_on_organization_id", "=", signOnOrganizationId))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/** Deletes the sessions that the provider of an organization has opened. */
export async function deleteSignOnSessions(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom("sessions").where("sign_on_organization_id", "=", organizationId).execute();
}

/**
 * Ends the access that a user's sessions have to an organization. Deletes the sessions that the
 * organization's provider opened. If the user is no longer an active member of any organization,
 * also deletes the sessions that no provider opened. In the remaining sessions, the organization is
 * no longer the active one.
 */
export async function endAccess(db: Db, userId: string, organizationId: string): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        eb("sign_on_organization_id", "=", organizationId),
        and([
          eb("sign_on_organization_id", "is", null),
          not(exists(selectFrom("members").select("id").where("user_id", "=", userId).where("status", "=", "active"))),
        ]),
      ]),
    )
    .execute();
  await db
    .updateTable("sessions")
    .set({ active_organization_id: null })
    .where("user_id", "=", userId)
    .where("active_organization_id", "=", organizationId)
    .execute();
}

/**
 * Returns whether this organization alone controls the account: the user is a member of no other
 * organization, the operator does not vouch for the address, and the account has neither a password
 * nor a passkey.
 */
export async function isManagedBy(db: Db, userId: string, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom("users as u")
    .select("u.id")
    .where("u.id", "=", userId)
    .where("u.email_verified", "=", false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as m")
            .select("m.id")
            .whereRef("m.user_id", "=", "u.id")
            .where("m.organization_id", "!=", organizationId),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("accounts as a")
            .select("a.id")
            .whereRef("a.user_id", "=", "u.id")
            .where("a.password", "is not", null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("passkeys as p").select("p.id").whereRef("p.user_id", "=", "u.id"))),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sets the name and address of a user whom an organization manages. The address stays unverified.
 */
export async function updateManagedUser(
  db: Db,
  userId: string,
  changes: { name: string; address: string; now: string },
): Promise<void> {
  const { name, address, now } = changes;
  await db.updateTable("users").set({ name, address, updated_at: now }).where("id", "=", userId).execute();
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
