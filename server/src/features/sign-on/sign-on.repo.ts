/** SQL queries for email domains, identity providers, and the accounts at these providers. */
import type { Insertable, Selectable } from "kysely";
import type { PeopleTables } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export type ProviderRow = Selectable<PeopleTables["sign_on_providers"]>;

/** Lists the email domains of an organization. */
export async function listDomains(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("organization_domains")
    .select("domain")
    .where("organization_id", "=", organizationId)
    .orderBy("domain")
    .execute();
  return rows.map(({ domain }) => domain);
}

/** Returns the organization to which a domain belongs. */
export async function findOwner(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("organization_domains")
    .select("organization_id")
    .where("domain", "=", domain)
    .executeTakeFirst();
  return row?.organization_id;
}

/** Inserts a domain. Returns false if it already belongs to an organization. */
export async function insertDomain(
  db: Db,
  row: { domain: string; organization_id: string; created_at: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("organization_domains")
    .values(row)
    .onConflict((conflict) => conflict.column("domain").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes a domain. Returns false if the organization does not have it. */
export async function deleteDomain(db: Db, organizationId: string, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("organization_domains")
    .where("organization_id", "=", organizationId)
    .where("domain", "=", domain)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function hasProviders(db: Db): Promise<boolean> {
  const row = await db.selectFrom("sign_on_providers").select("organization_id").limit(1).executeTakeFirst();
  return row !== undefined;
}

export const findProvider = (db: Db, organizationId: string): Promise<ProviderRow | undefined> =>
  db.selectFrom("sign_on_providers").selectAll().where("organization_id", "=", organizationId).executeTakeFirst();

export const findProviderOfDomain = (db: Db, domain: string): Promise<ProviderRow | undefined> =>
  db
    .selectFrom("sign_on_providers as p")
    .innerJoin("organization_domains as d", "d.organization_id", "p.organization_id")
    .selectAll("p")
    .where("d.domain", "=", domain)
    .executeTakeFirst();

/** Inserts the provider of an organization, or replaces everything except its time of creation. */
export async function putProvider(db: Db, row: Insertable<PeopleTables["sign_on_providers"]>): Promise<void> {
  const { organization_id, created_at, ...changes } = row;
  await db
    .insertInto("sign_on_providers")
    .values(row)
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changes))
    .execute();
}

/** Deletes the provider of an organization. Returns false if the organization has none. */
export async function deleteProvider(db: Db, organizationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sign_on_providers")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export interface GroupMappingRow {
  value: string;
  group_id: string;
  name: string;
}

export const listGroupMappings = (db: Db, organizationId: string): Promise<GroupMappingRow[]> =>
  db
    .selectFrom("sign_on_groups as s")
    .innerJoin("groups as g", "g.id", "s.group_id")
    .select(["s.value", "s.group_id", "g.name"])
    .where("s.organization_id", "=", organizationId)
    .orderBy("s.value")
    .orderBy("g.name")
    .execute();

export async function replaceGroupMappings(
  db: Db,
  organizationId: string,
  rows: readonly { value: string; group_id: string }[],
): Promise<void> {
  await db.deleteFrom("sign_on_groups").where("organization_id", "=", organizationId).execute();
  if (rows.length === 0) return;
  await db
    .insertInto("sign_on_groups")
    .values(rows.map((row) => ({ organization_id: organizationId, ...row })))
    .execute();
}

/** An account at the identity provider of an organization. */
export interface Identity {
  organizationId: string;
  issuer: string;
  subject: string;
}

export async function findUserOf(db: Db, { organizationId, issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db
    .selectFrom("sign_on_identities")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** Returns whether a user of the organization is connected to an account at the provider. */
export async function isConnected(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("sign_on_identities")
    .select("subject")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertIdentity(
  db: Db,
  { organizationId, issuer, subject }: Identity,
  { userId, now }: { userId: string; now: string },
): Promise<void> {
  await db
    .insertInto("sign_on_identities")
    .values({ organization_id: organizationId, issuer, subject, user_id: userId, created_at: now, last_used_at: now })
    .execute();
}

export async function noteUse(db: Db, { organizationId, issuer, subject }: Identity, now: string): Promise<void> {
  await db
    .updateTable("sign_on_identities")
    .set({ last_used_at: now })
    .where("organization_id", "=", organizationId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

export async function deleteIdentity(db: Db, { organizationId, issuer, subject }: Identity): Promise<void> {
  await db
    .deleteFrom("sign_on_identities")
    .where("organization_id", "=", organizationId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

export async function deleteIdentities(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom("sign_on_identities").where("organization_id", "=", organizationId).execute();
}

/** Lists the names of the groups that the provider of an organization pushes by SCIM. */
export async function listScimGroupNames(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("scim_groups")
    .select("display_name")
    .where("organization_id", "=", organizationId)
    .execute();
  return rows.map(({ display_name }) => display_name);
}

/**
 * Lists the ids of the members of all groups that the provider of an organization pushes by SCIM.
 */
export async function listScimMembers(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("scim_group_members as m")
    .innerJoin("scim_groups as g", "g.id", "m.group_id")
    .select("m.member_id")
    .distinct()
    .where("g.organization_id", "=", organizationId)
    .execute();
  return rows.map(({ member_id }) => member_id);
}

/** Lists the names of the SCIM groups of each member. */
export const listScimValues = (
  db: Db,
  organizationId: string,
  memberIds: readonly string[],
): Promise<{ member_id: string; value: string }[]> =>
  db
    .selectFrom("scim_group_members as m")
    .innerJoin("scim_groups as g", "g.id", "m.group_id")
    .select(["m.member_id", "g.display_name as value"])
    .where("g.organization_id", "=", organizationId)
    .where("m.member_id", "in", memberIds)
    .execute();
