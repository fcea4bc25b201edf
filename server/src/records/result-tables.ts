/** Row types of conversations, extractions and classifications. */
import type { ColumnType } from "kysely";
import type { Json, Time } from "./column-types.ts";
import type { UsageChannel } from "./usage-tables.ts";

export interface ResultTables {
  threads: ThreadsTable;
  messages: MessagesTable;
  extractions: ExtractionsTable;
  kept_extractions: KeptExtractionsTable;
  kept_classifications: KeptClassificationsTable;
  operations: OperationsTable;
}

interface ThreadsTable {
  id: string;
  organization_id: string;
  /** Null for the global extractor. Not a foreign key: an archived thread outlives its agent. */
  agent_id: string | null;
  channel: UsageChannel;
  /** The user who owns the row, if its channel is the web application; otherwise null. */
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

/** A classification kept for review, with its file and the Document read from it. */
export interface KeptClassificationsTable {
  /** The `classification_id` of the operation. */
  id: string;
  organization_id: string;
  channel: Exclude<UsageChannel, "public">;
  /**
   * The user who owns the row, if it was created in the web application; null if it was created
   * through the API.
   */
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
  /** Segments as corrected by a person; null if nobody has corrected them. */
  corrected_segments: Json | null;
  /**
   * Incremented by each change. A request that replaces the corrections states the version that it
   * is based on.
   */
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
  /**
   * The user who owns the row, if it was created in the web application; null if it was created
   * through the API.
   */
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
  /**
   * Values that come from what the agent had learned; `[]` if there are none, or if the result was
   * stored before this column existed.
   */
  from_memory: ColumnType<Json, Json | undefined, never>;
  /** Number of values that a person should check: found with low confidence or without evidence. */
  unsure: number;
  /** Corrections in the order in which they are applied. */
  corrections: Json;
  /**
   * Incremented by each change. A request that replaces the corrections states the version that it
   * is based on.
   */
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

export type OperationKind = "extraction" | "classification";

export type OperationStatus = "started" | "success" | "error";

/** An asynchronous extraction or classification. */
export interface OperationsTable {
  /** `extract_id` or `classification_id`. */
  id: string;
  organization_id: string;
  kind: OperationKind;
  /**
   * The agent used; null if the request named no agent. Not a foreign key, because an operation
   * outlives its agent.
   */
  agent_id: string | null;
  /** The request without the file. */
  request: Json;
  callback_url: string | null;
  channel: Exclude<UsageChannel, "public">;
  /**
   * The user who owns the row, if it was created in the web application; null if it was created
   * through the API.
   */
  user_id: string | null;
  status: OperationStatus;
  /** The outcome, as webhooks and the API return it; null while the operation runs. */
  outcome: Json | null;
  created_at: Time;
  ended_at: Time | null;
}
