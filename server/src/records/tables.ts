/** Row types of all tables. Times are ISO 8601 UTC text, ids UUID v7 text, JSON is text. */
import type { EventName } from "@sheaf/contract/events.ts";
import type { WatchedStatus, WatchedType } from "@sheaf/contract/live-states.ts";
import type { ColumnType, Generated } from "kysely";
import type { Flag, Json, Time } from "./column-types.ts";
import type { PeopleTables } from "./people-tables.ts";

export interface Tables extends PeopleTables {
  installation: InstallationTable;
  plans: PlansTable;
  stripe_customers: StripeCustomersTable;
  stripe_subscriptions: StripeSubscriptionsTable;
  agents: AgentsTable;
  agent_versions: AgentVersionsTable;
  documents: DocumentsTable;
  jobs: JobsTable;
  threads: ThreadsTable;
  messages: MessagesTable;
  extractions: ExtractionsTable;
  kept_extractions: KeptExtractionsTable;
  kept_classifications: KeptClassificationsTable;
  learned_papers: LearnedPapersTable;
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
  state_changes: StateChangesTable;
}

/** Table with a single row: the keys and the installation to which this database belongs. */
interface InstallationTable {
  id: number;
  key_fingerprint: string;
  /** Null until the first start of a version that marks its folders. */
  installation_id: ColumnType<string | null, string | undefined, string>;
  /** Time when the folders were marked with the installation id; null until then. */
  marked_at: ColumnType<Time | null, Time | undefined, Time>;
  created_at: Time;
}

/** Named limits of organizations. Null stands for unlimited. */
interface PlansTable {
  name: string;
  max_agents: number | null;
  max_documents_per_agent: number | null;
  max_upload_mb: number | null;
  included_api_tokens: number | null;
  /**
   * True for at most one plan. It applies to organizations that have a plan neither from the
   * operator nor from a subscription.
   */
  is_default: Flag;
  created_at: Time;
  updated_at: Time;
}

/** Stripe customers and the organization that each pays for. An organization may have several. */
interface StripeCustomersTable {
  id: string;
  organization_id: string;
  /**
   * Version of the event that linked customer and organization, as text that sorts in the order of
   * events. The version of a link by the operator sorts after every event.
   */
  version: string;
}

/** A subscription as reported by the newest event. */
export interface StripeSubscriptionsTable {
  id: string;
  customer_id: string;
  /** Status as received from Stripe, which may add new ones. */
  status: string;
  billing_cycle: "monthly" | "yearly" | null;
  current_period_end: Time | null;
  price_id: string | null;
  /** Version of the newest event. */
  version: string;
  /** Plan of the newest event whose price belongs to a plan. */
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
  /** The user that owns a PERSONAL or private agent. */
  owner_user_id: string | null;
  /** The group that sees the agent if its visibility is `group`. */
  group_id: string | null;
  name: string;
  description: string | null;
  configuration: Json;
  /** Incremented whenever a document of the agent becomes ready or a ready one is deleted. */
  index_version: Generated<number>;
  created_at: Time;
  updated_at: Time;
}

/** A configuration that an agent has or had. */
export interface AgentVersionsTable {
  id: string;
  organization_id: string;
  agent_id: string;
  /** Number of the version. Each change of the agent's configuration adds one. */
  number: number;
  configuration: Json;
  name: string | null;
  /** The user who set the configuration; null if unknown. */
  created_by: string | null;
  /** Number of the version that was restored. */
  restored_from: number | null;
  created_at: Time;
}

export type DocumentStatus = "pending" | "ready" | "error";
/** How a document was uploaded. Only uploads through the API (`api`) emit events. */
export type DocumentChannel = "api" | "app";

export interface DocumentsTable {
  /** The document's reference. */
  id: string;
  organization_id: string;
  agent_id: string;
  /**
   * Empty at the top level of the corpus. Path and name are in NFC and, together, unique within the
   * agent.
   */
  path: string;
  name: string;
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  channel: DocumentChannel;
  status: DocumentStatus;
  /** Reason for the status `error`, from the error registry. */
  failure: string | null;
  failure_message: string | null;
  /** Null until the file has been opened. */
  pages: number | null;
  pages_done: ColumnType<number, number | undefined, number>;
  /** Number of passages in the index; null until the document is ready. */
  passages: number | null;
  created_at: Time;
  updated_at: Time;
}

/** Work to do. A finished job is deleted; a failed one is kept for a while for inspection. */
export interface JobsTable {
  id: string;
  name: string;
  /**
   * Organization on whose behalf the job runs; empty for the installation. Not a foreign key,
   * because clean-up jobs outlive a deletion.
   */
  organization_id: string;
  payload: Json;
  /**
   * Number of attempts started. A worker may end the job only while this number is that of its own
   * attempt (fencing token).
   */
  attempt: ColumnType<number, number | undefined, number>;
  /** Crash count: how often the service or a reading process crashed while running the job. */
  deaths: ColumnType<number, number | undefined, number>;
  /** 1 while the job runs and its worker runs no other job that could crash a process. */
  alone: ColumnType<number, number | undefined, number>;
  /** Number of crashes while the job ran alone, which are evidence that the job is the cause. */
  deaths_alone: ColumnType<number, number | undefined, number>;
  run_at: Time;
  /** The worker that holds the job; null while it waits. */
  worker: string | null;
  /** Heartbeat counter of the worker that holds the job. */
  beats: ColumnType<number, number | undefined, number>;
  failed_at: Time | null;
  /** Error of the latest attempt. */
  error: string | null;
  created_at: Time;
}

interface ThreadsTable {
  id: string;
  organization_id: string;
  /** Null for the global extractor. Not a foreign key: an archived thread outlives its agent. */
  agent_id: string | null;
  channel: UsageChannel;
  /** Owner in the web application; null for the API. */
  user_id: string | null;
  /**
   * Title set by a user, or else made from the first question. Null for extractions and before the
   * first question.
   */
  title: string | null;
  created_at: Time;
  /** When the last message was recorded. */
  updated_at: Time;
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

export type ReviewStatus = "to_review" | "reviewed";

/** A paper that an extractor agent has learned from. */
export interface LearnedPapersTable {
  id: string;
  organization_id: string;
  agent_id: string;
  /** No foreign key, because what was learned outlives the kept extraction. Null if imported. */
  extraction_id: string | null;
  source: "correction" | "review" | "import";
  filename: string;
  /** Summary of the lessons, for people. */
  facts: Json;
  /** The fixed texts of the paper, as the engine encodes them. */
  skeleton: string;
  anchors: Json;
  times_used: number;
  last_used_at: Time | null;
  created_at: Time;
}

/** A classification kept for review, with its file and the Document read from it. */
export interface KeptClassificationsTable {
  /** The `classification_id` of the operation. */
  id: string;
  organization_id: string;
  channel: Exclude<UsageChannel, "public">;
  /** Owner in the web application; null for the API. */
  user_id: string | null;
  filename: string;
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
  pages: number;
  /** The result as it was returned. Never changed. */
  data: Json;
  /** Segments as a person has corrected them; null if nobody has. */
  corrected_segments: Json | null;
  /** Grows with each change; a change states the version that it is based on. */
  version: number;
  created_at: Time;
  updated_at: Time;
  expires_at: Time;
}

/** An extraction kept for review, with its file and the Document read from it. */
export interface KeptExtractionsTable {
  /** `extract_id` of an asynchronous extraction. */
  id: string;
  organization_id: string;
  /** Null for the global extractor. */
  agent_id: string | null;
  channel: Exclude<UsageChannel, "public">;
  /** Owner in the web application; null for the API. */
  user_id: string | null;
  filename: string;
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
  pages: number;
  params: Json;
  /** The result as it was returned. Never changed. */
  data: Json;
  evidence: Json;
  /** Number of values that a person should check: found with low confidence or without evidence. */
  unsure: number;
  /** Corrections in the order in which they are applied. */
  corrections: Json;
  /** Grows with each change; a change states the version that it is based on. */
  version: number;
  status: ReviewStatus;
  /**
   * Id of the user who reviewed the extraction. Not a foreign key, because a review outlives its
   * user.
   */
  reviewed_by: string | null;
  reviewed_at: Time | null;
  created_at: Time;
  updated_at: Time;
  expires_at: Time;
}

export type UsageChannel = "api" | "app" | "public";

/** Tokens of all language model calls that have ended, including failed ones. */
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
  /** Starts at 1, and goes on after a replay. */
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
 * Who may learn of a change: those who see the agent; the user and administrators; or only the
 * user, or the API if there is none.
 */
export type ChangeAudience = "agent" | "user_or_administrator" | "user";

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
  created_at: Time;
}

export type OperationKind = "extraction" | "classification";
export type OperationStatus = "started" | "success" | "error";

/** An asynchronous extraction or classification. */
export interface OperationsTable {
  /** `extract_id` or `classification_id`. */
  id: string;
  organization_id: string;
  kind: OperationKind;
  /**
   * The agent used; null if the request named none. Not a foreign key, because an operation
   * outlives its agent.
   */
  agent_id: string | null;
  /** The request without the file. */
  request: Json;
  callback_url: string | null;
  channel: Exclude<UsageChannel, "public">;
  /** Owner in the web application; null for the API. */
  user_id: string | null;
  status: OperationStatus;
  /** The outcome as delivered and shown; null while it runs. */
  outcome: Json | null;
  created_at: Time;
  ended_at: Time | null;
}

/**
 * Table of an earlier version, whose keys belonged to the whole organization. Not read any more.
 */
interface IdempotencyKeysTable {
  organization_id: string;
  key: string;
  /** Identifies the request. */
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
  /** Identifies the request. */
  fingerprint: string;
  /** Identifies this use of the key. */
  claim: string;
  /** Id of the process that handles, or handled, the request. */
  process: string;
  /** Encrypted; null while the request is under way, or if the reply held a secret. */
  reply: string | null;
  /** Id of the created object if the reply held a secret. */
  reference: string | null;
  created_at: Time;
}

/** The live processes that share the database. */
interface LiveProcessesTable {
  /** Differs at each start. */
  id: string;
  /** Name of the owner of the data folder, the same after a restart. */
  worker: string;
  /** Heartbeat counter. */
  beats: ColumnType<number, number | undefined, number>;
}

/** One HTTP call to a language model. The content is not stored. */
interface ModelCallsTable {
  id: string;
  organization_id: string;
  channel: UsageChannel;
  /** Purpose of the call, such as `extract`. */
  purpose: string;
  /** Base URL. */
  endpoint: string;
  model: string;
  /** Size of the request body; `sha256` is its hash. */
  bytes: number;
  sha256: string;
  input_tokens: number;
  output_tokens: number;
  /** True if the endpoint did not report token counts. */
  estimated: Flag;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  created_at: Time;
  /** Tokens reserved for a call under way; null once it has ended. */
  reserved_tokens: number | null;
  /**
   * Time by which the call must have ended. An older reservation belongs to a process that crashed.
   */
  reserved_until: Time | null;
}
