/**
 * Runs jobs: claims what is due, as many at once as each kind may, and writes down how each ended. The claim loop is the only
 * dispatcher; a wake-up only makes it look earlier. Retries are the queue's alone.
 */

import { isConnectionLost } from "../lib/database-unavailable.ts";
import { type Logger, withLogContext } from "../lib/log.ts";
import { withTenant } from "../lib/tenant.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { catalog, isHarmless, isPayload, type JobName, type JobPayload } from "./catalog.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { Quarantine } from "./quarantine.ts";
import {
  type ClaimedJob,
  claim,
  complete,
  dueKinds,
  fail,
  giveBackAfterCrash,
  hurry,
  maxDeathsAlone,
  releaseAll,
  releaseOrphans,
  retry,
  voidOwnLeases,
} from "./queue.ts";

/** What belongs into the transaction that ends the job. */
export type Write = (transaction: Db) => Promise<void>;

export interface Job<N extends JobName> extends Pick<ClaimedJob, "id" | "organizationId" | "attempt"> {
  payload: JobPayload<N>;
}

export interface Handler<N extends JobName = JobName> {
  /** Jobs of this kind that one process runs at once. */
  concurrency: number;
  /** Of these, jobs of one organization; all of them where it is not given. */
  concurrencyPerOrganization?: number;
  /**
   * Does the work; may be run again after any of its steps. The job is done when the write has been committed with it. What is thrown
   * is tried again as the catalog says; a `PermanentFailure` is not. Ends soon once the signal aborts.
   */
  run(job: Job<N>, signal: AbortSignal): Promise<Write | undefined>;
  /** Runs in the transaction that ends a job without success, so that nobody goes on waiting for it. */
  giveUp?(transaction: Db, job: Job<N>): Promise<void>;
}

/** A handler for every kind: one that is missing doesn't compile. */
export type Handlers = { [N in JobName]: Handler<N> };

/** Another attempt would end the same. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure";
}

/** The attempt failed as such attempts do: it is tried again as the catalog says, but not before `atLeastMs`. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
  readonly atLeastMs: number;
  constructor(message: string, atLeastMs = 0) {
    super(message);
    this.atLeastMs = atLeastMs;
  }
}

/**
 * A process that the job used was ended from outside. The job is tried again; if that happens again and again it runs alone, and only then
 * does it count against the job.
 */
export class ProcessLost extends Error {
  override readonly name = "ProcessLost";
}

class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** How an attempt ended: `retried` will be tried again, `failed` will not, `lost` is another worker's now or is given back uncounted. */
export type AttemptOutcome = "done" | "retried" | "failed" | "lost";

/** Is handed every attempt, and has to make it, once. */
export type ObserveAttempt = (
  job: Pick<ClaimedJob, "id" | "name" | "attempt">,
  make: () => Promise<AttemptOutcome>,
) => Promise<unknown>;

export interface RunnerDeps {
  db: Db;
  log: Logger;
  handlers: Handlers;
  observe?: ObserveAttempt;
  /** Name of this process among those that share the database; the same after a restart. */
  worker: string;
}

/** How often the queue is looked at without a wake-up. */
const pollMs = 1_000;

/** The same number again and again, as long as nobody sets the clock of the machine. */
const sinceStartOfClock = (): number => Date.now() - performance.now();

/** How long a stopping runner waits for handlers to end after their jobs have been given back. */
const stopMs = 3_000;

interface Running {
  job: ClaimedJob;
  abort: AbortController;
  ended: Promise<void>;
}

interface Lane {
  name: JobName;
  handler: Handler;
  /** The organization that had its turn last. */
  after: string;
}

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #lanes: Lane[];
  readonly #running = new Map<string, Running>();
  readonly #watch: LeaseWatch;
  readonly #quarantine: Quarantine;
  readonly #timers = new Set<NodeJS.Timeout>();
  #loop: Promise<void> | undefined;
  #clock = sinceStartOfClock();
  #stopped = false;
  #awake = false;
  /** Whether the queue may hold jobs in the name of this worker that it does not run. */
  #mayHaveOrphans = false;
  #wakeUp: () => void = () => {};

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#lanes = (Object.keys(catalog) as JobName[]).map((name) => ({
      name,
      handler: deps.handlers[name] as Handler,
      after: "",
    }));
    this.#quarantine = new Quarantine(deps);
    this.#watch = new LeaseWatch(deps, {
      held: () => [...this.#running.keys()],
      lose: (id) => this.#running.get(id)?.abort.abort(new LeaseLost("The job is another worker's now.")),
    });
  }

  /** Voids the leases of this worker's last life and begins. */
  async start(): Promise<void> {
    await voidOwnLeases(this.#deps.db, this.#deps.worker);
    this.#watch.start();
    this.#loop = this.#run();
  }

  /** Something may be due. */
  wake(): void {
    this.#awake = true;
    this.#wakeUp();
  }

  /** Claims no more and gives back at once what runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    this.#timers.forEach(clearTimeout);
    await Promise.all([this.#loop, this.#watch.stop()]);
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort(new LeaseLost("The service is stopping."));
    // Without the database the leases end by themselves: at the next start of this worker, or once its heartbeat is missed.
    await releaseAll(this.#deps.db, this.#deps.worker).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "jobs could not be given back"),
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
        // A claim whose answer was lost may have succeeded.
        this.#mayHaveOrphans = true;
        this.#deps.log.error({ err: error }, "jobs could not be claimed");
      }
      if (!this.#awake) await this.#sleep();
    }
  }

  async #claimDue(): Promise<void> {
    await this.#mindClock();
    await this.#giveBackOrphans();
    const running = [...this.#running.values()].map(({ job }) => job);
    const suspect = await promptly(() => this.#quarantine.next(running));
    if (suspect !== "none" && suspect !== "wait") this.#begin(this.#laneOf(suspect.name), suspect);
    const open = this.#lanes
      .filter((lane) => suspect === "none" || isHarmless(lane.name))
      .filter((lane) => this.#organizationsIn(lane).length < lane.handler.concurrency);
    const names = open.map(({ name }) => name);
    const due = await promptly(() => dueKinds(this.#deps.db, names));
    for (const lane of open) if (due.has(lane.name)) await this.#fill(lane);
  }

  /**
   * Gives back the jobs that this worker holds and does not run: their heartbeat goes on, so no other worker would ever take them.
   * Only the claim loop calls it, so no claim is under way.
   */
  async #giveBackOrphans(): Promise<void> {
    if (!this.#mayHaveOrphans) return;
    this.#mayHaveOrphans = false;
    const { db, worker } = this.#deps;
    await promptly(() => releaseOrphans(db, worker, [...this.#running.keys()], pollMs));
  }

  /** Jobs that were planned by a clock that was ahead don't wait until it is that time again. */
  async #mindClock(): Promise<void> {
    const clock = sinceStartOfClock();
    if (clock < this.#clock - pollMs) await hurry(this.#deps.db);
    this.#clock = clock;
  }

  #laneOf(name: JobName): Lane {
    return this.#lanes.find((lane) => lane.name === name) as Lane;
  }

  async #fill(lane: Lane): Promise<void> {
    const { concurrency, concurrencyPerOrganization = concurrency } = lane.handler;
    while (!this.#stopped) {
      const running = this.#organizationsIn(lane);
      if (running.length >= concurrency) return;
      const full = [...Map.groupBy(running, (id) => id)]
        .filter(([, jobs]) => jobs.length >= concurrencyPerOrganization)
        .map(([id]) => id);
      const { db, worker } = this.#deps;
      // Jobs begin outside of it: their statements have the usual time.
      const job = await promptly(() => claim(db, lane.name, worker, lane.after, full));
      if (job === undefined) return;
      lane.after = job.organizationId;
      this.#begin(lane, job);
    }
  }

  /** The organizations whose jobs run in a lane, each as often as it has jobs there. */
  #organizationsIn({ name }: Lane): string[] {
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

  #begin(lane: Lane, job: ClaimedJob): void {
    const abort = new AbortController();
    const { observe = (_job, make) => make() } = this.#deps;
    const { id, name, attempt } = job;
    let outcome: AttemptOutcome = "lost";
    const make = async () => {
      outcome = await this.#attempt(lane, job, abort);
      return outcome;
    };
    const attempted = () => observe(job, make);
    const ended = withLogContext({ job: id, name, attempt }, () =>
      withTenant(job.organizationId, attempted).catch((error: unknown) => {
        this.#deps.log.error({ err: error }, "the end of a job could not be written down");
      }),
    ).finally(() => {
      this.#running.delete(job.id);
      if (outcome === "lost") this.#mayHaveOrphans = true;
      this.wake();
    });
    this.#running.set(job.id, { job, abort, ended: ended.then(() => {}) });
  }

  async #attempt(lane: Lane, job: ClaimedJob, abort: AbortController): Promise<AttemptOutcome> {
    const deadline = setTimeout(() => abort.abort(new Error("The job took too long.")), catalog[job.name].deadlineMs);
    let parsed: Job<JobName> | undefined;
    try {
      parsed = parse(job);
      if (job.deathsAlone >= maxDeathsAlone)
        throw new PermanentFailure(`A process ended ${job.deathsAlone} times while it ran alone.`);
      const write = await unlessAborted(lane.handler.run(parsed, abort.signal), abort.signal);
      await this.#deps.db.transaction().execute(async (transaction) => {
        if (!(await complete(transaction, job))) throw new LeaseLost("The job is another worker's now.");
        await write?.(transaction);
      });
      return "done";
    } catch (error) {
      if (error instanceof LeaseLost) return "lost";
      if (!isConnectionLost(error)) return await this.#failed(lane, job, parsed, error);
      // The job is not to blame, so the attempt does not count.
      this.#deps.log.warn({ err: error }, "a job lost the database and will begin again");
      return "lost";
    } finally {
      clearTimeout(deadline);
    }
  }

  async #failed(
    lane: Lane,
    job: ClaimedJob,
    parsed: Job<JobName> | undefined,
    error: unknown,
  ): Promise<AttemptOutcome> {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof ProcessLost) {
      this.#deps.log.warn({ err: error, crashes: job.deaths + 1 }, "a job lost its process and will be tried again");
      this.#wakeIn(await giveBackAfterCrash(this.#deps.db, job, message));
      return "retried";
    }
    const planned = error instanceof PermanentFailure ? undefined : catalog[job.name].delaysMs[job.attempt];
    const isExpected = error instanceof TryAgain;
    const delayMs = planned !== undefined && isExpected ? Math.max(planned, error.atLeastMs) : planned;
    const about = { err: error };
    if (delayMs === undefined) {
      this.#deps.log.error(about, "a job failed for good");
      await this.#deps.db.transaction().execute(async (transaction) => {
        if ((await fail(transaction, job, message)) && parsed) await lane.handler.giveUp?.(transaction, parsed);
      });
      return "failed";
    }
    this.#deps.log[isExpected ? "debug" : "warn"](about, "a job failed and will be tried again");
    await retry(this.#deps.db, job, message, delayMs);
    this.#wakeIn(delayMs);
    return "retried";
  }

  /** A timer may end a moment early, and the job would then not be due yet. */
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

/** A handler that ignores the signal must not hold its place for ever. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
