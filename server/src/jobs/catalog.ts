/** The kinds of jobs, with the payload, retry delays and deadline of each. */
import { deliveryRules } from "@sheaf/contract/events.ts";

export interface JobKind {
  /**
   * Names of the members of the payload. Their values are strings. A payload refers to database
   * rows, whose content is read when the job runs.
   */
  payload: readonly string[];
  /**
   * Delay before each attempt, counted from the end of the previous attempt. The length of the list
   * is the maximum number of attempts.
   */
  delaysMs: readonly number[];
  /** Maximum duration of one attempt, in milliseconds. A longer attempt fails. */
  deadlineMs: number;
  /**
   * True if the job cannot crash a process: it neither reads a user's file nor uses the search
   * index. Such a job can run at the same time as a quarantined one.
   */
  harmless?: true;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Retry delays for failures of the disk, the database or the machine, which the job did not cause.
 * Retries last two days in all.
 */
const patient = [0, second, 10 * second, minute, 10 * minute, hour, 6 * hour, 24 * hour];

const ofDocument = ["agent", "document"] as const;
const ofOperation = ["operation"] as const;

export const catalog = {
  /**
   * Reads a document and indexes it. The deadline is long because a scan of 3,000 pages takes
   * hours. Reading enforces its own limits.
   */
  "document.ingest": { payload: ofDocument, delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes what a deleted or failed document left behind. */
  "document.clean": { payload: ofDocument, delaysMs: patient, deadlineMs: hour },
  /**
   * Removes deleted rows from the files of an agent's index and, later, the previous versions of
   * these files.
   */
  "index.purge": { payload: ["agent", "what"], delaysMs: patient, deadlineMs: hour },
  /** Rebuilds a damaged index of an agent from the stored Documents. */
  "index.rebuild": { payload: ["agent"], delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes what a deleted agent left behind. */
  "agent.clean": { payload: ["agent"], delaysMs: patient, deadlineMs: hour },
  /** Runs an asynchronous extraction or classification. A setting limits its duration. */
  "extraction.run": { payload: ofOperation, delaysMs: patient, deadlineMs: 24 * hour },
  "classification.run": { payload: ofOperation, delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes the file of a finished operation. */
  "operation.clean": { payload: ofOperation, delaysMs: patient, deadlineMs: hour, harmless: true },
  /** Removes the files of a kept extraction that has been deleted or has expired. */
  "extraction.clean": { payload: ["folder", "extraction"], delaysMs: patient, deadlineMs: hour, harmless: true },
  /** Removes the files of a kept classification that has been deleted or has expired. */
  "classification.clean": { payload: ["classification"], delaysMs: patient, deadlineMs: hour, harmless: true },
  /**
   * Posts an event or a result to its receiver. The number and delays of the attempts are as
   * promised in the contract.
   */
  "delivery.send": {
    payload: ["delivery"],
    delaysMs: deliveryRules.delaysSeconds.map((seconds) => seconds * second),
    deadlineMs: 2 * deliveryRules.attemptTimeoutSeconds * second,
    harmless: true,
  },
} as const satisfies Record<string, JobKind>;

export type JobName = keyof typeof catalog;

export const isHarmless = (name: JobName): boolean => "harmless" in catalog[name];
export type JobPayload<N extends JobName> = { [Member in (typeof catalog)[N]["payload"][number]]: string };

/** Returns whether a value is a payload of this kind of job. */
export function isPayload<N extends JobName>(name: N, value: unknown): value is JobPayload<N> {
  if (typeof value !== "object" || value === null) return false;
  return catalog[name].payload.every((member) => typeof (value as Record<string, unknown>)[member] === "string");
}
