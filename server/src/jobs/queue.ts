/**
 * The queue: jobs as rows. A job is enqueued in the transaction of what it is about, claimed by one worker, and ended by that worker
 * at that attempt and no other.
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
  /** Whose work it is; empty for the installation's own. */
  organizationId: string;
  /** JSON. */
  payload: string;
  /** From 1. */
  attempt: number;
  /** The crashes while it ran, and of these the ones while it ran alone. */
  deaths: number;
  deathsAlone: number;
  worker: string;
  /** What went wrong at the attempt before. */
  lastError: string | null;
}

/** Writes a job down, to be run as soon as there is room, or after a delay; answers its id. Call it in the transaction of its cause. */
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

/** As `enqueue`, unless the same waits to be run. */
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

/** Removes a job whose work has been done in another way. One that runs already ends by itself. */
export async function cancel(db: Db, id: string): Promise<void> {
  await db.deleteFrom("jobs").where("id", "=", id).where("worker", "is", null).execute();
}

/**
 * Claims the oldest due job of the organization that follows `after` in the round of organizations that have any: each organization
 * has its turn, however much another has waiting. Organizations in `except` are passed over. Undefined where nothing is due.
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
    // Where another worker was faster there may be another job.
    if (row !== undefined) return claimed(row, name, worker);
  }
}

const claimedColumns = ["id", "organization_id", "payload", "attempt", "deaths", "deaths_alone", "error"] as const;

const claimed = (
  row: Pick<Selectable<JobsTable>, (typeof claimedColumns)[number]>,
  name: JobName,
  worker: string,
): ClaimedJob => {
  const { organization_id: organizationId, deaths_alone: deathsAlone, error: lastError, ...columns } = row;
  return { ...columns, name, organizationId, deathsAlone, worker, lastError };
};

/** A job with so many crashes is a suspect: it runs alone from then on, so that one more is evidence against it. */
const suspectAfter = 2;
/** Crashes of a job that ran alone after which it is taken for their cause. */
export const maxDeathsAlone = 3;

const isSuspect = (eb: ExpressionBuilder<Tables, "jobs">) =>
  eb.and([eb("deaths", ">=", suspectAfter), eb("deaths_alone", "<", maxDeathsAlone)]);

/** The suspect that has been due longest, of any kind; undefined if none is due. */
export const findSuspect = (
  db: Db,
  names: readonly JobName[],
): Promise<{ id: string; name: string; attempt: number } | undefined> =>
  db
    .selectFrom("jobs")
    .select(["id", "name", "attempt"])
    .where("name", "in", names)
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("run_at", "<=", timeIn(0))
    .where(isSuspect)
    .orderBy("run_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

/** Claims a suspect, to be run alone. Undefined if another worker was faster. */
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

/** Others may run beside it from now on: a crash is no evidence against it any more. */
export async function endAlone(db: Db, id: string): Promise<void> {
  await db.updateTable("jobs").set({ alone: 0 }).where("id", "=", id).execute();
}

/** Of these kinds those of which a job is due: one question in place of two for each kind. */
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

type Fence = Pick<ClaimedJob, "id" | "attempt" | "worker">;

/** Ends a job. False where the worker has lost it: what was done in the same transaction must not be kept then. */
export async function complete(db: Db, { id, attempt, worker }: Fence): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("jobs")
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Gives a job back, to be tried again. Nothing happens where the worker has lost it. */
export const retry = (db: Db, job: Fence, error: string, delayMs: number): Promise<boolean> =>
  change(db, job, { worker: null, run_at: timeIn(delayMs), error });

/** Ends a job for good without success; the row stays, to be seen. False where the worker has lost it. */
export const fail = (db: Db, job: Fence, error: string): Promise<boolean> =>
  change(db, job, { worker: null, failed_at: timeIn(0), error });

async function change(db: Db, { id, attempt, worker }: Fence, values: Updateable<JobsTable>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ ...values, alone: 0 })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Says that the worker is alive; answers the ids of the jobs that are still its own. */
export async function beat(db: Db, worker: string): Promise<Set<string>> {
  const rows = await db
    .updateTable("jobs")
    .set({ beats: sql`beats + 1` })
    .where("worker", "=", worker)
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Gives back at once all that a worker holds. The attempts that were cut short don't count.
 * `knowsAlone`: false for the rows of a version whose jobs never ran alone.
 */
export async function releaseAll(db: Db, worker: string, { knowsAlone = true } = {}): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ worker: null, attempt: sql`attempt - 1`, ...(knowsAlone && { alone: 0 }) })
    .where("worker", "=", worker)
    .execute();
}

/** Gives back what a worker holds but for the jobs that it runs, due after a pause. These attempts don't count. */
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

type Crashes = Pick<ClaimedJob, "deaths" | "deathsAlone">;

/** Pause after the second crash of a job. Others run meanwhile; a crash among them clears the suspects (`clearSuspects`). */
const pauseMs = 10_000;
/** Pause after a job has crashed alone before. Longer, so that whatever ends processes from outside does so without it too. */
const longPauseMs = 60_000;

/** Returns the delay until a job that has crashed once more is due. */
function pauseAfterCrash({ deaths, deathsAlone }: Crashes): number {
  if (deaths === 0) return 0;
  return deathsAlone === 0 ? pauseMs : longPauseMs;
}

/** A crash that happened while the job ran. Columns on the right of an update have their old values. */
const afterCrash = (before: Crashes) => ({
  deaths: before.deaths + 1,
  deaths_alone: sql<number>`deaths_alone + alone`,
  alone: 0,
  run_at: timeIn(pauseAfterCrash(before)),
});

/** Gives a job back whose process was ended from outside, or crashed by what a job did. Returns the delay until it is due. */
export async function giveBackAfterCrash(db: Db, job: ClaimedJob, error: string): Promise<number> {
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

/** Voids the leases of an earlier process with the name of this worker, which must not run itself yet. */
export async function voidOwnLeases(db: Db, worker: string): Promise<void> {
  await voidLeases(db, await leases(db, "=", worker));
}

export interface Lease extends Fence, Crashes {
  beats: number;
  /** 1 if the job runs alone. */
  alone: number;
}

/** The leases of all other workers. */
export const foreignLeases = (db: Db, worker: string): Promise<Lease[]> => leases(db, "!=", worker);

const leases = (db: Db, operator: "=" | "!=", worker: string): Promise<Lease[]> =>
  db
    .selectFrom("jobs")
    .select(["id", "attempt", "deaths", "deaths_alone as deathsAlone", "alone", "beats", "worker"])
    .where("worker", "is not", null)
    .where("worker", operator, worker)
    .$narrowType<{ worker: string }>()
    .execute();

/** Takes jobs from workers that are dead. Nothing happens to a lease that was renewed since it was looked at. */
export async function voidLeases(db: Db, dead: readonly Lease[]): Promise<void> {
  for (const leases of Map.groupBy(dead, ({ worker }) => worker).values()) {
    let voided = 0;
    for (const lease of leases) voided += Number(await voidLease(db, lease));
    if (voided > 0 && leases.every(({ alone }) => alone === 0)) await clearSuspects(db);
  }
}

async function voidLease(db: Db, { id, attempt, worker, beats, ...before }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ worker: null, ...afterCrash(before), error: "The process that ran it ended." })
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("worker", "=", worker)
    .where("beats", "=", beats)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Forgets the crashes of suspects that wait. Call it when a process has crashed that ran no suspect: something else ends processes, so their
 * crashes are no evidence. A job that does crash its process is found out all the same, because nothing crashes while it waits.
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
 * Makes everything due that waits for a time. For a clock that was put back: what was planned before would wait for so much longer. Some
 * attempt may come early by this, and none does harm.
 */
export async function hurry(db: Db): Promise<void> {
  const now = timeIn(0);
  await db
    .updateTable("jobs")
    .set({ run_at: now })
    .where("worker", "is", null)
    .where("failed_at", "is", null)
    .where("run_at", ">", now)
    .execute();
}

/** The payloads of all jobs of a kind that have not ended. */
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
  /** How many could run now, and how many not before some time. */
  due: number;
  later: number;
  running: number;
  failed: number;
  /** How long the oldest of those that are due has waited. */
  oldestDueMs: number;
}

/** How many jobs of each kind there are, and in which state. */
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

/** Forgets what failed before a time. */
export async function forgetFailed(db: Db, before: string): Promise<void> {
  await db.deleteFrom("jobs").where("failed_at", "<", before).execute();
}

const timeIn = (delayMs: number): string => new Date(Date.now() + delayMs).toISOString();
