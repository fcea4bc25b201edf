/**
 * Suspects: jobs during which a process crashed more than once. Which jobs they are, and how they
 * run alone (`quarantine.ts`).
 */
import type { ExpressionBuilder } from "kysely";
import type { Db } from "../records/records.ts";
import type { Tables } from "../records/tables.ts";
import type { JobName } from "./catalog.ts";
import { type ClaimedJob, claimed, claimedColumns, timeIn } from "./claimed-job.ts";

/**
 * Number of crashes after which a job is a suspect. It runs alone from then on, so that another
 * crash is evidence against it.
 */
export const suspectAfter = 2;
/** Number of crashes of a job running alone after which it counts as their cause and fails. */
export const maxCrashesAlone = 3;

/** Condition on a job: it is a suspect. */
export const isSuspect = (eb: ExpressionBuilder<Tables, "jobs">) =>
  eb.and([eb("deaths", ">=", suspectAfter), eb("deaths_alone", "<", maxCrashesAlone)]);

/**
 * Returns the suspect of any kind that has been due longest; undefined if none is due. Those that
 * have crashed alone are left out unless the process has settled.
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

/** Lets other jobs run beside it: a later crash is no longer evidence against it. */
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
 * Forgets the crashes of due suspects that ran alone. Call it if a process crashed without running
 * a suspect: then something else kills processes, and their crashes are no evidence. A job that
 * does crash its process is still detected, because nothing crashes while it waits. Suspects that
 * have just crashed are not due: the leases of one process may expire one after the other.
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
