/** SQL queries for members. */
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { MemberRole, MemberStatus } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface MemberRow {
  id: string;
  user_id: string;
  name: string;
  email: string;
  role: MemberRole;
  status: MemberStatus;
  created_at: string;
}

const members = (db: Db, organizationId: string) =>
  db
    .selectFrom(
      db
        .selectFrom("members as m")
        .innerJoin("users as u", "u.id", "m.user_id")
        .select(["m.id", "m.user_id", "u.name", "u.address as email", "m.role", "m.status", "m.created_at"])
        .where("m.organization_id", "=", organizationId)
        .as("members"),
    )
    .selectAll();

export const listMembers = (db: Db, organizationId: string, page: PageRequest): Promise<MemberRow[]> =>
  inPages(members(db, organizationId), ["created_at", "id"], page).execute();

export const findMember = (db: Db, organizationId: string, id: string): Promise<MemberRow | undefined> =>
  members(db, organizationId).where("id", "=", id).executeTakeFirst();

export const findMemberByEmail = (db: Db, organizationId: string, email: string): Promise<MemberRow | undefined> =>
  members(db, organizationId).where("email", "=", email).executeTakeFirst();

export const findMemberOfUser = (db: Db, organizationId: string, userId: string): Promise<MemberRow | undefined> =>
  members(db, organizationId).where("user_id", "=", userId).executeTakeFirst();

/** Lists the members with the given ids. Omits members of other organizations. */
export const listMembersWithIds = (db: Db, organizationId: string, ids: readonly string[]): Promise<MemberRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : members(db, organizationId).where("id", "in", ids).execute();

/** Returns the user ids of the given members. Omits members of other organizations. */
export async function listUsersOfMembers(db: Db, organizationId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("members")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function updateMember(
  db: Db,
  id: string,
  changes: { role?: MemberRole; status?: MemberStatus },
): Promise<void> {
  await db.updateTable("members").set(changes).where("id", "=", id).execute();
}

/** Deletes a member, their credentials and their group memberships. */
export async function deleteMember(db: Db, organizationId: string, member: MemberRow): Promise<void> {
  const groupsOf = db.selectFrom("groups").select("id").where("organization_id", "=", organizationId);
  await db
    .deleteFrom("group_members")
    .where("user_id", "=", member.user_id)
    .where("group_id", "in", groupsOf)
    .execute();
  await db.deleteFrom("members").where("id", "=", member.id).execute();
}

export async function countAdministrators(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("members")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("role", "=", "administrator")
    .where("status", "=", "active")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns whether the organization enforces sign-on, but its break-glass member is no longer an
 * active administrator.
 */
export async function isBreakGlassMissing(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom("sign_on_providers as p")
    .select("p.organization_id")
    .where("p.organization_id", "=", organizationId)
    .where("p.enforced", "=", true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as m")
            .select("m.id")
            .whereRef("m.id", "=", "p.break_glass_member_id")
            .where("m.role", "=", "administrator")
            .where("m.status", "=", "active"),
        ),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}
