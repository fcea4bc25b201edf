/** Transactions that begin again if the database lost them before their commit was sent: nothing of them was kept. */
import { setTimeout } from "node:timers/promises";
import { Kysely, type TransactionBuilder } from "kysely";
import { DatabaseUnavailable } from "../lib/database-unavailable.ts";
import type { Tables } from "./tables.ts";

/** Pauses before the second, third, … attempt: as long in all as a server needs to restart. */
const pausesMs = [0, 100, 400, 1_000, 2_000] as const;
/** No attempt begins later than this after the first, because somebody waits for the transaction. */
const retryWithinMs = 5_000;

/**
 * Kysely whose transactions are retried. What a transaction does must therefore be in the database alone, or do no harm if it is done
 * twice. A builder that has been given an isolation level or an access mode does not retry.
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
      // Two transactions that lost against each other must not meet again.
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** Returns whether nothing of the transaction was kept, and another attempt may succeed soon. */
const isSafe = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.reason !== "resources" && !error.commitWasSent;
