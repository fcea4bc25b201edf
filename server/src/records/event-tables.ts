/** Row types of recorded events: webhook deliveries, the audit log, and changes of state. */
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
  /** Secret for signing deliveries, encrypted. */
  secret: string;
  created_at: Time;
  updated_at: Time;
}

/**
 * `failed` means that the receiver refused the delivery, that the last attempt failed, or that the
 * delivery was cancelled.
 */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/**
 * A webhook or callback delivery, inserted in the transaction that causes it. A delivery that has
 * ended is kept for a while for inspection.
 */
export interface DeliveriesTable {
  /** A ULID, by which receivers recognize a delivery that they have already received. */
  id: string;
  organization_id: string;
  event: EventName;
  /**
   * Callback URL given in a request. Only the data of the event is sent to it. Null if the delivery
   * is sent to the event's webhook.
   */
  callback_url: string | null;
  data: Json;
  status: DeliveryStatus;
  /** Reason for the failure, to be shown to people. */
  failure: string | null;
  /** Number of attempts made before the last replay. */
  earlier_attempts: ColumnType<number, number | undefined, number>;
  /** True for a test event sent by an administrator. */
  test: ColumnType<boolean | 0 | 1, boolean | undefined, never>;
  created_at: Time;
  ended_at: Time | null;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  /** Number of the attempt, starting at 1. A replay continues the numbering. */
  attempt: number;
  url: string;
  /** Status of the receiver's response; null if there was no response. */
  http_status: number | null;
  error: string | null;
  /** Beginning of the response body. */
  response: string | null;
  duration_ms: number;
  /** When the attempt began. The request body contains this time as `timestamp`. */
  attempted_at: Time;
}

/** The audit log: who did what, when and from where. Append-only. */
export interface AuditEntriesTable {
  /** Assigned by the database. It defines the order of the log. */
  sequence: Generated<number>;
  id: string;
  /** The organization that the entry concerns; null if it concerns the whole installation. */
  organization_id: string | null;
  action: string;
  /** Id of the object that was changed. */
  target: string | null;
  detail: Json;
  /**
   * Channel of the caller. The channel and the ids of the caller are null if an operator made the
   * change.
   */
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
 * Who may be told about a change of state:
 * - `agent`: everyone who can see the agent.
 * - `user_or_administrator`: the user and administrators.
 * - `user`: only the user, or API clients if there is no user.
 * - `administrator`: administrators.
 * - `organization`: everyone in the organization.
 * - `group`: the group, the user, administrators and API clients.
 */
export type ChangeAudience = "agent" | "user_or_administrator" | "user" | "administrator" | "organization" | "group";

/**
 * A change of state. It is kept for some minutes, so that each process can report it to its
 * clients.
 */
export interface StateChangesTable {
  /** Number assigned by the database at insertion. Transactions may commit in a different order. */
  sequence: Generated<number>;
  organization_id: string;
  type: WatchedType;
  object_id: string;
  agent_id: string | null;
  status: WatchedStatus;
  audience: ChangeAudience;
  /** The user to whom the audience refers, such as the object's owner; null if there is none. */
  user_id: string | null;
  /** The group that is told about the change if the audience is `group`. */
  group_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
}
