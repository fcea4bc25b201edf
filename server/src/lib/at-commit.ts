/** Lets another part of the service add writes to the transaction of some work. */

/** A database transaction, opaque to code that only passes it on. */
export interface OpenTransaction {
  readonly isTransaction: boolean;
}

/**
 * Called at the end of a transaction with the result of its work. If it throws, the work is rolled
 * back. If the work is then repeated, it is called again.
 */
export type AtCommit<Result> = (transaction: OpenTransaction, result: Result) => Promise<void>;
