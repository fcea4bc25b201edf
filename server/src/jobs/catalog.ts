/** Every kind of job: what its payload is, how often and when it is tried, how long one attempt may take. */
import type { Static, TSchema } from "typebox";
import Type from "typebox";

export interface JobKind {
  payload: TSchema;
  /** The delay before each attempt, from the end of the one before: as many as there are attempts. */
  delaysMs: readonly number[];
  /** An attempt that takes longer has failed. */
  deadlineMs: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** For trouble with disk, database or machine, which says nothing about the work itself. */
const patient = [0, second, 10 * second, minute, 10 * minute, hour, 6 * hour, 24 * hour];

const ofDocument = Type.Object({ agent: Type.String(), document: Type.String() });

export const catalog = {
  /** Reads a document and puts it into the index. Reading has limits of its own; a scan of 3,000 pages takes hours. */
  "document.ingest": { payload: ofDocument, delaysMs: patient, deadlineMs: 24 * hour },
  /** Removes what a document that is gone or in error has left. */
  "document.clean": { payload: ofDocument, delaysMs: patient, deadlineMs: hour },
  /** Removes what an agent that is gone has left. */
  "agent.clean": { payload: Type.Object({ agent: Type.String() }), delaysMs: patient, deadlineMs: hour },
} as const satisfies Record<string, JobKind>;

export type JobName = keyof typeof catalog;
export type JobPayload<N extends JobName> = Static<(typeof catalog)[N]["payload"]>;

export const isJobName = (name: string): name is JobName => Object.hasOwn(catalog, name);
