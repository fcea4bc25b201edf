/**
 * Retries transactions that were lost before their commit was sent, so that nothing of them was
 * kept.
 */
import { setTimeout } from "node:timers/promises";
import { Kysely, type TransactionBuilder } from "kysely";
import { DatabaseUnavailable } from "../lib/database-unavailable.ts";
import type { Tables } from "./tables.ts";

/** Pauses before each attempt. In all, as long as a server needs to restart. */
const pausesMs = [0, 100, 400, 1_000, 2_000] as const;
/** No retry starts later than this after the first attempt, because a client is waiting. */
const retryWithinMs = 5_000;

/**
 * Kysely whose transactions are retried. They must therefore only change the database, or do no
 * harm if run twice. A builder with an isolation level or access mode does not retry.
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
      // Random, so that two conflicting transactions do not meet again.
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** Returns whether nothing of the transaction was kept and a retry may succeed soon. */
const isSafe = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason !== "resources" && !error.commitWasSent;
