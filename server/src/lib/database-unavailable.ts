/** The error for a database that is temporarily unavailable, as opposed to a query that failed. */

/**
 * - `connection`: the connection broke or could not be opened
 * - `contention`: the transaction conflicted with another one and was rolled back
 * - `resources`: the database ran out of disk space, time or memory
 */
export type UnavailableReason = "connection" | "contention" | "resources";

/** The database is temporarily unavailable. The query itself may be correct. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly reason: UnavailableReason;
  /**
   * True if the connection broke after `commit` was sent. The transaction may then have been
   * committed.
   */
  readonly commitWasSent: boolean;

  constructor(reason: UnavailableReason, options: { cause?: unknown; commitWasSent?: boolean } = {}) {
    const { cause, commitWasSent = false } = options;
    super(`The database is not available: ${cause instanceof Error ? cause.message : reason}`, { cause });
    this.reason = reason;
    this.commitWasSent = commitWasSent;
  }
}

/**
 * Returns whether the work failed only because the database could not be reached, so that the work
 * itself is not to blame.
 */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason === "connection";
