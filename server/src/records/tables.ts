/** Row types of every table. Times are ISO 8601 UTC text, ids UUID v7 text, JSON is text. */
import type { EventName } from "@sheaf/contract/events.ts";
import type { ColumnType, Generated } from "kysely";
import type { Flag, Json, Time } from "./column-types.ts";
import type { PeopleTables } from "./people-tables.ts";

export interface Tables extends PeopleTables {
  installation: InstallationTable;
  plans: PlansTable;
  stripe_customers: StripeCustomersTable;
  stripe_subscriptions: StripeSubscriptionsTable;
  agents: AgentsTable;
  documents: DocumentsTable;
  jobs: JobsTable;
  threads: ThreadsTable;
  messages: MessagesTable;
  extractions: ExtractionsTable;
  token_usage: TokenUsageTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  operations: OperationsTable;
  idempotency_keys: IdempotencyKeysTable;
  request_keys: RequestKeysTable;
  live_processes: LiveProcessesTable;
  model_calls: ModelCallsTable;
  audit_entries: AuditEntriesTable;
}

/** One row: which keys and which installation this database belongs to. */
interface InstallationTable {
  id: number;
  key_fingerprint: string;
  /** Null until the first start of a version that marks its folders. */
  installation_id: ColumnType<string | null, string | undefined, string>;
  /** When the folders had been marked with it; null until then. */
  marked_at: ColumnType<Time | null, Time | undefined, Time>;
  created_at: Time;
}

/** What organizations may have; null is unlimited. */
interface PlansTable {
  name: string;
  max_agents: number | null;
  max_documents_per_agent: number | null;
  max_upload_mb: number | null;
  included_api_tokens: number | null;
  /** At most one: the plan of organizations that neither the operator nor a subscription gives one. */
  is_default: Flag;
  created_at: Time;
  updated_at: Time;
}

/** Which organization pays as which customer of Stripe; one may have several. */
interface StripeCustomersTable {
  id: string;
  organization_id: string;
  /** Of the event that says so, as text that sorts as the events follow each other; the operator's word sorts behind every event. */
  version: string;
}

/** A subscription as the newest event tells of it. */
export interface StripeSubscriptionsTable {
  id: string;
  customer_id: string;
  /** As it comes: the list is open. */
  status: string;
  billing_cycle: "monthly" | "yearly" | null;
  current_period_end: Time | null;
  price_id: string | null;
  /** Of the newest event. */
  version: string;
  /** Of the newest event whose price is that of a plan. */
  plan: string | null;
  plan_version: string;
  started_at: Time;
  updated_at: Time;
}

export type AgentType = "EXTRACTOR" | "DOCUMENTALIST" | "PERSONAL";
export type AgentVisibility = "private" | "group" | "organization" | "public";

export interface AgentsTable {
  /** The agent's reference. */
  id: string;
  organization_id: string;
  type: AgentType;
  visibility: AgentVisibility;
  /** The user that a PERSONAL or private agent belongs to. */
  owner_user_id: string | null;
  /** The group that sees it, with visibility `group`. */
  group_id: string | null;
  name: string;
  description: string | null;
  configuration: Json;
  created_at: Time;
  updated_at: Time;
}

export type DocumentStatus = "pending" | "ready" | "error";
/** How a document came: through the API, whose uploads are told of by an event, or in another way. */
export type DocumentChannel = "api" | "app";

export interface DocumentsTable {
  /** The document's reference. */
  id: string;
  organization_id: string;
  agent_id: string;
  /** Empty at the top of the corpus. Path and name are NFC and unique together within the agent. */
  path: string;
  name: string;
  mime: string;
  /** Bytes of the file. */
  size: number;
  channel: DocumentChannel;
  status: DocumentStatus;
  /** Why the status is `error`: a reason of the error registry, and the same in words. */
  failure: string | null;
  failure_message: string | null;
  /** Null until the file has been opened. */
  pages: number | null;
  pages_done: ColumnType<number, number | undefined, number>;
  /** How many of its passages the index holds; null until it is ready. */
  passages: number | null;
  created_at: Time;
  updated_at: Time;
}

/** Work to do. A row that is done is deleted; one that failed for good stays for a while, to be seen. */
export interface JobsTable {
  id: string;
  name: string;
  /** Whose work it is; empty for the installation's own. No foreign key: what cleans up after a deletion outlives it. */
  organization_id: string;
  payload: Json;
  /** Counts the times that it was begun. Part of every completion. */
  attempt: ColumnType<number, number | undefined, number>;
  /** Counts the crashes, of the service or of a reading process, while it ran. */
  deaths: ColumnType<number, number | undefined, number>;
  /** 1 while it runs and its worker runs no other job that could crash a process. */
  alone: ColumnType<number, number | undefined, number>;
  /** Counts the crashes while it ran alone: evidence that it is the cause. */
  deaths_alone: ColumnType<number, number | undefined, number>;
  run_at: Time;
  /** The process that runs it; null while it waits. */
  worker: string | null;
  /** Counts up while its worker is alive. */
  beats: ColumnType<number, number | undefined, number>;
  failed_at: Time | null;
  /** What went wrong at the last attempt. */
  error: string | null;
  created_at: Time;
}

interface ThreadsTable {
  id: string;
  organization_id: string;
  /** Null for the global extractor. Not a foreign key: a thread outlives its agent, archived. */
  agent_id: string | null;
  channel: UsageChannel;
  /** Whose it is, in the web application; else null. */
  user_id: string | null;
  created_at: Time;
  archived_at: Time | null;
}

interface MessagesTable {
  id: string;
  thread_id: string;
  role: "user" | "assistant";
  content: Json;
  created_at: Time;
}

interface ExtractionsTable {
  id: string;
  organization_id: string;
  agent_id: string | null;
  thread_id: string;
  filename: string;
  pages: number;
  tokens: number;
  duration_ms: number;
  created_at: Time;
}

export type UsageChannel = "api" | "app" | "public";

/** Counter of the language model tokens of all calls that have ended, also of calls that failed. */
interface TokenUsageTable {
  organization_id: string;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  channel: UsageChannel;
  tokens: number;
}

/** One URL per organization and event. */
interface WebhooksTable {
  organization_id: string;
  event: EventName;
  url: string;
  /** Sealed. */
  secret: string;
  created_at: Time;
  updated_at: Time;
}

/** `failed`: refused by the receiver, given up after the last attempt, or called off. */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/** Something to tell, written down with what it tells of. It is kept for a while after its end, to be seen. */
export interface DeliveriesTable {
  /** ULID; the receiver's key to deduplicate by. */
  id: string;
  organization_id: string;
  event: EventName;
  /** Null: it goes to the webhook of the event. Else the URL of one request, which gets the data alone. */
  callback_url: string | null;
  data: Json;
  status: DeliveryStatus;
  /** Why it failed, in words. */
  failure: string | null;
  created_at: Time;
  ended_at: Time | null;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  /** From 1. */
  attempt: number;
  url: string;
  /** Null where no answer came. */
  http_status: number | null;
  error: string | null;
  /** How the body of the answer begins. */
  response: string | null;
  duration_ms: number;
  attempted_at: Time;
}

/** Who did what, when and from where. Rows are only added. */
export interface AuditEntriesTable {
  /** Numbered by the database; the order of the log. */
  sequence: Generated<number>;
  id: string;
  /** Whose matter it is; null for the installation's own. */
  organization_id: string | null;
  action: string;
  /** Id of what was changed. */
  target: string | null;
  detail: Json;
  /** The channel and the ids of a caller; null where an operator did it. */
  channel: "api" | "app" | null;
  user_id: string | null;
  member_id: string | null;
  credential_id: string | null;
  /** Which tool of the operator's did it, such as `cli`; null for a caller. */
  operator: string | null;
  address: string | null;
  request_id: string | null;
  created_at: Time;
}

export type OperationKind = "extraction" | "classification";
export type OperationStatus = "started" | "success" | "error";

/** Work on a file whose request has been answered already. */
export interface OperationsTable {
  /** `extract_id` or `classification_id`. */
  id: string;
  organization_id: string;
  kind: OperationKind;
  /** The agent whose work it is; null for none. No foreign key: the work outlives the agent. */
  agent_id: string | null;
  /** What was asked for, without the file. */
  request: Json;
  callback_url: string | null;
  channel: Exclude<UsageChannel, "public">;
  /** Whose it is, in the web application; else null. */
  user_id: string | null;
  status: OperationStatus;
  /** How it ended, as it is delivered and shown. */
  outcome: Json | null;
  created_at: Time;
  ended_at: Time | null;
}

/** Of the version before, which kept them for an organization as a whole. Nothing reads it. */
interface IdempotencyKeysTable {
  organization_id: string;
  key: string;
  /** Tells the request from any other. */
  fingerprint: string;
  /** Null while the first request is under way. */
  answer: ColumnType<Json | null, Json | null | undefined, Json | null>;
  created_at: Time;
}

/** An idempotency key of one credential or user. */
interface RequestKeysTable {
  organization_id: string;
  /** The credential, or the user of a session. */
  sender: string;
  key: string;
  /** Tells the request from any other. */
  fingerprint: string;
  /** Tells this use of the key from any other. */
  claim: string;
  /** Id of the process in which the request is, or was, under way. */
  process: string;
  /** Sealed; null while the request is under way, or where the reply held a secret. */
  reply: string | null;
  /** Of what was made, where the reply held a secret. */
  reference: string | null;
  created_at: Time;
}

/** The processes that share the database. */
interface LiveProcessesTable {
  /** Another one at each start. */
  id: string;
  /** Name of the owner of the data folder, the same after a restart. */
  worker: string;
  /** Counts up while the process is alive. */
  beats: ColumnType<number, number | undefined, number>;
}

/** One HTTP call of a language model; what was sent is not kept. */
interface ModelCallsTable {
  id: string;
  organization_id: string;
  channel: UsageChannel;
  /** What for: extract, … */
  purpose: string;
  /** Base URL. */
  endpoint: string;
  model: string;
  /** Of the request's body, and its hash. */
  bytes: number;
  sha256: string;
  input_tokens: number;
  output_tokens: number;
  /** The endpoint told no tokens. */
  estimated: Flag;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  created_at: Time;
  /** Tokens held for a call under way; null once it has ended. */
  reserved_tokens: number | null;
  /** When the call has surely ended: a reservation that is older belongs to a process that crashed. */
  reserved_until: Time | null;
}
