/** The error of a database that can't be used at the moment, told apart from those of a single query. */

/**
 * - `connection`: the connection broke or could not be made
 * - `contention`: the transaction lost against another one and was rolled back
 * - `resources`: the database has no room, no time or no memory for it
 */
export type UnavailableReason = "connection" | "contention" | "resources";

/** The database can't be used at the moment; nothing is known to be wrong with the query. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly reason: UnavailableReason;
  /** The connection broke after `commit` was sent, so the transaction may have been committed. */
  readonly commitWasSent: boolean;

  constructor(reason: UnavailableReason, options: { cause?: unknown; commitWasSent?: boolean } = {}) {
    const { cause, commitWasSent = false } = options;
    super(`The database is not available: ${cause instanceof Error ? cause.message : reason}`, { cause });
    this.reason = reason;
    this.commitWasSent = commitWasSent;
  }
}

/** Returns whether the database could not be reached, which says nothing about the work that needed it. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason === "connection";
