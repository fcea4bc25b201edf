/** Maintenance: runs at the start of the service and every hour. */
import type { StoredFiles } from "../../files/stored-files.ts";
import { deleteFailedJobs } from "../../jobs/queue.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { deleteOldRequestKeys } from "../idempotency/idempotency.service.ts";
import { deleteOldSessions } from "../identity/sessions.service.ts";
import { removeExpired as removeExpiredClassifications } from "../kept-classifications/kept-classifications.service.ts";
import { removeExpired } from "../kept-extractions/kept-extractions.service.ts";
import { deleteOldStateChanges } from "../live-states/state-changes.service.ts";
import { endAbandoned } from "../models/models.service.ts";
import { deleteOldOperations } from "../operations/operations.service.ts";
import { deleteOldSubscriptions } from "../plans/subscriptions.service.ts";
import { deleteOldDeliveries } from "../webhooks/events.service.ts";
import { NewerSchema, type SweepReport, sweep } from "./sweep.service.ts";

const hourMs = 3_600_000;
/** How long failed jobs are kept for inspection. */
const failedJobsMs = 7 * 24 * hourMs;

export interface MaintenanceDeps {
  db: Db;
  keys: Keys;
  files: StoredFiles;
  log: Logger;
  /** Number of days for which files are kept in the trash. */
  trashDays: number;
  /** Identities of stored files whose upload was interrupted when the previous process ended. */
  abandoned: ReadonlySet<string>;
  /** Called with the report of every sweep. */
  onSweep(report: SweepReport): void;
}

/** Runs maintenance in the background until disposed of. */
export function startMaintenance(deps: MaintenanceDeps): AsyncDisposable {
  let turn = runMaintenance(deps);
  const timer = setInterval(() => {
    turn = turn.then(() => runMaintenance(deps));
  }, hourMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}

async function runMaintenance(deps: MaintenanceDeps): Promise<void> {
  const { db, keys, log } = deps;
  try {
    await sweepStore(deps);
    await deleteOldOperations(db);
    await removeExpired(db);
    await removeExpiredClassifications(db);
    await deleteOldDeliveries(db);
    await deleteOldSubscriptions(db);
    await deleteOldRequestKeys(db);
    await deleteOldSessions(db);
    await deleteOldStateChanges(db);
    await db.transaction().execute((transaction) => endAbandoned(transaction));
    await deleteFailedJobs(db, new Date(Date.now() - failedJobsMs).toISOString());
  } catch (error) {
    log.error({ err: error }, "the maintenance failed");
  }
  await deleteExpiredSigningKeys(keys, log);
}

/**
 * Deletes signing keys that are no longer needed. A failure is only logged, because the keys folder
 * may be mounted read-only, which must not prevent the rest of the maintenance.
 */
async function deleteExpiredSigningKeys(keys: Keys, log: Logger): Promise<void> {
  try {
    const removed = await keys.tokens.removeDead();
    if (removed > 0) log.info({ removed }, "signing keys that are no longer needed were removed");
  } catch (error) {
    log.warn({ err: error }, "signing keys that are no longer needed could not be removed");
  }
}

async function sweepStore({ db, files, log, trashDays, abandoned, onSweep }: MaintenanceDeps): Promise<void> {
  const report = await sweep({ db, files }, { trashDays, abandoned }).catch((error: unknown) => {
    // Does not sweep during a rolling upgrade: processes of the newer version sweep instead.
    if (!(error instanceof NewerSchema)) throw error;
    log.info({ err: error }, "stored files are not swept");
    return undefined;
  });
  if (report === undefined) return;
  const { removed, moved, putBack, heldBack } = report;
  if (removed > 0) log.info({ removed }, "the files of unfinished uploads were removed");
  if (moved > 0) log.warn({ moved, days: trashDays }, "stored files without a row were moved to the trash");
  if (putBack > 0) log.warn({ putBack }, "stored files were restored from the trash because they have rows");
  if (heldBack > 0)
    log.error(
      { files: heldBack },
      "too many stored files have no row: the database may be the wrong one. If it is the right one, run `sheaf sweep --yes`",
    );
  onSweep(report);
}
