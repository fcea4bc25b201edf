/** Row types of what happened: deliveries to webhooks, the audit log, and changes of state. */
import type { EventName } from "@sheaf/contract/events.ts";
import type { WatchedStatus, WatchedType } from "@sheaf/contract/live-states.ts";
import type { ColumnType, Generated } from "kysely";
import type { Json, Time } from "./column-types.ts";

export interface EventTables {
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  audit_entries: AuditEntriesTable;
  state_changes: StateChangesTable;
}

/** One URL per organization and event. */
interface WebhooksTable {
  organization_id: string;
  event: EventName;
  url: string;
  /** Encrypted. */
  secret: string;
  created_at: Time;
  updated_at: Time;
}

/** `failed`: refused by the receiver, failed at the last attempt, or cancelled. */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/**
 * A webhook or callback delivery, inserted in the transaction that causes it. Kept for a while
 * after its end for inspection.
 */
export interface DeliveriesTable {
  /** ULID; receivers deduplicate by it. */
  id: string;
  organization_id: string;
  event: EventName;
  /**
   * URL of the callback of one request, which receives only the data of the event. Null if the
   * delivery is sent to the webhook of the event.
   */
  callback_url: string | null;
  data: Json;
  status: DeliveryStatus;
  /** Reason of the failure, in words. */
  failure: string | null;
  /** Attempts made before the last replay. */
  earlier_attempts: ColumnType<number, number | undefined, number>;
  /** True for a test event, which an administrator sent. */
  test: ColumnType<boolean | 0 | 1, boolean | undefined, never>;
  created_at: Time;
  ended_at: Time | null;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  /** Starts at 1. A replay continues the numbers. */
  attempt: number;
  url: string;
  /** Null if there was no response. */
  http_status: number | null;
  error: string | null;
  /** Beginning of the response body. */
  response: string | null;
  duration_ms: number;
  /** When the attempt began; the `timestamp` of the body. */
  attempted_at: Time;
}

/** The audit log: who did what, when and from where. Append-only. */
export interface AuditEntriesTable {
  /** Numbered by the database; the order of the log. */
  sequence: Generated<number>;
  id: string;
  /** The organization concerned; null for the installation. */
  organization_id: string | null;
  action: string;
  /** Id of what was changed. */
  target: string | null;
  detail: Json;
  /** Channel and ids of the caller; null if an operator did it. */
  channel: "api" | "app" | null;
  user_id: string | null;
  member_id: string | null;
  credential_id: string | null;
  /** Tool used by the operator, such as `cli`; null for a caller. */
  operator: string | null;
  address: string | null;
  request_id: string | null;
  created_at: Time;
}

/**
 * Who may learn of a change: those who see the agent; the user and administrators; only the user,
 * or the API if there is none; administrators; the whole organization; or the group, the user,
 * administrators and the API.
 */
export type ChangeAudience = "agent" | "user_or_administrator" | "user" | "administrator" | "organization" | "group";

/** A change of state, kept for some minutes for the processes that report it to their clients. */
export interface StateChangesTable {
  /** Numbered by the database. Transactions may commit in another order. */
  sequence: Generated<number>;
  organization_id: string;
  type: WatchedType;
  object_id: string;
  agent_id: string | null;
  status: WatchedStatus;
  audience: ChangeAudience;
  /** Owner in the web application; null for the API. */
  user_id: string | null;
  /** Group of the audience `group`. */
  group_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
}
