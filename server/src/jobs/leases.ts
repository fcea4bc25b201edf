/**
 * Leases: a worker that runs a job holds its lease and renews it by heartbeats. After a crash the
 * lease expires, and the job is released.
 */
import { sql } from "kysely";
import type { Db } from "../records/records.ts";
import { type ClaimedJob, type FencingToken, timeIn } from "./claimed-job.ts";
import { clearSuspects, runsSuspect } from "./suspects.ts";

/** Renews the leases of a worker. Returns the ids of the jobs that the worker still holds. */
export async function heartbeat(db: Db, worker: string): Promise<Set<string>> {
  const rows = await db
    .updateTable("jobs")
    .set({ beats: sql`beats + 1` })
    .where("worker", "=", worker)
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Releases all jobs of a worker. The jobs are due at once, and the interrupted attempts do not
 * count.
 * @param hasAloneColumn false for a schema version without quarantine
 */
export async function releaseAll(db: Db, worker: string, { hasAloneColumn = true } = {}): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ worker: null, attempt: sql`attempt - 1`, ...(hasAloneColumn && { alone: 0 }) })
    .where("worker", "=", worker)
    .execute();
}

/**
 * Releases the jobs that a worker holds but is not running. The jobs are due after a delay, and the
 * interrupted attempts do not count.
 */
export async function releaseOrphans(
  db: Db,
  worker: string,
  running: readonly string[],
  delayMs: number,
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ worker: null, attempt: sql`attempt - 1`, alone: 0, run_at: timeIn(delayMs) })
    .where("worker", "=", worker)
    .$if(running.length > 0, (query) => query.where("id", "not in", running))
    .execute();
}

/**
 * Pause before a job is due again after its second crash and after each later one, in milliseconds.
 * Other jobs run during the pause.
 */
const pauseMs = 10_000;

/**
 * Returns the delay, in milliseconds, until a job that has just crashed is due again.
 * @param crashes number of crashes of the job before this one
 */
const pauseAfterCrash = (crashes: number): number => (crashes > 0 ? pauseMs : 0);

/**
 * Returns the column values of a job after a crash. In the SQL expression, the columns have their
 * values before the update.
 */
const afterCrash = (crashes: number) => ({
  deaths: crashes + 1,
  deaths_alone: sql<number>`deaths_alone + alone`,
  alone: 0,
  run_at: timeIn(pauseAfterCrash(crashes)),
});

/** Releases a job whose process was killed or crashed. Returns the delay until the job is due. */
export async function releaseAfterCrash(db: Db, job: ClaimedJob, error: string): Promise<number> {
  const { id, attempt, worker, crashes } = job;
  await db
    .updateTable("jobs")
    .set({ ...afterCrash(crashes), worker: null, error })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .execute();
  return pauseAfterCrash(crashes);
}

/**
 * Expires the leases of an earlier process with this worker's name. Call it before the worker
 * starts to claim jobs.
 */
export async function expireOwnLeases(db: Db, worker: string): Promise<void> {
  await expireLeases(db, await leases(db, "=", worker));
}

export interface Lease extends FencingToken {
  crashes: number;
  heartbeats: number;
}

/** Returns the workers that hold leases. Works on every schema version. */
export async function leaseHolders(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("worker")
    .distinct()
    .where("worker", "is not", null)
    .$narrowType<{ worker: string }>()
    .execute();
  return rows.map(({ worker }) => worker);
}

/** Returns the leases of all other workers. */
export const foreignLeases = (db: Db, worker: string): Promise<Lease[]> => leases(db, "!=", worker);

const leases = (db: Db, operator: "=" | "!=", worker: string): Promise<Lease[]> =>
  db
    .selectFrom("jobs")
    .select(["id", "attempt", "deaths as crashes", "beats as heartbeats", "worker"])
    .where("worker", "is not", null)
    .where("worker", operator, worker)
    .$narrowType<{ worker: string }>()
    .execute();

/**
 * Releases the jobs of dead workers. Leases that were renewed since `dead` was read do not expire.
 */
export async function expireLeases(db: Db, dead: readonly Lease[]): Promise<void> {
  for (const [worker, leases] of Map.groupBy(dead, ({ worker }) => worker)) {
    // This check comes first, because `expireLease` resets `alone`. It also finds a suspect whose
    // lease has not expired yet.
    const ranSuspect = await runsSuspect(db, worker);
    let expired = 0;
    for (const lease of leases) expired += Number(await expireLease(db, lease));
    if (expired > 0 && !ranSuspect) await clearSuspects(db);
  }
}

async function expireLease(db: Db, { id, attempt, worker, heartbeats, crashes }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ worker: null, ...afterCrash(crashes), error: "The process that ran the job ended." })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .where("beats", "=", heartbeats)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
