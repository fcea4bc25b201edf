/** What the service tidies at its start and every hour. */
import type { StoredFiles } from "../../files/stored-files.ts";
import { forgetFailed } from "../../jobs/queue.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { sweepFiles } from "./sweep-files.ts";

const hourMs = 3_600_000;
/** How long a job that failed for good can be seen. */
const failedJobsMs = 7 * 24 * hourMs;

/** Goes on in the background until it is disposed of. */
export function startUpkeep(deps: { db: Db; files: StoredFiles; log: Logger }): AsyncDisposable {
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

async function tidy({ db, files, log }: { db: Db; files: StoredFiles; log: Logger }, minAgeMs: number): Promise<void> {
  try {
    const removed = await sweepFiles({ db, files }, minAgeMs);
    if (removed > 0) log.info({ removed }, "stored files without a document were removed");
    await forgetFailed(db, new Date(Date.now() - failedJobsMs).toISOString());
  } catch (error) {
    log.error({ err: error }, "the upkeep failed");
  }
}
