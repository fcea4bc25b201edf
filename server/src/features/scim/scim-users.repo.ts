/**
 * SQL queries for SCIM users: the members of an organization, with the attributes that its identity
 * provider has set.
 */
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { PeopleTables } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";
import type { Comparison } from "./filter.ts";

type Attributes = Selectable<PeopleTables["scim_users"]>;

/** A member. Attributes that the provider has not set are null. */
export interface ScimUserRow
  extends Pick<Attributes, "external_id" | "display_name" | "formatted_name" | "given_name" | "family_name"> {
  id: string;
  user_id: string;
  /** Name of the account. */
  name: string;
  address: string;
  status: "active" | "disabled";
  created_at: string;
  updated_at: string;
  /** User name that the provider has set, or else the address. */
  user_name: string;
  user_name_key: string;
  is_provisioned: boolean;
}

const usersOfAll = (db: Db) =>
  db
    .selectFrom("members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .leftJoin("scim_users as s", "s.member_id", "m.id");

const users = (db: Db, organizationId: string) => usersOfAll(db).where("m.organization_id", "=", organizationId);

/** Columns of the attributes that a filter may compare. */
const columns: Record<string, ReturnType<typeof sql<string | null>>> = {
  id: sql`m.id`,
  username: sql`coalesce(s.user_name_key, u.address)`,
  externalid: sql`s.external_id`,
  emails: sql`u.address`,
  "emails.value": sql`u.address`,
};
/** Attributes that are compared without regard to case, and stored in lower case. */
const inLowerCase = new Set(["id", "username", "emails", "emails.value"]);

export const isFilterable = (attribute: string): boolean => Object.hasOwn(columns, attribute);

function matching(db: Db, organizationId: string, filter: (Comparison & { value: string }) | undefined) {
  const column = filter && columns[filter.attribute];
  if (filter === undefined || column === undefined) return users(db, organizationId);
  const value = inLowerCase.has(filter.attribute) ? filter.value.toLowerCase() : filter.value;
  const candidates = byIndex[filter.attribute];
  const some =
    candidates === undefined
      ? users(db, organizationId)
      : usersOfAll(db).where("m.id", "in", candidates(organizationId, value));
  return some.where(sql<boolean>`${column} = ${value}`);
}

/**
 * Selects the members with the given address. SQLite reads the tables of a cross join in the order
 * in which they are written, so it looks up the address first.
 */
const withAddress = (organizationId: string, address: string) =>
  sql<string>`select i.id from users as a cross join members as i
    where a.address = ${address} and i.user_id = a.id and i.organization_id = ${organizationId}`;
const withUserName = (organizationId: string, key: string) =>
  sql<string>`select member_id from scim_users where organization_id = ${organizationId} and user_name_key = ${key}`;

/**
 * Maps attributes to functions. Each function returns a subquery that selects, with an index, the
 * members who can match. The index is needed because providers look up every user, and reading
 * 20,000 members takes 85 ms. Only the subqueries have a condition on the organization: if the
 * outer query had one too, SQLite would read all members of the organization.
 */
const byIndex: Record<string, (organizationId: string, value: string) => RawBuilder<string>> = {
  username: (...of) => sql`(${withUserName(...of)} union all ${withAddress(...of)})`,
  emails: (...of) => sql`(${withAddress(...of)})`,
  "emails.value": (...of) => sql`(${withAddress(...of)})`,
};

type Filter = Parameters<typeof matching>[2];

export async function countUsers(db: Db, organizationId: string, filter: Filter): Promise<number> {
  const { count } = await matching(db, organizationId, filter)
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function listUsers(
  db: Db,
  organizationId: string,
  filter: Filter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimUserRow[]> {
  const rows = await matching(db, organizationId, filter)
    .select([
      "m.id",
      "m.user_id",
      "u.name",
      "u.address",
      "m.status",
      "m.created_at",
      "s.member_id",
      "s.user_name",
      "s.user_name_key",
      "s.external_id",
      "s.display_name",
      "s.formatted_name",
      "s.given_name",
      "s.family_name",
      "s.updated_at",
    ])
    .orderBy("m.created_at")
    .orderBy("m.id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ member_id, ...row }) => ({
    ...row,
    user_name: row.user_name ?? row.address,
    user_name_key: row.user_name_key ?? row.address,
    updated_at: row.updated_at ?? row.created_at,
    is_provisioned: member_id !== null,
  }));
}

export async function findUser(db: Db, organizationId: string, id: string): Promise<ScimUserRow | undefined> {
  const [row] = await listUsers(db, organizationId, { attribute: "id", value: id }, { offset: 0, limit: 1 });
  return row;
}

/**
 * Returns whether a member other than `exceptId` has this user name, or has this address and no
 * user name.
 */
export async function isUserNameTaken(
  db: Db,
  organizationId: string,
  userName: string,
  exceptId?: string,
): Promise<boolean> {
  const all = matching(db, organizationId, { attribute: "username", value: userName }).select("m.id");
  const others = exceptId === undefined ? all : all.where("m.id", "!=", exceptId);
  return (await others.executeTakeFirst()) !== undefined;
}

/** Inserts the attributes of a member, or replaces all of them except their time of creation. */
export async function putAttributes(db: Db, row: Insertable<PeopleTables["scim_users"]>): Promise<void> {
  const { member_id, created_at, ...changes } = row;
  await db
    .insertInto("scim_users")
    .values(row)
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet(changes))
    .execute();
}

/** Counts the groups of each of the given members. */
export async function countGroupsOf(db: Db, memberIds: readonly string[]): Promise<Map<string, number>> {
  if (memberIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("scim_group_members")
    .select(["member_id", ({ fn }) => fn.countAll<number | string>().as("count")])
    .where("member_id", "in", memberIds)
    .groupBy("member_id")
    .execute();
  return new Map(rows.map(({ member_id, count }) => [member_id, Number(count)]));
}

/** Lists the groups of the given members. */
export const listGroupsOf = (
  db: Db,
  organizationId: string,
  memberIds: readonly string[],
): Promise<{ member_id: string; id: string; display_name: string }[]> =>
  memberIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("scim_group_members as m")
        .innerJoin("scim_groups as g", "g.id", "m.group_id")
        .select(["m.member_id", "g.id", "g.display_name"])
        .where("g.organization_id", "=", organizationId)
        .where("m.member_id", "in", memberIds)
        .orderBy("g.display_name")
        .execute();
