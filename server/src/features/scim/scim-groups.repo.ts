/** SQL queries for SCIM groups. */
import { sql } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Comparison } from "./filter.ts";

export interface ScimGroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: string;
  updated_at: string;
}

/** Maximum number of members in one statement. SQLite accepts 32,766 parameters in a statement. */
const membersPerStatement = 1_000;

/** Columns of the attributes that a filter may compare. */
const columns: Record<string, ReturnType<typeof sql<string | null>>> = {
  id: sql`id`,
  displayname: sql`display_name`,
  externalid: sql`external_id`,
};

export const isFilterable = (attribute: string): boolean => Object.hasOwn(columns, attribute);

function groups(db: Db, organizationId: string, filter?: Comparison & { value: string }) {
  const all = db.selectFrom("scim_groups").where("organization_id", "=", organizationId);
  const column = filter && columns[filter.attribute];
  if (filter === undefined || column === undefined) return all;
  const value = filter.attribute === "id" ? filter.value.toLowerCase() : filter.value;
  return all.where(sql<boolean>`${column} = ${value}`);
}

type Filter = Parameters<typeof groups>[2];

export async function countGroups(db: Db, organizationId: string, filter: Filter): Promise<number> {
  const { count } = await groups(db, organizationId, filter)
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const ofGroup = ["id", "display_name", "external_id", "created_at", "updated_at"] as const;

export const listGroups = (
  db: Db,
  organizationId: string,
  filter: Filter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimGroupRow[]> =>
  groups(db, organizationId, filter)
    .select(ofGroup)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();

export const findGroup = (db: Db, organizationId: string, id: string): Promise<ScimGroupRow | undefined> =>
  groups(db, organizationId, { attribute: "id", value: id }).select(ofGroup).executeTakeFirst();

/** Counts the members of each of the given groups. */
export async function countMembersOf(db: Db, groupIds: readonly string[]): Promise<Map<string, number>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("scim_group_members")
    .select(["group_id", ({ fn }) => fn.countAll<number | string>().as("count")])
    .where("group_id", "in", groupIds)
    .groupBy("group_id")
    .execute();
  return new Map(rows.map(({ group_id, count }) => [group_id, Number(count)]));
}

export async function listMemberIds(db: Db, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom("scim_group_members").select("member_id").where("group_id", "=", groupId).execute();
  return rows.map(({ member_id }) => member_id);
}

/** Lists the members of the groups with the names of their accounts. */
export const listMembersOf = (
  db: Db,
  groupIds: readonly string[],
): Promise<{ group_id: string; member_id: string; name: string }[]> =>
  groupIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("scim_group_members as g")
        .innerJoin("members as m", "m.id", "g.member_id")
        .innerJoin("users as u", "u.id", "m.user_id")
        .select(["g.group_id", "g.member_id", "u.name"])
        .where("g.group_id", "in", groupIds)
        .orderBy("m.created_at")
        .orderBy("m.id")
        .execute();

/** Inserts a group, or changes the display name and the external id of an existing group. */
export async function putGroup(db: Db, group: ScimGroupRow & { organization_id: string }): Promise<void> {
  const { display_name, external_id, updated_at } = group;
  await db
    .insertInto("scim_groups")
    .values(group)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ display_name, external_id, updated_at }))
    .execute();
}

export async function addMembers(db: Db, groupId: string, memberIds: readonly string[]): Promise<void> {
  for (const some of inParts(memberIds))
    await db
      .insertInto("scim_group_members")
      .values(some.map((member_id) => ({ group_id: groupId, member_id })))
      .execute();
}

export async function removeMembers(db: Db, groupId: string, memberIds: readonly string[]): Promise<void> {
  for (const some of inParts(memberIds))
    await db.deleteFrom("scim_group_members").where("group_id", "=", groupId).where("member_id", "in", some).execute();
}

/** Returns the given ids that belong to members of the organization. */
export async function listKnown(db: Db, organizationId: string, memberIds: readonly string[]): Promise<string[]> {
  const known: string[] = [];
  for (const some of inParts(memberIds)) {
    const rows = await db
      .selectFrom("members")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("id", "in", some)
      .execute();
    known.push(...rows.map(({ id }) => id));
  }
  return known;
}

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += membersPerStatement) yield ids.slice(at, at + membersPerStatement);
}

export async function deleteGroup(db: Db, id: string): Promise<void> {
  await db.deleteFrom("scim_groups").where("id", "=", id).execute();
}
