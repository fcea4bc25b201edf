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
 * Maximum number of crashes while a job runs alone. After this many, the job counts as their cause
 * and fails.
 */
export const maxCrashesAlone = 3;

/** SQL condition that a job is a suspect. */
export const isSuspect = (eb: ExpressionBuilder<Tables, "jobs">) =>
  eb.and([eb("deaths", ">=", suspectAfter), eb("deaths_alone", "<", maxCrashesAlone)]);

/**
 * Returns the suspect that has been due longest; undefined if none is due. Suspects that have
 * crashed alone are left out until this process has run for a while.
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

/** Returns whether a worker holds a suspect that runs alone. */
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
 * Resets the number of times that due suspects have crashed while they ran alone. Call it if a
 * process crashed while it ran no suspect. Something other than the suspects then kills processes,
 * so the crashes are not evidence against the suspects.
 *
 * A job that does crash its process is still detected, because processes do not crash while that
 * job waits. A suspect that has just crashed is not due yet, so it is not reset, even if the leases
 * of its process expire one by one.
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
