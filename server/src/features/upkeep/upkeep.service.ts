/** What the service tidies at its start and every hour. */
import type { StoredFiles } from "../../files/stored-files.ts";
import { forgetFailed } from "../../jobs/queue.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { sweepFiles } from "../documents/documents.service.ts";
import { tidyIdempotency } from "../idempotency/idempotency.service.ts";
import { tidySessions } from "../identity/sessions.service.ts";
import { endAbandoned } from "../models/models.service.ts";
import { tidyOperations } from "../operations/operations.service.ts";
import { tidySubscriptions } from "../plans/subscriptions.service.ts";
import { tidyDeliveries } from "../webhooks/events.service.ts";

const hourMs = 3_600_000;
/** How long a job that failed for good can be seen. */
const failedJobsMs = 7 * 24 * hourMs;

export interface UpkeepDeps {
  db: Db;
  keys: Keys;
  files: StoredFiles;
  log: Logger;
  /** Whether no other process works on the same files. */
  alone: boolean;
}

/** Goes on in the background until it is disposed of. */
export function startUpkeep(deps: UpkeepDeps): AsyncDisposable {
  // What a crash has left goes at once; later on, files of uploads under way are not even looked at.
  let turn = tidy(deps, 0);
  const timer = setInterval(() => {
    turn = turn.then(() => tidy(deps, hourMs));
  }, hourMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}

async function tidy({ db, keys, files, log, alone }: UpkeepDeps, minAgeMs: number): Promise<void> {
  try {
    const removed = await sweepFiles({ db, files }, minAgeMs);
    if (removed > 0) log.info({ removed }, "stored files without a document were removed");
    // The file of an operation is stored a moment before its row, and no lock joins the two.
    await tidyOperations({ db, files }, alone ? minAgeMs : hourMs);
    await tidyDeliveries(db);
    await tidySubscriptions(db);
    await tidyIdempotency(db);
    await tidySessions(db);
    await db.transaction().execute((transaction) => endAbandoned(transaction));
    await forgetFailed(db, new Date(Date.now() - failedJobsMs).toISOString());
  } catch (error) {
    log.error({ err: error }, "the upkeep failed");
  }
  await tidyKeys(keys, log);
}

/** A keys folder may be mounted read-only, which is no reason to leave the rest undone. */
async function tidyKeys(keys: Keys, log: Logger): Promise<void> {
  try {
    const removed = await keys.tokens.removeDead();
    if (removed > 0) log.info({ removed }, "signing keys that are no longer needed were removed");
  } catch (error) {
    log.warn({ err: error }, "signing keys that are no longer needed could not be removed");
  }
}
