/**
 * Row types of all tables. Times are ISO 8601 UTC text, ids are UUID v7 text, and JSON is text.
 * This file declares the tables of the installation, its jobs and its processes.
 */
import type { ColumnType } from "kysely";
import type { AgentTables } from "./agent-tables.ts";
import type { Json, Time } from "./column-types.ts";
import type { EventTables } from "./event-tables.ts";
import type { PeopleTables } from "./people-tables.ts";
import type { ResultTables } from "./result-tables.ts";
import type { UsageTables } from "./usage-tables.ts";

export interface Tables extends PeopleTables, AgentTables, ResultTables, EventTables, UsageTables {
  installation: InstallationTable;
  jobs: JobsTable;
  idempotency_keys: IdempotencyKeysTable;
  request_keys: RequestKeysTable;
  live_processes: LiveProcessesTable;
}

/**
 * Table with a single row. It identifies the installation to which this database belongs, and the
 * keys of the installation.
 */
interface InstallationTable {
  id: number;
  key_fingerprint: string;
  /** Null until the first start of a version that marks its folders with this id. */
  installation_id: ColumnType<string | null, string | undefined, string>;
  /** Time when the folders were marked with the installation id; null until then. */
  marked_at: ColumnType<Time | null, Time | undefined, Time>;
  created_at: Time;
}

/** Work to do. A finished job is deleted; a failed one is kept for a while for inspection. */
export interface JobsTable {
  id: string;
  name: string;
  /**
   * Organization on whose behalf the job runs; empty for the installation. Not a foreign key,
   * because clean-up jobs run after the deletion of their organization.
   */
  organization_id: string;
  payload: Json;
  /**
   * Number of attempts started (fencing token). A worker may end the job only if no later attempt
   * has started.
   */
  attempt: ColumnType<number, number | undefined, number>;
  /** Crash count: how often the service or a reading process crashed while running the job. */
  deaths: ColumnType<number, number | undefined, number>;
  /** 1 while the job runs and its worker runs no other job that could crash a process. */
  alone: ColumnType<number, number | undefined, number>;
  /**
   * Number of crashes while the job ran alone. Such crashes are evidence that the job is the cause.
   */
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

/**
 * Table of an earlier version, in which a key applied to the whole organization. No longer read.
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
  /** The credential with which the request was sent, or the user of the session. */
  sender: string;
  key: string;
  /** Identifies the request. */
  fingerprint: string;
  /** Id of the request's claim to the key. Every claim has a new id. */
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
  /** Id of the process. It is new at each start. */
  id: string;
  /** Name of the owner of the process's data folder. It stays the same after a restart. */
  worker: string;
  /** Heartbeat counter. */
  beats: ColumnType<number, number | undefined, number>;
}
