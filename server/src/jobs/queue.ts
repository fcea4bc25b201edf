/**
 * The job queue, as rows of a table. A job is enqueued in the transaction that causes it and
 * claimed by one worker. Only that worker can end it, and only at that attempt.
 */
import { type ExpressionBuilder, type Selectable, sql, type Updateable } from "kysely";
import { newId } from "../lib/ids.ts";
import type { Db } from "../records/records.ts";
import type { JobsTable, Tables } from "../records/tables.ts";
import { isHarmless, type JobName, type JobPayload } from "./catalog.ts";

/** A job that a worker has claimed. */
export interface ClaimedJob {
  id: string;
  name: JobName;
  /** Organization on whose behalf it runs; empty for work of the installation itself. */
  organizationId: string;
  /** JSON. */
  payload: string;
  /** Starts at 1. */
  attempt: number;
  /** How often a worker crashed while running it. */
  crashes: number;
  /** Number of these crashes that happened while it ran alone. */
  crashesAlone: number;
  worker: string;
  /** Error of the previous attempt. */
  lastError: string | null;
}

/**
 * Inserts a job, due at once or after a delay, and returns its id. Call it in the transaction that
 * causes the job.
 */
export async function enqueue<N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayload<N>,
  options: { organizationId: string; delayMs?: number },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("jobs")
    .values({
      id,
      name,
      organization_id: options.organizationId,
      payload: JSON.stringify(payload),
      run_at: timeIn(options.delayMs ?? 0),
      created_at: timeIn(0),
    })
    .execute();
  return id;
}

/** Inserts a job unless one with the same name and payload is waiting already. */
export async function enqueueOnce<N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayload<N>,
  options: { organizationId: string; delayMs?: number },
): Promise<void> {
  const waits = await db
    .selectFrom("jobs")
    .select("id")
    .where("name", "=", name)
    .where("payload", "=", JSON.stringify(payload))
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .executeTakeFirst();
  if (!waits) await enqueue(db, name, payload, options);
}

/** Deletes a job whose work is done or no longer needed. Has no effect on a running job. */
export async function cancel(db: Db, id: string): Promise<void> {
  await db.deleteFrom("jobs").where("id", "=", id).where("worker", "is", null).execute();
}

/**
 * Claims the oldest due job of the next organization, in a round-robin over organizations with due
 * jobs. So no organization waits for the backlog of another. Returns undefined if nothing is due.
 * @param after organization served last
 * @param except organizations to skip
 */
export async function claim(
  db: Db,
  name: JobName,
  worker: string,
  after: string,
  except: readonly string[] = [],
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const found = (await nextDue(db, name, ">", after, except)) ?? (await nextDue(db, name, "<=", after, except));
    if (found === undefined) return undefined;
    const row = await db
      .updateTable("jobs")
      .set({ worker, attempt: found.attempt + 1, beats: 0 })
      .where("id", "=", found.id)
      .where("worker", "is", null)
      .where("failed_at", "is", null)
      .where("attempt", "=", found.attempt)
      .returning(claimedColumns)
      .executeTakeFirst();
    // Another worker claimed it first; look for the next one.
    if (row !== undefined) return claimed(row, name, worker);
  }
}

const claimedColumns = ["id", "organization_id", "payload", "attempt", "deaths", "deaths_alone", "error"] as const;

const claimed = (
  row: Pick<Selectable<JobsTable>, (typeof claimedColumns)[number]>,
  name: JobName,
  worker: string,
): ClaimedJob => {
  const { id, payload, attempt, organization_id: organizationId, error: lastError } = row;
  const { deaths: crashes, deaths_alone: crashesAlone } = row;
  return { id, name, organizationId, payload, attempt, crashes, crashesAlone, worker, lastError };
};

/**
 * Number of crashes after which a job is a suspect. It runs alone from then on, so that another
 * crash is evidence against it.
 */
export const suspectAfter = 2;
/** Number of crashes of a job running alone after which it counts as their cause and fails. */
export const maxCrashesAlone = 3;

const isSuspect = (eb: ExpressionBuilder<Tables, "jobs">) =>
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

/** Returns those of the given kinds that have a due job. One query instead of two per kind. */
export async function dueKinds(db: Db, names: readonly JobName[]): Promise<Set<JobName>> {
  if (names.length === 0) return new Set();
  const kinds = sql.join(
    names.map((name) => sql`select ${name} as name`),
    sql` union all `,
  );
  const { rows } = await sql<{ name: JobName }>`
    select kinds.name from (${kinds}) as kinds where exists (
      select 1 from jobs
      where jobs.name = kinds.name and worker is null and failed_at is null and run_at <= ${timeIn(0)}
    )`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

const nextDue = (db: Db, name: JobName, operator: ">" | "<=", organizationId: string, except: readonly string[]) =>
  db
    .selectFrom("jobs")
    .select(["id", "attempt"])
    .where("name", "=", name)
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("run_at", "<=", timeIn(0))
    .$if(!isHarmless(name), (query) => query.where((eb) => eb.not(isSuspect(eb))))
    .where("organization_id", operator, organizationId)
    .$if(except.length > 0, (query) => query.where("organization_id", "not in", except))
    .orderBy("organization_id")
    .orderBy("run_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

type FencingToken = Pick<ClaimedJob, "id" | "attempt" | "worker">;

/**
 * Ends a job. Returns false if the worker has lost its lease; the transaction must then be rolled
 * back.
 */
export async function complete(db: Db, { id, attempt, worker }: FencingToken): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("jobs")
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Releases a job to be retried after a delay. Has no effect if the worker has lost its lease. */
export const retry = (db: Db, job: FencingToken, error: string, delayMs: number): Promise<boolean> =>
  change(db, job, { worker: null, run_at: timeIn(delayMs), error });

/**
 * Marks a job as failed for good; its row is kept for inspection. Returns false if the worker has
 * lost its lease.
 */
export const fail = (db: Db, job: FencingToken, error: string): Promise<boolean> =>
  change(db, job, { worker: null, failed_at: timeIn(0), error });

async function change(db: Db, { id, attempt, worker }: FencingToken, values: Updateable<JobsTable>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ ...values, alone: 0 })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Heartbeat. Returns the ids of the jobs that this worker still holds. */
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
 * Releases all jobs of a worker at once. The interrupted attempts do not count.
 * @param hasAloneColumn false for rows of a schema version without quarantine
 */
export async function releaseAll(db: Db, worker: string, { hasAloneColumn = true } = {}): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ worker: null, attempt: sql`attempt - 1`, ...(hasAloneColumn && { alone: 0 }) })
    .where("worker", "=", worker)
    .execute();
}

/**
 * Releases the jobs that a worker holds but does not run, due after a delay. These attempts do not
 * count.
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

type Crashes = Pick<ClaimedJob, "crashes" | "crashesAlone">;

/** Pause after the second crash of a job and each further one. Other jobs run meanwhile. */
const pauseMs = 10_000;

/** Returns the delay until a job that has crashed once more is due. */
const pauseAfterCrash = ({ crashes }: Crashes): number => (crashes > 0 ? pauseMs : 0);

/**
 * Values after a crash that happened while the job ran. In SQL, expressions of an update see the
 * old values.
 */
const afterCrash = (before: Crashes) => ({
  deaths: before.crashes + 1,
  deaths_alone: sql<number>`deaths_alone + alone`,
  alone: 0,
  run_at: timeIn(pauseAfterCrash(before)),
});

/** Releases a job whose process was killed or crashed. Returns the delay until the job is due. */
export async function releaseAfterCrash(db: Db, job: ClaimedJob, error: string): Promise<number> {
  const { id, attempt, worker } = job;
  await db
    .updateTable("jobs")
    .set({ ...afterCrash(job), worker: null, error })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .execute();
  return pauseAfterCrash(job);
}

/**
 * Expires the leases of an earlier process with this worker's name. Call before the worker starts
 * to claim.
 */
export async function expireOwnLeases(db: Db, worker: string): Promise<void> {
  await expireLeases(db, await leases(db, "=", worker));
}

export interface Lease extends FencingToken, Crashes {
  heartbeats: number;
  /** 1 if the job runs alone. */
  alone: number;
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
    .select([
      "id",
      "attempt",
      "deaths as crashes",
      "deaths_alone as crashesAlone",
      "alone",
      "beats as heartbeats",
      "worker",
    ])
    .where("worker", "is not", null)
    .where("worker", operator, worker)
    .$narrowType<{ worker: string }>()
    .execute();

/** Takes jobs from dead workers. Has no effect on leases that were renewed since they were read. */
export async function expireLeases(db: Db, dead: readonly Lease[]): Promise<void> {
  for (const leases of Map.groupBy(dead, ({ worker }) => worker).values()) {
    let expired = 0;
    for (const lease of leases) expired += Number(await expireLease(db, lease));
    if (expired > 0 && leases.every(({ alone }) => alone === 0)) await clearSuspects(db);
  }
}

async function expireLease(db: Db, { id, attempt, worker, heartbeats, ...before }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ worker: null, ...afterCrash(before), error: "The process that ran it ended." })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .where("beats", "=", heartbeats)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Resets the crash counts of waiting suspects. Call it if a process crashed without running a
 * suspect: then something else kills processes, and their crashes are no evidence. A job that does
 * crash its process is still detected, because nothing crashes while it waits.
 */
async function clearSuspects(db: Db): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ deaths_alone: 0 })
    .where("worker", "is", null)
    .where("deaths_alone", ">", 0)
    .execute();
}

/**
 * Makes all delayed jobs due. Used when the system clock was set back, which would otherwise
 * postpone them. Some attempts may come early, which is harmless.
 */
export async function makeAllDue(db: Db): Promise<void> {
  const now = timeIn(0);
  await db
    .updateTable("jobs")
    .set({ run_at: now })
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("run_at", ">", now)
    .execute();
}

/** Returns the payloads of all jobs of a kind that have not ended. */
export async function listPayloads<N extends JobName>(db: Db, name: N): Promise<JobPayload<N>[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("payload")
    .where("name", "=", name)
    .where("failed_at", "is", null)
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload));
}

export interface KindOfJob {
  name: string;
  /** Number of jobs that are due, and of those with a delay. */
  due: number;
  later: number;
  running: number;
  failed: number;
  /** How long the oldest due job has been due. */
  oldestDueMs: number;
}

/** Counts the jobs of each kind by state. */
export async function summarizeJobs(db: Db): Promise<KindOfJob[]> {
  const now = timeIn(0);
  const rows = await db
    .selectFrom("jobs")
    .select(({ fn, eb }) => [
      "name",
      fn.countAll<number | string>().as("all"),
      fn.countAll<number | string>().filterWhere("failed_at", "is not", null).as("failed"),
      fn.countAll<number | string>().filterWhere("worker", "is not", null).as("running"),
      fn
        .countAll<number | string>()
        .filterWhere(eb.and([eb("worker", "is", null), eb("failed_at", "is", null), eb("run_at", "<=", now)]))
        .as("due"),
      fn
        .min("run_at")
        .filterWhere(eb.and([eb("worker", "is", null), eb("failed_at", "is", null), eb("run_at", "<=", now)]))
        .as("oldest"),
    ])
    .groupBy("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name, all, oldest, ...counts }) => {
    const [due, running, failed] = [Number(counts.due), Number(counts.running), Number(counts.failed)];
    const oldestDueMs = due === 0 ? 0 : Date.parse(now) - Date.parse(oldest);
    return { name, due, later: Number(all) - due - running - failed, running, failed, oldestDueMs };
  });
}

/** Deletes jobs that failed before a time. */
export async function deleteFailedJobs(db: Db, before: string): Promise<void> {
  await db.deleteFrom("jobs").where("failed_at", "<", before).execute();
}

const timeIn = (delayMs: number): string => new Date(Date.now() + delayMs).toISOString();
