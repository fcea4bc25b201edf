/**
 * Limits failed attempts to authenticate with a password, code or client secret, per client
 * network. The attempts are counted in the database, so that all processes share one limit.
 */
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import * as attempts from "./failed-attempts.repo.ts";

/**
 * Number of old rows that are deleted after each failed attempt. An attempt inserts at most one
 * row, so deleting two keeps the table small.
 */
const deletedPerFailure = 2;
/** Maximum number of rows that the hourly maintenance deletes per statement. */
const deletedAtOnce = 10_000;

export interface FailedAttemptsOptions {
  /** Maximum number of failed attempts per network per window. Need not be an integer. */
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
    // The cost is an integer, because its column is. It is rounded up, so that a network never gets
    // more than its quota. It is at most one window, because a higher cost would allow no attempt
    // at all.
    this.#quota = { windowUs, costUs: Math.min(windowUs, Math.ceil(windowUs / quota)) };
    this.#log = log;
  }

  /**
   * Charges one failed attempt to a network before the outcome is known, so that parallel attempts
   * are counted too. If the network has no attempt left, charges nothing and returns the time until
   * its next attempt, in milliseconds.
   */
  async charge(network: string): Promise<number | undefined> {
    if (await attempts.consume(this.#db, network, this.#quota)) return undefined;
    const { windowUs, costUs } = this.#quota;
    const waitUs = (await attempts.fullInUs(this.#db, network)) + costUs - windowUs;
    return Math.max(1, Math.ceil(waitUs / 1000));
  }

  /**
   * Records the outcome of a charged attempt, and refunds the attempt if it has not failed. Never
   * throws, because the response must not depend on the refund. If the refund fails, the network
   * regains the attempt after a while anyway.
   */
  async ended(network: string, { failed }: { failed: boolean }): Promise<void> {
    try {
      // Deletes old rows after each failure, so that the table stays small during an attack from
      // many networks.
      if (failed) await attempts.deleteFull(this.#db, deletedPerFailure);
      else await attempts.refund(this.#db, network, this.#quota);
    } catch (error) {
      this.#log.warn({ err: error }, "the outcome of an attempt to authenticate was not counted");
    }
  }
}

/** Deletes the rows of networks whose full quota is available again. */
export const deleteOldFailures = (db: Db): Promise<void> => attempts.deleteFull(db, deletedAtOnce);
