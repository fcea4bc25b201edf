/** SQL queries for groups and their members. */
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";

export interface GroupRow {
  id: string;
  name: string;
  created_at: string;
  updated_at: string;
}

const groups = (db: Db, organizationId: string) =>
  db
    .selectFrom("groups")
    .select(["id", "name", "created_at", "updated_at"])
    .where("organization_id", "=", organizationId);

export const listGroups = (db: Db, organizationId: string, page: PageRequest): Promise<GroupRow[]> =>
  inPages(groups(db, organizationId), ["created_at", "id"], page).execute();

/** Lists the ids of the groups that a user is in. */
export async function listGroupsOfUser(db: Db, organizationId: string, userId: string): Promise<string[]> {
  const rows = await groups(db, organizationId)
    .where("id", "in", db.selectFrom("group_members").select("group_id").where("user_id", "=", userId))
    .execute();
  return rows.map(({ id }) => id);
}

export const findGroup = (db: Db, organizationId: string, id: string): Promise<GroupRow | undefined> =>
  groups(db, organizationId).where("id", "=", id).executeTakeFirst();

export const findGroupByName = (db: Db, organizationId: string, name: string): Promise<GroupRow | undefined> =>
  groups(db, organizationId).where("name", "=", name).executeTakeFirst();

/**
 * Lists the members of the groups who are still members of the organization, in the order in which
 * they joined the organization.
 */
export const listGroupMembers = (
  db: Db,
  organizationId: string,
  groupIds: readonly string[],
): Promise<{ group_id: string; member_id: string }[]> =>
  groupIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("group_members as g")
        .innerJoin("members as m", "m.user_id", "g.user_id")
        .select(["g.group_id", "m.id as member_id"])
        .where("m.organization_id", "=", organizationId)
        .where("g.group_id", "in", groupIds)
        .orderBy("m.created_at")
        .orderBy("m.id")
        .execute();

/** Inserts a group. Returns false if the organization already has a group with this name. */
export async function insertGroup(
  db: Db,
  group: { id: string; organizationId: string; name: string; now: string },
): Promise<boolean> {
  const { id, organizationId, name, now } = group;
  const result = await db
    .insertInto("groups")
    .values({ id, organization_id: organizationId, name, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(["organization_id", "name"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Returns whether a different group of the organization has this name. */
export async function isNameTaken(db: Db, organizationId: string, name: string, by: string): Promise<boolean> {
  const row = await groups(db, organizationId).where("name", "=", name).where("id", "!=", by).executeTakeFirst();
  return row !== undefined;
}

export async function updateGroup(db: Db, id: string, changes: { name?: string; updated_at: string }): Promise<void> {
  await db.updateTable("groups").set(changes).where("id", "=", id).execute();
}

/** Replaces all members of the group. */
export async function replaceGroupMembers(
  db: Db,
  groupId: string,
  rows: readonly { id: string; userId: string }[],
  now: string,
): Promise<void> {
  await db.deleteFrom("group_members").where("group_id", "=", groupId).execute();
  if (rows.length === 0) return;
  const values = rows.map(({ id, userId }) => ({ id, group_id: groupId, user_id: userId, created_at: now }));
  await db.insertInto("group_members").values(values).execute();
}

/** Returns false if the user is in the group already. */
export async function addGroupMember(
  db: Db,
  { id, groupId, userId, now }: { id: string; groupId: string; userId: string; now: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("group_members")
    .values({ id, group_id: groupId, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(["group_id", "user_id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns false if the user is not in the group. */
export async function removeGroupMember(db: Db, groupId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("group_members")
    .where("group_id", "=", groupId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns false if there is no such group. */
export async function deleteGroup(db: Db, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("groups")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
