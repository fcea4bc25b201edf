/**
 * Finds and claims suspects: jobs during which a process crashed more than once. `quarantine.ts`
 * runs them alone.
 */
import type { ExpressionBuilder } from "kysely";
import type { Db } from "../records/records.ts";
import type { Tables } from "../records/tables.ts";
import type { JobName } from "./catalog.ts";
import { type ClaimedJob, claimed, claimedColumns, timeIn } from "./claimed-job.ts";

/**
 * Number of crashes after which a job is a suspect. From then on it runs alone, so that another
 * crash is evidence against it.
 */
export const suspectAfter = 2;
/**
 * Number of crashes while a job runs alone after which the job is considered the cause and fails.
 */
export const maxCrashesAlone = 3;

/** SQL condition that selects suspects. */
export const isSuspect = (eb: ExpressionBuilder<Tables, "jobs">) =>
  eb.and([eb("deaths", ">=", suspectAfter), eb("deaths_alone", "<", maxCrashesAlone)]);

/**
 * Returns the suspect that has been due longest; undefined if none is due. Unless `hasSettled`,
 * suspects that have already crashed while running alone are left out.
 */
export const findSuspect = (
  db: Db,
  names: readonly JobName[],
  { hasSettled }: { hasSettled: boolean },
): Promise<{ id: string; name: string; attempt: number } | undefined> =>
  db
    .selectFrom("jobs")
    .select(["id", "name", "attempt"])
    .where("name", "in", names)
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("run_at", "<=", timeIn(0))
    .where(isSuspect)
    .$if(!hasSettled, (query) => query.where("deaths_alone", "=", 0))
    .orderBy("run_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

/** Claims a suspect to run alone. Returns undefined if another worker claimed it first. */
export async function claimAlone(
  db: Db,
  { id, attempt }: { id: string; attempt: number },
  worker: string,
): Promise<ClaimedJob | undefined> {
  const row = await db
    .updateTable("jobs")
    .set({ worker, attempt: attempt + 1, beats: 0, alone: 1 })
    .where("id", "=", id)
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("attempt", "=", attempt)
    .returning([...claimedColumns, "name"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, ...columns } = row;
  return claimed(columns, name as JobName, worker);
}

/**
 * Lets other jobs run at the same time as a suspect. A later crash is then no longer evidence
 * against the suspect.
 */
export async function endAlone(db: Db, id: string): Promise<void> {
  await db.updateTable("jobs").set({ alone: 0 }).where("id", "=", id).execute();
}

/** Returns whether a worker is running a suspect alone. */
export async function runsSuspect(db: Db, worker: string): Promise<boolean> {
  const found = await db
    .selectFrom("jobs")
    .select("id")
    .where("worker", "=", worker)
    .where("alone", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Sets the number of crashes while running alone to 0, for all suspects that are due. Call it if a
 * process crashed while it was not running a suspect. In that case something other than the
 * suspects kills processes, so the earlier crashes are not evidence against them.
 *
 * A job that really crashes its process is still detected, because processes do not crash while
 * that job waits. If a suspect has just crashed, it is not due yet. So it is not reset, even if the
 * leases of its process expire one by one.
 */
export async function clearSuspects(db: Db): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ deaths_alone: 0 })
    .where("worker", "is", null)
    .where("deaths_alone", ">", 0)
    .where("run_at", "<=", timeIn(0))
    .execute();
}
