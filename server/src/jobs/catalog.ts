/** Every kind of job: what its payload is, how often and when it is tried, how long one attempt may take. */
import { deliveryRules } from "@sheaf/contract/events.ts";

export interface JobKind {
  /** The members of its payload, all of them texts: a payload names rows, and what they say is read when the job runs. */
  payload: readonly string[];
  /** The delay before each attempt, from the end of the one before: as many as there are attempts. */
  delaysMs: readonly number[];
  /** An attempt that takes longer has failed. */
  deadlineMs: number;
  /** It works on small data of our own and can't crash a process: such jobs run beside one that runs alone. */
  harmless?: true;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** For trouble with disk, database or machine, which says nothing about the work itself. */
const patient = [0, second, 10 * second, minute, 10 * minute, hour, 6 * hour, 24 * hour];

const ofDocument = ["agent", "document"] as const;
const ofOperation = ["operation"] as const;

export const catalog = {
  /** Reads a document and puts it into the index. Reading has limits of its own; a scan of 3,000 pages takes hours. */
  "document.ingest": { payload: ofDocument, delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes what a document that is gone or in error has left. */
  "document.clean": { payload: ofDocument, delaysMs: patient, deadlineMs: hour },
  /** Takes what has been removed out of the files of an agent's index: the rows, and later the versions of the files before. */
  "index.purge": { payload: ["agent", "what"], delaysMs: patient, deadlineMs: hour },
  /** Makes a damaged index of an agent anew from the stored Documents. */
  "index.rebuild": { payload: ["agent"], delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes what an agent that is gone has left. */
  "agent.clean": { payload: ["agent"], delaysMs: patient, deadlineMs: hour },
  /** Does an extraction, or a classification, whose request has been answered. What one may take is a setting. */
  "extraction.run": { payload: ofOperation, delaysMs: patient, deadlineMs: 24 * hour },
  "classification.run": { payload: ofOperation, delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes the file of an operation that has ended. */
  "operation.clean": { payload: ofOperation, delaysMs: patient, deadlineMs: hour, harmless: true },
  /** Posts an event or a result to its receiver: one attempt of those that the contract promises. */
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

/** Whether a value is the payload of such a job. */
export function isPayload<N extends JobName>(name: N, value: unknown): value is JobPayload<N> {
  if (typeof value !== "object" || value === null) return false;
  return catalog[name].payload.every((member) => typeof (value as Record<string, unknown>)[member] === "string");
}
