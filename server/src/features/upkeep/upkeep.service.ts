/** What the service tidies at its start and every hour. */
import type { StoredFiles } from "../../files/stored-files.ts";
import { forgetFailed } from "../../jobs/queue.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { tidyIdempotency } from "../idempotency/idempotency.service.ts";
import { tidySessions } from "../identity/sessions.service.ts";
import { endAbandoned } from "../models/models.service.ts";
import { tidyOperations } from "../operations/operations.service.ts";
import { tidySubscriptions } from "../plans/subscriptions.service.ts";
import { tidyDeliveries } from "../webhooks/events.service.ts";
import { type SweepReport, sweep } from "./sweep.service.ts";

const hourMs = 3_600_000;
/** How long a job that failed for good can be seen. */
const failedJobsMs = 7 * 24 * hourMs;

export interface UpkeepDeps {
  db: Db;
  keys: Keys;
  files: StoredFiles;
  log: Logger;
  /** How long the trash keeps files. */
  trashDays: number;
  /** Identities of the files whose upload died with the run before. */
  abandoned: ReadonlySet<string>;
  /** Is handed the report of every sweep. */
  onSweep(report: SweepReport): void;
}

/** Goes on in the background until it is disposed of. */
export function startUpkeep(deps: UpkeepDeps): AsyncDisposable {
  let turn = tidy(deps);
  const timer = setInterval(() => {
    turn = turn.then(() => tidy(deps));
  }, hourMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}

async function tidy(deps: UpkeepDeps): Promise<void> {
  const { db, keys, log } = deps;
  try {
    await sweepStore(deps);
    await tidyOperations(db);
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

async function sweepStore({ db, files, log, trashDays, abandoned, onSweep }: UpkeepDeps): Promise<void> {
  const report = await sweep({ db, files }, { trashDays, abandoned });
  const { removed, moved, putBack, heldBack } = report;
  if (removed > 0) log.info({ removed }, "the files of unfinished uploads were removed");
  if (moved > 0) log.warn({ moved, days: trashDays }, "stored files without a row were moved to the trash");
  if (putBack > 0) log.warn({ putBack }, "stored files were put back from the trash: there are rows for them");
  if (heldBack > 0)
    log.error(
      { files: heldBack },
      "so many stored files have no row that the database may be the wrong one; if it is not, run `sheaf sweep --yes`",
    );
  onSweep(report);
}
