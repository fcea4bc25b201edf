/** SQL queries for SCIM tokens. */
import type { Insertable } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { PeopleTables } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface ScimTokenRow {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export const listTokens = (db: Db, organizationId: string, page: PageRequest): Promise<ScimTokenRow[]> =>
  inPages(
    db
      .selectFrom("scim_tokens")
      .select(["id", "name", "created_at", "last_used_at"])
      .where("organization_id", "=", organizationId),
    ["created_at", "id"],
    page,
  ).execute();

/** Finds the token with this hash. */
export const findToken = (
  db: Db,
  hash: string,
): Promise<{ id: string; organization_id: string; last_used_at: string | null } | undefined> =>
  db
    .selectFrom("scim_tokens")
    .select(["id", "organization_id", "last_used_at"])
    .where("token_hash", "=", hash)
    .executeTakeFirst();

export async function insertToken(db: Db, row: Insertable<PeopleTables["scim_tokens"]>): Promise<void> {
  await db.insertInto("scim_tokens").values(row).execute();
}

export async function noteUse(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable("scim_tokens").set({ last_used_at: now }).where("id", "=", id).execute();
}

/** Deletes a token. Returns its name; undefined if the organization has no such token. */
export async function deleteToken(db: Db, organizationId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom("scim_tokens")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}
