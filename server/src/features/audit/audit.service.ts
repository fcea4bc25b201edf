/** The audit log: whoever changes something says so here, in the transaction of the change. What is only read is not told of. */
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import * as audit from "./audit.repo.ts";

/** A caller of the service, or an operator by the tool at hand: `{ operator: "cli" }` is the command line. */
export type AuditActor = Caller | { operator: string; organizationId?: string };

export interface AuditEntry {
  /** Whose matter it is. Default: the actor's organization; none is the installation's own matter. */
  organizationId?: string;
  /** `noun.verb` in the past: `agent.created`. */
  action: string;
  /** Id of what was changed. */
  target?: string | null;
  /** What helps to understand the change. Never secrets, never the content of documents. */
  detail?: Record<string, unknown>;
}

/** Adds an entry; `db` is the transaction of what it tells of, so that neither is there without the other. */
export async function recordAudit(db: Db, actor: AuditActor, entry: AuditEntry): Promise<void> {
  const caller = "operator" in actor ? undefined : actor;
  await audit.insertEntry(db, {
    id: newId(),
    organization_id: entry.organizationId ?? actor.organizationId ?? null,
    action: entry.action,
    target: entry.target ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
    channel: caller?.channel ?? null,
    user_id: caller?.userId ?? null,
    member_id: caller?.memberId ?? null,
    credential_id: caller?.credentialId ?? null,
    operator: "operator" in actor ? actor.operator : null,
    address: caller?.address ?? null,
    request_id: caller?.requestId ?? null,
    created_at: now(),
  });
}
