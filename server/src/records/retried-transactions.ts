/**
 * Retries a transaction that failed before its commit was sent. In this case, the database has
 * certainly kept none of its changes.
 */
import { setTimeout } from "node:timers/promises";
import { Kysely, type TransactionBuilder } from "kysely";
import { DatabaseUnavailable } from "../lib/database-unavailable.ts";
import type { Tables } from "./tables.ts";

/**
 * Pauses before each retry, in milliseconds. Their sum is the time that a server needs to restart.
 */
const pausesMs = [0, 100, 400, 1_000, 2_000] as const;
/**
 * Maximum time from the first attempt to the start of a retry, in milliseconds. It is limited
 * because a client is waiting.
 */
const retryWithinMs = 5_000;

/**
 * A Kysely that retries transactions. Therefore, a transaction must change only the database, or
 * have other effects that are harmless if repeated. A builder with an isolation level or access
 * mode does not retry.
 */
export class RetryingKysely extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = (work) => retried(() => execute(work));
    return builder;
  }
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !isSafe(error) || performance.now() - startedAt > retryWithinMs) throw error;
      // The pause is random, so that two conflicting transactions do not conflict again.
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** Returns whether the database kept none of the changes and a retry may soon succeed. */
const isSafe = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason !== "resources" && !error.commitWasSent;
