/** Lets one part of the service add writes to a transaction that another part runs. */

/** A database transaction, opaque to code that only passes it on. */
export interface OpenTransaction {
  readonly isTransaction: boolean;
}

/**
 * Called at the end of a transaction with the result of the work done in it. If this function
 * throws, the transaction is rolled back. If the transaction is retried, this function is called
 * again.
 */
export type AtCommit<Result> = (transaction: OpenTransaction, result: Result) => Promise<void>;
