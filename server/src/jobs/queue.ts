/**
 * The job queue, stored as rows of a table. A job is enqueued in the transaction that causes it and
 * claimed by one worker. Only that worker can end the job, and only during the attempt for which it
 * claimed the job.
 */
import { sql, type Updateable } from "kysely";
import { newId } from "../lib/ids.ts";
import type { Db } from "../records/records.ts";
import type { JobsTable } from "../records/tables.ts";
import { isHarmless, type JobName, type JobPayload } from "./catalog.ts";
import { type ClaimedJob, claimed, claimedColumns, type FencingToken, timeIn } from "./claimed-job.ts";
import { isSuspect } from "./suspects.ts";

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

/** Inserts a job unless one with the same name and payload is already waiting. */
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
 * Deletes the waiting jobs with this name and payload. Returns false if such a job is running; a
 * running job is not deleted.
 */
export async function cancelWaiting<N extends JobName>(db: Db, name: N, payload: JobPayload<N>): Promise<boolean> {
  const jobs = db
    .selectFrom("jobs")
    .select("id")
    .where("name", "=", name)
    .where("payload", "=", JSON.stringify(payload));
  await db
    .deleteFrom("jobs")
    .where("id", "in", jobs.where("failed_at", "is", null))
    .where("worker", "is", null)
    .execute();
  return (await jobs.where("worker", "is not", null).executeTakeFirst()) === undefined;
}

/**
 * Claims the oldest due job of the next organization. Organizations with due jobs take turns, so
 * that no organization waits for the backlog of another. Returns undefined if nothing is due.
 * @param after organization served last
 * @param except organizations to be skipped
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
    // Another worker claimed this job first: look for the next one.
    if (row !== undefined) return claimed(row, name, worker);
  }
}

/**
 * Returns which of the given kinds have at least one due job. This takes one query for all kinds,
 * whereas trying to claim a job takes two queries per kind.
 */
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
 * Releases a job to be retried after a delay. The attempt does not count. Has no effect if the
 * worker has lost its lease.
 */
export const postpone = (db: Db, job: FencingToken, error: string, delayMs: number): Promise<boolean> =>
  change(db, job, { worker: null, attempt: job.attempt - 1, run_at: timeIn(delayMs), error });

/**
 * Marks a job as failed, so that it is not retried. Its row is kept for inspection. Returns false
 * if the worker has lost its lease.
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

/**
 * Makes all delayed jobs due at once. Call it after the system clock was set back, because delayed
 * jobs would otherwise start too late. Some attempts then start too early, which is harmless.
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
  /** Number of jobs that are due now. */
  due: number;
  /** Number of jobs that are due later. */
  later: number;
  running: number;
  failed: number;
  /** How long the longest-waiting due job has been due, in milliseconds. 0 if no job is due. */
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

/** Deletes jobs that failed before the given time. */
export async function deleteFailedJobs(db: Db, before: string): Promise<void> {
  await db.deleteFrom("jobs").where("failed_at", "<", before).execute();
}
