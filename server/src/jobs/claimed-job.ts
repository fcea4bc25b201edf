/** Reads claimed jobs from the columns of the `jobs` table. */
import type { Selectable } from "kysely";
import type { JobsTable } from "../records/tables.ts";
import type { JobName } from "./catalog.ts";

/** A job that a worker has claimed. */
export interface ClaimedJob {
  id: string;
  name: JobName;
  /** Organization on whose behalf the job runs; empty for work of the installation itself. */
  organizationId: string;
  /** The payload as JSON text. */
  payload: string;
  /** Number of this attempt. The first attempt is 1. */
  attempt: number;
  /** How often a worker crashed while running this job. */
  crashes: number;
  /** How often a worker crashed while it ran only this job. */
  crashesAlone: number;
  worker: string;
  /** Error of the previous attempt. */
  lastError: string | null;
}

/** Identifies one attempt at a job. Only the worker that makes this attempt can end the job. */
export type FencingToken = Pick<ClaimedJob, "id" | "attempt" | "worker">;

export const claimedColumns = [
  "id",
  "organization_id",
  "payload",
  "attempt",
  "deaths",
  "deaths_alone",
  "error",
] as const;

/** Converts a row of the `jobs` table into a claimed job. */
export const claimed = (
  row: Pick<Selectable<JobsTable>, (typeof claimedColumns)[number]>,
  name: JobName,
  worker: string,
): ClaimedJob => {
  const { id, payload, attempt, organization_id: organizationId, error: lastError } = row;
  const { deaths: crashes, deaths_alone: crashesAlone } = row;
  return { id, name, organizationId, payload, attempt, crashes, crashesAlone, worker, lastError };
};

/** Returns the time `delayMs` from now, in the format of the `jobs` table. */
export const timeIn = (delayMs: number): string => new Date(Date.now() + delayMs).toISOString();
