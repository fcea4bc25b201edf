/** Row types of agents, the documents in their corpora, and what extractor agents have learned. */
import type { ColumnType, Generated } from "kysely";
import type { Json, Time } from "./column-types.ts";

export interface AgentTables {
  agents: AgentsTable;
  agent_versions: AgentVersionsTable;
  documents: DocumentsTable;
  learned_papers: LearnedPapersTable;
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
  /** Incremented whenever a document of the agent becomes ready, or a ready document is deleted. */
  index_version: Generated<number>;
  created_at: Time;
  updated_at: Time;
}

/** A current or former configuration of an agent. */
export interface AgentVersionsTable {
  id: string;
  organization_id: string;
  agent_id: string;
  /**
   * Version number. Each change of the agent's configuration creates a version with the next
   * number.
   */
  number: number;
  configuration: Json;
  name: string | null;
  /** The user who set the configuration; null if unknown. */
  created_by: string | null;
  /**
   * If this version was made by restoring an earlier version, the number of the earlier version;
   * otherwise null.
   */
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
   * Path of the document; empty at the top level of the corpus. Path and name are in NFC, and
   * together they are unique within the agent.
   */
  path: string;
  name: string;
  mime: string;
  /** Size of the file in bytes. */
  size: number;
  channel: DocumentChannel;
  status: DocumentStatus;
  /** Error code from the error registry: why the document has the status `error`. */
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

/** A document that an extractor agent has learned from. */
export interface LearnedPapersTable {
  id: string;
  organization_id: string;
  agent_id: string;
  /**
   * The kept extraction from which the agent learned; null if the learned document was imported.
   * Not a foreign key, because the kept extraction may be deleted earlier.
   */
  extraction_id: string | null;
  source: "correction" | "review" | "import";
  filename: string;
  /** Summary of what was learned, to be shown to people. */
  facts: Json;
  /** The fixed texts of the document, as encoded by the engine. */
  skeleton: string;
  anchors: Json;
  times_used: number;
  last_used_at: Time | null;
  created_at: Time;
}
