/**
 * The audit log. Every change is recorded in the transaction that makes it. Reads are not recorded.
 */
import type { AuditEntryJson } from "@sheaf/contract/audit.ts";
import type { Administrator, Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import * as audit from "./audit.repo.ts";

/**
 * Who made a change:
 * - a caller
 * - the operator, named by the tool used (`{ operator: "cli" }` for the command line)
 * - a system that the organization has authorized, with the source of its request
 * - a stranger, who failed to authenticate
 */
export type AuditActor =
  | Caller
  | { operator: string; organizationId?: string; source?: Pick<Caller, "address" | "requestId"> }
  | { stranger: Pick<Caller, "address" | "requestId">; organizationId?: string };

export interface AuditEntry {
  /**
   * The organization concerned. Default: the actor's organization, or the installation if the actor
   * has none.
   */
  organizationId?: string;
  /** `noun.verb`, with the verb in the past tense: `agent.created`. */
  action: string;
  /** Id of what was changed. */
  target?: string | null;
  /** Context of the change. Never secrets or contents of documents. */
  detail?: Record<string, unknown>;
}

/**
 * Adds an entry.
 * @param db the transaction of the change, so that entry and change are committed together
 */
export async function recordAudit(db: Db, actor: AuditActor, entry: AuditEntry): Promise<void> {
  const caller = "operator" in actor || "stranger" in actor ? undefined : actor;
  const source = "stranger" in actor ? actor.stranger : "operator" in actor ? actor.source : actor;
  await audit.insertEntry(db, {
    id: newId(),
    organization_id: entry.organizationId ?? actor.organizationId ?? null,
    action: entry.action,
    target: entry.target ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
    channel: caller?.channel ?? ("stranger" in actor ? "app" : null),
    user_id: caller?.userId ?? null,
    member_id: caller?.memberId ?? null,
    credential_id: caller?.credentialId ?? null,
    operator: "operator" in actor ? actor.operator : null,
    address: source?.address ?? null,
    request_id: source?.requestId ?? null,
    created_at: now(),
  });
}

type Wanted = Pick<audit.AuditFilter, "since" | "action" | "newestFirst">;

/** Lists the log of the caller's organization. */
export async function listAudit(
  db: Db,
  { organizationId }: Administrator,
  wanted: Wanted,
  page: PageRequest,
): Promise<ListPage<AuditEntryJson>> {
  const rows = await audit.listEntries(db, { ...wanted, organizationId }, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], entryJson);
}

const readAtOnce = 500;

/**
 * Streams the matching entries for the operator, oldest first. Reads them page by page, to use
 * little memory.
 */
export async function* readAudit(
  db: Db,
  filter: Omit<audit.AuditFilter, "newestFirst">,
): AsyncGenerator<AuditEntryJson & { organization_id: string | null }> {
  let last: audit.AuditRow | undefined;
  for (;;) {
    const after = last && ([last.created_at, last.id] as const);
    const rows = await audit.listEntries(db, filter, { limit: readAtOnce, ...(after && { after }) });
    const shown = rows.slice(0, readAtOnce);
    for (const row of shown) yield { organization_id: row.organization_id, ...entryJson(row) };
    if (rows.length === shown.length) return;
    last = shown.at(-1);
  }
}

/**
 * Converts a date or time to ISO 8601 in the format of the log. Returns undefined if the text is
 * neither a date nor a time.
 */
export function timeOf(text: string): string | undefined {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isIso ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const entryJson = (row: audit.AuditRow): AuditEntryJson => ({
  id: row.id,
  created_at: row.created_at,
  action: row.action,
  target: row.target,
  detail: JSON.parse(row.detail),
  actor: {
    kind: row.channel === "api" ? "credential" : row.channel === "app" ? "session" : "operator",
    user_id: row.user_id,
    user_email: row.user_email,
    member_id: row.member_id,
    credential_id: row.credential_id,
    operator: row.operator,
  },
  address: row.address,
  request_id: row.request_id,
});
