/** Writes that belong to the transaction of some work although another part makes them. */

/** A database transaction, opaque to code that only passes it on. */
export interface OpenTransaction {
  readonly isTransaction: boolean;
}

/**
 * Called at the end of a transaction with the result of its work. If it throws, the work is rolled
 * back and may be run again, with another call.
 */
export type AtCommit<Result> = (transaction: OpenTransaction, result: Result) => Promise<void>;
