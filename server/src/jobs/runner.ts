/**
 * Runs jobs: claims due jobs up to the concurrency of their kind, and records how each attempt
 * ended. Only the claim loop starts jobs; a wake-up makes it poll earlier. Only the queue schedules
 * retries.
 */

import { isConnectionLost } from "../lib/database-unavailable.ts";
import { isFilesUnavailable } from "../lib/files-unavailable.ts";
import { type Logger, withLogContext } from "../lib/log.ts";
import { withTenant } from "../lib/tenant.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { catalog, isHarmless, isPayload, type JobName, type JobPayload } from "./catalog.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { expireOwnLeases, releaseAfterCrash, releaseAll, releaseOrphans } from "./leases.ts";
import { Quarantine } from "./quarantine.ts";
import { claim, complete, dueKinds, fail, makeAllDue, postpone, retry } from "./queue.ts";
import { maxCrashesAlone } from "./suspects.ts";

/** Writes to be committed in the transaction that ends the job. */
export type Write = (transaction: Db) => Promise<void>;

export interface Job<N extends JobName> extends Pick<ClaimedJob, "id" | "organizationId" | "attempt"> {
  payload: JobPayload<N>;
}

export interface Handler<N extends JobName = JobName> {
  /** Maximum number of concurrent jobs of this kind per process. */
  concurrency: number;
  /** Maximum number of concurrent jobs of one organization; default: `concurrency`. */
  concurrencyPerOrganization?: number;
  /**
   * Does the work. Must be idempotent, because it may be interrupted after any step and run again.
   * The job is done when the returned write is committed. After any error other than a
   * `PermanentFailure`, the job is retried after the delays of the catalog. Must return soon after
   * the signal aborts.
   */
  run(job: Job<N>, signal: AbortSignal): Promise<Write | undefined>;
  /**
   * Called when a job has failed for good, in the transaction that records the failure. Sets the
   * final state of what the job worked on, such as a document.
   */
  onExhausted?(transaction: Db, job: Job<N>): Promise<void>;
}

/** One handler per kind of job. A missing handler is a compile error. */
export type Handlers = { [N in JobName]: Handler<N> };

/** A failure that would happen again at every attempt. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure";
}

/**
 * An expected failure, which is logged at debug level. The job is retried after the delay of the
 * catalog, or after `atLeastMs` if that is longer.
 */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly atLeastMs: number;
  constructor(message: string, atLeastMs = 0) {
    super(message);
    this.atLeastMs = atLeastMs;
  }
}

/**
 * Thrown if a process that the job used was killed. The job is retried. After repeated crashes the
 * job runs alone, and only crashes during that time count against it.
 */
export class ProcessLost extends Error {
  override readonly name = "ProcessLost";
}

class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * How an attempt ended. `retried`: the job will run again; `failed`: it will not; `lost`: another
 * worker holds the job, or it was released without counting the attempt.
 */
export type AttemptOutcome = "done" | "retried" | "failed" | "lost";

/** Wraps every attempt, for instance to measure it. Must call `make` exactly once. */
export type ObserveAttempt = (
  job: Pick<ClaimedJob, "id" | "name" | "attempt">,
  make: () => Promise<AttemptOutcome>,
) => Promise<unknown>;

export interface RunnerDeps {
  db: Db;
  log: Logger;
  handlers: Handlers;
  observe?: ObserveAttempt;
  /**
   * Name of this process, unique among those that share the database. It stays the same after a
   * restart.
   */
  worker: string;
  /**
   * Minimum age of this process, in milliseconds, before it runs a job that has already crashed
   * while running alone. Default: 20 s.
   */
  settledAfterMs?: number;
}

/** Interval between two polls of the queue without an earlier wake-up, in milliseconds. */
const pollMs = 1_000;

/** How long a job is postponed if its stored files are unavailable, in milliseconds. */
const filesPauseMs = 10_000;

/** Returns a value that stays constant unless the system clock is changed. */
const clockOffset = (): number => Date.now() - performance.now();

/**
 * When the runner stops, it first releases the running jobs. It then waits this long for their
 * handlers to return, in milliseconds.
 */
const stopMs = 3_000;

interface Running {
  job: ClaimedJob;
  abort: AbortController;
  ended: Promise<void>;
}

interface KindState {
  name: JobName;
  handler: Handler;
  /** Organization that was served last. */
  after: string;
}

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #kinds: KindState[];
  readonly #running = new Map<string, Running>();
  readonly #watch: LeaseWatch;
  readonly #quarantine: Quarantine;
  readonly #timers = new Set<NodeJS.Timeout>();
  #loop: Promise<void> | undefined;
  #clock = clockOffset();
  #stopped = false;
  #awake = false;
  /** True if the queue may contain jobs that this worker has claimed but does not run. */
  #mayHaveOrphans = false;
  #wakeUp: () => void = () => {};

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#kinds = (Object.keys(catalog) as JobName[]).map((name) => ({
      name,
      handler: deps.handlers[name] as Handler,
      after: "",
    }));
    this.#quarantine = new Quarantine(deps);
    this.#watch = new LeaseWatch(deps, {
      held: () => [...this.#running.keys()],
      lose: (id) => this.#running.get(id)?.abort.abort(new LeaseLost("Another worker holds the job.")),
    });
  }

  /** Expires the leases of this worker's previous run and starts the claim loop. */
  async start(): Promise<void> {
    await expireOwnLeases(this.#deps.db, this.#deps.worker);
    this.#watch.start();
    this.#loop = this.#run();
  }

  /** Wakes the claim loop because a job may be due. */
  wake(): void {
    this.#awake = true;
    this.#wakeUp();
  }

  /** Stops claiming and releases the running jobs at once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    this.#timers.forEach(clearTimeout);
    await Promise.all([this.#loop, this.#watch.stop()]);
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort(new LeaseLost("The service is stopping."));
    // If the database is unreachable, the leases expire later: at the next start of this worker, or
    // because heartbeats are missing.
    await releaseAll(this.#deps.db, this.#deps.worker).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "jobs could not be released"),
    );
    const timeout = new Promise((resolve) => this.#timers.add(setTimeout(resolve, stopMs)));
    await Promise.race([Promise.all(running.map(({ ended }) => ended)), timeout]);
    this.#timers.forEach(clearTimeout);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#awake = false;
      try {
        await this.#claimDue();
      } catch (error) {
        // The claim may have succeeded even though its reply was lost.
        this.#mayHaveOrphans = true;
        this.#deps.log.error({ err: error }, "jobs could not be claimed");
      }
      if (!this.#awake) await this.#sleep();
    }
  }

  async #claimDue(): Promise<void> {
    await this.#detectClockChange();
    await this.#releaseOrphans();
    const running = [...this.#running.values()].map(({ job }) => job);
    const suspect = await promptly(() => this.#quarantine.next(running));
    if (suspect !== "none" && suspect !== "wait") this.#begin(this.#kindOf(suspect.name), suspect);
    const open = this.#kinds
      .filter((kind) => suspect === "none" || isHarmless(kind.name))
      .filter((kind) => this.#organizationsIn(kind).length < kind.handler.concurrency);
    const names = open.map(({ name }) => name);
    const due = await promptly(() => dueKinds(this.#deps.db, names));
    for (const kind of open) if (due.has(kind.name)) await this.#fill(kind);
  }

  /**
   * Releases the jobs that this worker holds but does not run. Its heartbeat renews their leases,
   * so no other worker would claim them. Only the claim loop calls this, so no claim is under way.
   */
  async #releaseOrphans(): Promise<void> {
    if (!this.#mayHaveOrphans) return;
    this.#mayHaveOrphans = false;
    const { db, worker } = this.#deps;
    await promptly(() => releaseOrphans(db, worker, [...this.#running.keys()], pollMs));
  }

  /** Makes delayed jobs due if the system clock was set back. */
  async #detectClockChange(): Promise<void> {
    const clock = clockOffset();
    if (clock < this.#clock - pollMs) await makeAllDue(this.#deps.db);
    this.#clock = clock;
  }

  #kindOf(name: JobName): KindState {
    const kind = this.#kinds.find((each) => each.name === name);
    if (kind === undefined) throw new Error(`There is no job kind ${name}.`);
    return kind;
  }

  async #fill(kind: KindState): Promise<void> {
    const { concurrency, concurrencyPerOrganization = concurrency } = kind.handler;
    while (!this.#stopped) {
      const running = this.#organizationsIn(kind);
      if (running.length >= concurrency) return;
      const full = [...Map.groupBy(running, (id) => id)]
        .filter(([, jobs]) => jobs.length >= concurrencyPerOrganization)
        .map(([id]) => id);
      const { db, worker } = this.#deps;
      // The short deadline of the claim does not apply to statements of the job itself.
      const job = await promptly(() => claim(db, kind.name, worker, kind.after, full));
      if (job === undefined) return;
      kind.after = job.organizationId;
      this.#begin(kind, job);
    }
  }

  /** Returns the organization of each running job of this kind. */
  #organizationsIn({ name }: KindState): string[] {
    return [...this.#running.values()].flatMap(({ job }) => (job.name === name ? [job.organizationId] : []));
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(kind: KindState, job: ClaimedJob): void {
    const abort = new AbortController();
    const { observe = (_job, make) => make() } = this.#deps;
    const { id, name, attempt } = job;
    let outcome: AttemptOutcome = "lost";
    const make = async () => {
      outcome = await this.#attempt(kind, job, abort);
      return outcome;
    };
    const attempted = () => observe(job, make);
    const ended = withLogContext({ job: id, name, attempt }, () =>
      withTenant(job.organizationId, attempted).catch((error: unknown) => {
        this.#deps.log.error({ err: error }, "the end of a job could not be recorded");
      }),
    ).finally(() => {
      this.#running.delete(job.id);
      if (outcome === "lost") this.#mayHaveOrphans = true;
      this.wake();
    });
    this.#running.set(job.id, { job, abort, ended: ended.then(() => {}) });
  }

  async #attempt(kind: KindState, job: ClaimedJob, abort: AbortController): Promise<AttemptOutcome> {
    const deadline = setTimeout(() => abort.abort(new Error("The job took too long.")), catalog[job.name].deadlineMs);
    let parsed: Job<JobName> | undefined;
    try {
      parsed = parse(job);
      if (job.crashesAlone >= maxCrashesAlone)
        throw new PermanentFailure(`A process crashed ${job.crashesAlone} times while it ran only this job.`);
      const write = await unlessAborted(kind.handler.run(parsed, abort.signal), abort.signal);
      await this.#deps.db.transaction().execute(async (transaction) => {
        if (!(await complete(transaction, job))) throw new LeaseLost("Another worker holds the job.");
        await write?.(transaction);
      });
      return "done";
    } catch (error) {
      if (error instanceof LeaseLost) return "lost";
      if (!isConnectionLost(error)) return await this.#failed(kind, job, parsed, error);
      // The job did not cause the loss of the connection, so the attempt does not count.
      this.#deps.log.warn({ err: error }, "a job lost the database connection and will be retried");
      return "lost";
    } finally {
      clearTimeout(deadline);
    }
  }

  async #failed(
    kind: KindState,
    job: ClaimedJob,
    parsed: Job<JobName> | undefined,
    error: unknown,
  ): Promise<AttemptOutcome> {
    const message = error instanceof Error ? error.message : String(error);
    if (isFilesUnavailable(error)) {
      this.#deps.log.warn({ err: error }, "a job could not reach the stored files and will be retried");
      await postpone(this.#deps.db, job, message, filesPauseMs);
      this.#wakeIn(filesPauseMs);
      return "retried";
    }
    if (error instanceof ProcessLost) {
      this.#deps.log.warn({ err: error, crashes: job.crashes + 1 }, "a job lost its process and will be retried");
      this.#wakeIn(await releaseAfterCrash(this.#deps.db, job, message));
      return "retried";
    }
    const planned = error instanceof PermanentFailure ? undefined : catalog[job.name].delaysMs[job.attempt];
    const isExpected = error instanceof RetryLater;
    const delayMs = planned !== undefined && isExpected ? Math.max(planned, error.atLeastMs) : planned;
    const about = { err: error };
    if (delayMs === undefined) {
      this.#deps.log.error(about, "a job failed and will not be retried");
      await this.#deps.db.transaction().execute(async (transaction) => {
        if ((await fail(transaction, job, message)) && parsed) await kind.handler.onExhausted?.(transaction, parsed);
      });
      return "failed";
    }
    this.#deps.log[isExpected ? "debug" : "warn"](about, "a job failed and will be retried");
    await retry(this.#deps.db, job, message, delayMs);
    this.#wakeIn(delayMs);
    return "retried";
  }

  /**
   * Wakes the claim loop after a delay. Adds a margin, because a timer may fire slightly before the
   * job is due.
   */
  #wakeIn(delayMs: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.wake();
      },
      Math.min(delayMs + 5, 2 ** 31 - 1),
    );
    this.#timers.add(timer);
  }
}

const promptly = <T>(work: () => Promise<T>): Promise<T> => withStatementDeadline(promptMs, work);

/** @throws PermanentFailure */
function parse(job: ClaimedJob): Job<JobName> {
  const payload: unknown = JSON.parse(job.payload);
  if (!isPayload(job.name, payload)) throw new PermanentFailure("The payload is not valid.");
  return { ...job, payload };
}

/**
 * Rejects on abort even if the handler ignores the signal, so that the handler does not occupy its
 * slot forever.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
