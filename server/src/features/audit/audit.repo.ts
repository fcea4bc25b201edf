/** SQL queries for the audit log. Triggers in both databases reject updates and deletes. */
import type { Insertable, Selectable } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import type { AuditEntriesTable } from "../../records/event-tables.ts";
import type { Db } from "../../records/records.ts";

/** Entry with the current email address of the user, if the account exists. */
export type AuditRow = Selectable<AuditEntriesTable> & { user_email: string | null };

export async function insertEntry(db: Db, entry: Insertable<AuditEntriesTable>): Promise<void> {
  await db.insertInto("audit_entries").values(entry).execute();
}

export interface AuditFilter {
  /**
   * Organization whose entries are listed. If undefined, lists all entries, including those of the
   * installation. Only the operator may list all entries, never a caller.
   */
  organizationId?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  action?: string | undefined;
  newestFirst?: boolean;
}

/**
 * Lists entries in the order of insertion, or newest first. Returns one entry more than the limit
 * if there is a next page.
 */
export function listEntries(db: Db, filter: AuditFilter, { limit, after }: PageRequest): Promise<AuditRow[]> {
  const { organizationId, since, action, newestFirst = false } = filter;
  let query = db
    .selectFrom("audit_entries")
    .leftJoin("users", "users.id", "audit_entries.user_id")
    .selectAll("audit_entries")
    .select("users.address as user_email")
    .orderBy("audit_entries.sequence", newestFirst ? "desc" : "asc");
  if (organizationId !== undefined) query = query.where("audit_entries.organization_id", "=", organizationId);
  if (since !== undefined) query = query.where("audit_entries.created_at", ">=", since);
  if (action !== undefined) query = query.where("audit_entries.action", "=", action);
  if (after !== undefined) {
    const last = db.selectFrom("audit_entries as last").select("last.sequence").where("last.id", "=", after[1]);
    query = query.where("audit_entries.sequence", newestFirst ? "<" : ">", last);
  }
  if (limit !== undefined) query = query.limit(limit + 1);
  return query.execute();
}
