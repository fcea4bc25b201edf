/** How long a statement may take before its connection counts as dead. */
import { AsyncLocalStorage } from "node:async_hooks";

const deadlines = new AsyncLocalStorage<number>();

/**
 * Gives every statement in `work` at most `ms` milliseconds. For statements that are quick and must not wait for a dead connection, such
 * as a heartbeat.
 */
export const withStatementDeadline = <T>(ms: number, work: () => Promise<T>): Promise<T> => deadlines.run(ms, work);

/** Deadline of a heartbeat, a claim or a check of health: shorter than the lease of a job. */
export const promptMs = 5_000;

/** Returns the deadline of a statement that is made now. */
export const statementDeadline = (usualMs: number): number => Math.min(deadlines.getStore() ?? usualMs, usualMs);
