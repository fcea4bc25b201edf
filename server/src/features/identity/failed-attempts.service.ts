/**
 * Limits failed attempts to authenticate with a password, code or client secret, by client network.
 * They are counted in the database, so that any number of processes together allow as many as one.
 */
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import * as attempts from "./failed-attempts.repo.ts";

/** Rows deleted after each failed attempt. Two, because one attempt inserts at most one row. */
const deletedPerFailure = 2;
/** Rows deleted per statement by the maintenance. */
const deletedAtOnce = 10_000;

export interface FailedAttemptsOptions {
  /** Maximum number of failed attempts of a network per window, not necessarily an integer. */
  quota: number;
  windowMs: number;
  log: Pick<Logger, "warn">;
}

export class FailedAttempts {
  readonly #db: Db;
  readonly #quota: attempts.AttemptQuota;
  readonly #log: Pick<Logger, "warn">;

  constructor(db: Db, { quota, windowMs, log }: FailedAttemptsOptions) {
    this.#db = db;
    const windowUs = windowMs * 1000;
    // The column is an integer. Rounding up never allows more than the quota. Less than one attempt
    // per window would allow none at all.
    this.#quota = { windowUs, costUs: Math.min(windowUs, Math.ceil(windowUs / quota)) };
    this.#log = log;
  }

  /**
   * Charges one failed attempt to a network, before its outcome is known, so that parallel attempts
   * count. If no attempt is left, charges nothing and returns the time until the next one, in
   * milliseconds.
   */
  async charge(network: string): Promise<number | undefined> {
    if (await attempts.consume(this.#db, network, this.#quota)) return undefined;
    const { windowUs, costUs } = this.#quota;
    const waitUs = (await attempts.fullInUs(this.#db, network)) + costUs - windowUs;
    return Math.max(1, Math.ceil(waitUs / 1000));
  }

  /**
   * Records the outcome of a charged attempt: refunds one that has not failed. Never throws, because
   * the response must not depend on it. If the refund fails, the attempt
   * becomes available again after a while.
   */
  async ended(network: string, { failed }: { failed: boolean }): Promise<void> {
    try {
      // Deleting old rows with each failure keeps the table small during an attack from many networks.
      if (failed) await attempts.deleteFull(this.#db, deletedPerFailure);
      else await attempts.refund(this.#db, network, this.#quota);
    } catch (error) {
      this.#log.warn({ err: error }, "the outcome of an attempt to authenticate was not counted");
    }
  }
}

/** Deletes the rows of networks whose full quota is available again. */
export const deleteOldFailures = (db: Db): Promise<void> => attempts.deleteFull(db, deletedAtOnce);
