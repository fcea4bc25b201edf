/** What belongs into the transaction of some work beside the work itself. */

/** A transaction of the database, for those who only hand it on. */
export interface OpenTransaction {
  readonly isTransaction: boolean;
}

/** Is called at the end of a transaction with the result of its work; what it throws rolls the work back. May be called again then. */
export type AtCommit<Result> = (transaction: OpenTransaction, result: Result) => Promise<void>;
