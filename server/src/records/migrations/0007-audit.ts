/**
 * The audit log: what was changed, by whom and from where. The database itself refuses to change or
 * delete entries.
 */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes, Dialect } from "../migrate.ts";

export async function audit(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  // There are no foreign keys, because an entry outlives the organization, the user and the
  // credential that it names.
  await db.schema
    .createTable("audit_entries")
    .addColumn("sequence", types.sequence, (c) => c.primaryKey())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("organization_id", "text")
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("target", "text")
    .addColumn("detail", "text", (c) => c.notNull())
    .addColumn("channel", "text")
    .addColumn("user_id", "text")
    .addColumn("member_id", "text")
    .addColumn("credential_id", "text")
    .addColumn("operator", "text")
    .addColumn("address", "text")
    .addColumn("request_id", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("audit_entries_organization")
    .on("audit_entries")
    .columns(["organization_id", "sequence"])
    .execute();
  for (const statement of guards[types.dialect]) await sql.raw(statement).execute(db);
}

const refusal = "The audit log is only added to.";

const guards: Record<Dialect, string[]> = {
  sqlite: ["update", "delete"].map(
    (change) =>
      `create trigger audit_entries_no_${change} before ${change} on audit_entries begin select raise(abort, '${refusal}'); end`,
  ),
  postgres: [
    `create function refuse_audit_change() returns trigger language plpgsql as $$ begin raise exception '${refusal}'; end $$`,
    `create trigger audit_entries_only_added_to before update or delete or truncate on audit_entries
       for each statement execute function refuse_audit_change()`,
  ],
};
