/** The deadline after which a statement's connection counts as dead. */
import { AsyncLocalStorage } from "node:async_hooks";

const deadlines = new AsyncLocalStorage<number>();

/**
 * Limits every statement in `work` to `ms` milliseconds. Use it for quick statements that must not
 * wait for a dead connection, such as a heartbeat.
 */
export const withStatementDeadline = <T>(ms: number, work: () => Promise<T>): Promise<T> => deadlines.run(ms, work);

/**
 * Deadline of a heartbeat, a claim or a health check, in milliseconds. It is shorter than the lease
 * of a job.
 */
export const promptMs = 5_000;

/** Returns the deadline of a statement started now. */
export const statementDeadline = (usualMs: number): number => Math.min(deadlines.getStore() ?? usualMs, usualMs);
