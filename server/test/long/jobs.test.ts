/** The queue and its runner over both databases: every way in which a job starts and ends. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { catalog } from "../../src/jobs/catalog.ts";
import { expireOwnLeases, heartbeat, releaseAll } from "../../src/jobs/leases.ts";
import { cancel, claim, complete, enqueue, fail, retry } from "../../src/jobs/queue.ts";
import { type Handler, type Handlers, type Job, PermanentFailure, RetryLater, Runner } from "../../src/jobs/runner.ts";
import { newId } from "../../src/lib/ids.ts";
import { openLog } from "../../src/lib/log.ts";
import type { Db } from "../../src/records/records.ts";
import { describeSideBySide, openEmptyDatabase } from "../helpers/databases.ts";

const log = openLog("silent");
const name = "document.clean";

describeSideBySide("jobs", (dialect) => {
  let db: Db;
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;
  beforeEach(async () => {
    database = await openEmptyDatabase(dialect);
    db = database.db;
  });
  afterEach(() => database[Symbol.asyncDispose]());

  const add = (document: string, organizationId = "o", delayMs = 0) =>
    enqueue(db, name, { agent: "a", document }, { organizationId, delayMs });
  const rows = () => db.selectFrom("jobs").selectAll().orderBy("id").execute();
  const handlers = (own: Partial<Handler<typeof name>>): Handlers => {
    const idle: Handler = { concurrency: 1, run: async () => undefined };
    const others = Object.fromEntries(Object.keys(catalog).map((kind) => [kind, idle]));
    return { ...others, [name]: { ...idle, ...own } } as Handlers;
  };
  const runner = (own: Partial<Handler<typeof name>>, worker = "w") => {
    const made = new Runner({ db, log, worker, handlers: handlers(own) });
    return Object.assign(made, { [Symbol.asyncDispose]: () => made.stop() });
  };
  const until = async (reached: () => boolean | Promise<boolean>, what: string) => {
    const deadline = performance.now() + 20_000;
    while (!(await reached())) {
      assert.ok(performance.now() < deadline, `waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const noneLeft = () => until(async () => (await rows()).length === 0, "the queue to be empty");

  test("a job whose transaction is rolled back never exists", async () => {
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await enqueue(transaction, name, { agent: "a", document: "d" }, { organizationId: "o" });
        throw new Error("no");
      }),
    );
    assert.deepEqual(await rows(), []);
  });

  test("each of 100 jobs runs once on 4 workers", async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => add(String(i))));
    const claimed: string[] = [];
    await Promise.all(
      ["a", "b", "c", "d"].map(async (worker) => {
        for (;;) {
          const job = await claim(db, name, worker, "");
          if (job === undefined) return;
          claimed.push(job.id);
          assert.equal(await complete(db, job), true);
        }
      }),
    );
    assert.deepEqual(claimed.sort(), ids.sort());
    assert.deepEqual(await rows(), []);
  });

  test("organizations take turns, each with its oldest job first", async () => {
    for (let i = 0; i < 6; i++) {
      await add(`large ${i}`, "large");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await add("small 0", "small");
    await add("tiny 0", "tiny");
    const order: string[] = [];
    let after = "";
    for (let job = await claim(db, name, "w", after); job; job = await claim(db, name, "w", after)) {
      order.push(JSON.parse(job.payload).document);
      after = job.organizationId;
    }
    assert.deepEqual(order, ["large 0", "small 0", "tiny 0", ...[1, 2, 3, 4, 5].map((i) => `large ${i}`)]);
  });

  test("an organization's single upload does not wait for another organization's 300 uploads, which three workers process", async () => {
    await db.transaction().execute(async (transaction) => {
      for (let i = 0; i < 300; i++)
        await enqueue(transaction, name, { agent: "a", document: `large ${i}` }, { organizationId: "m" });
    });
    // The id of the first organization sorts before that of the large one, the id of the second
    // after it.
    const single = ["b", "z"];
    const started: string[] = [];
    const record = {
      concurrency: 2,
      run: async ({ payload: { document } }: Job<typeof name>) => {
        started.push(document);
        await new Promise((resolve) => setTimeout(resolve, 10));
        return undefined;
      },
    };
    await using first = runner(record, "w 1");
    await using second = runner(record, "w 2");
    await using third = runner(record, "w 3");
    const workers = [first, second, third];
    for (const worker of workers) await worker.start();
    const overtaking: number[] = [];
    for (const [turn, organization] of single.entries()) {
      await until(() => started.length >= 20 * (turn + 1), "some of the large organization");
      await add(organization, organization);
      const before = started.length;
      await until(() => started.includes(organization), `the job of ${organization}`);
      overtaking.push(started.indexOf(organization) - before);
      assert.ok((await rows()).length > 100, "most jobs of the large organization still wait");
    }
    // When the job is inserted, each worker may already have claimed one job and be claiming a
    // second one.
    for (const count of overtaking) assert.ok(count <= 2 * workers.length, `${count} jobs ran before it`);
  });

  test("a delayed job waits; a cancelled one never runs", async () => {
    await add("later", "o", 60_000);
    const cancelled = await add("never");
    await cancel(db, cancelled);
    assert.equal(await claim(db, name, "w", ""), undefined);
    assert.equal((await rows()).length, 1);
  });

  test("a worker that lost its lease can neither complete, retry nor fail the job", async () => {
    await add("d");
    const first = await claim(db, name, "w", "");
    assert.ok(first);
    // Simulates that the worker crashes and restarts with the same name.
    await expireOwnLeases(db, "w");
    const second = await claim(db, name, "w", "");
    assert.ok(second);
    assert.deepEqual([first.attempt, second.attempt], [1, 2]);
    assert.deepEqual(
      [await complete(db, first), await retry(db, first, "late", 0), await fail(db, first, "late")],
      [false, false, false],
    );
    assert.equal(await complete(db, second), true);
  });

  test("when a worker starts, its earlier leases expire, and a job that crashed twice runs only after others", async () => {
    const id = await add("d");
    for (const attempt of [1, 2]) {
      assert.equal((await claim(db, name, "w", ""))?.attempt, attempt);
      await expireOwnLeases(db, "another");
      assert.equal((await rows())[0]?.worker, "w");
      await expireOwnLeases(db, "w");
    }
    assert.equal(await claim(db, name, "w", ""), undefined);
    const [row] = await rows();
    assert.ok(row?.id === id && row.worker === null && row.run_at > new Date().toISOString());
  });

  test("stopping the runner releases its jobs at once, and the interrupted attempt does not count", async () => {
    await add("d");
    let aborted = false;
    let begun = false;
    const stopped = runner({
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun = true;
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
    });
    await stopped.start();
    await until(() => begun, "the job to begin");
    const startedAt = performance.now();
    await stopped.stop();
    assert.ok(performance.now() - startedAt < 1000);
    assert.equal(aborted, true);
    assert.deepEqual(
      (await rows()).map(({ worker, attempt }) => [worker, attempt]),
      [[null, 0]],
    );
  });

  test("after an error the job is retried after the delay, and then done once", async () => {
    await add("d");
    const attempts: number[] = [];
    let written = 0;
    await using running = runner({
      run: async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) throw new Error("not yet");
        return async () => {
          written++;
        };
      },
    });
    const startedAt = performance.now();
    await running.start();
    await noneLeft();
    assert.deepEqual([attempts, written], [[1, 2], 1]);
    assert.ok(performance.now() - startedAt >= 1000, "the delay of a second");
  });

  test("a permanent failure ends the job at once, calls onExhausted, and keeps the row for inspection", async () => {
    await add("d");
    const given: string[] = [];
    await using running = runner({
      run: async () => {
        throw new PermanentFailure("never");
      },
      onExhausted: async (_, job: Job<typeof name>) => {
        given.push(job.payload.document);
      },
    });
    await running.start();
    await until(async () => Boolean((await rows())[0]?.failed_at), "the failure");
    assert.deepEqual(given, ["d"]);
    assert.equal((await rows())[0]?.error, "never");
  });

  test("a job during which the process crashed three times while it ran alone fails without another attempt", async () => {
    const id = await add("d");
    const given: string[] = [];
    await db.updateTable("jobs").set({ deaths: 5, deaths_alone: 3 }).where("id", "=", id).execute();
    await using running = runner({
      run: async () => assert.fail("it ran"),
      onExhausted: async (_, job: Job<typeof name>) => {
        given.push(job.payload.document);
      },
    });
    await running.start();
    await until(async () => Boolean((await rows())[0]?.failed_at), "the failure");
    assert.deepEqual(given, ["d"]);
  });

  test("a job with an invalid payload fails and is not retried", async () => {
    const id = await add("d");
    await db.updateTable("jobs").set({ payload: '{"agent":"a"}' }).where("id", "=", id).execute();
    await using running = runner({
      run: async () => assert.fail("it ran"),
      onExhausted: async () => assert.fail("onExhausted must not be called"),
    });
    await running.start();
    await until(async () => Boolean((await rows())[0]?.failed_at), "the failure");
    assert.match((await rows())[0]?.error ?? "", /^The payload is not valid/);
  });

  test("at most `concurrency` jobs run at once, and all are run", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => add(String(i), `o${i % 3}`)));
    let running = 0;
    let most = 0;
    await using some = runner({
      concurrency: 5,
      run: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running--;
        return undefined;
      },
    });
    await some.start();
    await noneLeft();
    assert.equal(most, 5);
  });

  test("one organization runs at most its share of jobs at once, and others do not wait for it", async () => {
    for (let i = 0; i < 6; i++) await add(`slow ${i}`, "a");
    await add("quick", "b");
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    const done: string[] = [];
    const release = Promise.withResolvers<void>();
    await using made = runner({
      concurrency: 4,
      concurrencyPerOrganization: 2,
      run: async ({ organizationId, payload }) => {
        running.set(organizationId, (running.get(organizationId) ?? 0) + 1);
        most.set(organizationId, Math.max(most.get(organizationId) ?? 0, running.get(organizationId) ?? 0));
        if (organizationId === "a") await release.promise;
        running.set(organizationId, (running.get(organizationId) ?? 0) - 1);
        done.push(payload.document);
        return undefined;
      },
    });
    await made.start();
    await until(
      () => done.includes("quick") && running.get("a") === 2,
      "the other organization, and the share of the one",
    );
    assert.deepEqual(done, ["quick"]);
    release.resolve();
    await noneLeft();
    assert.deepEqual(
      [...most],
      [
        ["a", 2],
        ["b", 1],
      ],
    );
  });

  test("a failed attempt can request a longer delay than the job catalog defines", async () => {
    await add("a");
    const times: number[] = [];
    await using made = runner({
      run: async () => {
        times.push(performance.now());
        if (times.length === 1) throw new RetryLater("not yet", 1_600);
        return undefined;
      },
    });
    await made.start();
    await noneLeft();
    const pause = (times[1] ?? 0) - (times[0] ?? 0);
    assert.ok(pause >= 1_600 && pause < 2_600, `${pause} ms`);
  });

  test("a job's last writes and its completion are one transaction: both or neither are stored", async () => {
    await add("d");
    let fails = true;
    const organization = newId();
    await using running = runner({
      run: async () => async (transaction) => {
        const at = new Date().toISOString();
        await transaction
          .insertInto("organizations")
          .values({
            id: organization,
            name: "n",
            slug: organization,
            api_enabled: true,
            created_at: at,
            updated_at: at,
          })
          .execute();
        if (fails) {
          fails = false;
          throw new Error("after the insert");
        }
      },
    });
    await running.start();
    await noneLeft();
    assert.equal((await db.selectFrom("organizations").select("id").execute()).length, 1);
  });

  test("without a wake-up, a job runs at the next poll", async () => {
    const done: string[] = [];
    await using running = runner({
      run: async ({ payload }) => {
        done.push(payload.document);
        return undefined;
      },
    });
    await running.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await add("unannounced");
    await until(() => done.length === 1, "the job to run");
  });

  test("a heartbeat returns the jobs that the worker still holds", async () => {
    const [kept, lost] = [await add("kept"), await add("lost")];
    for (const _ of [1, 2]) await claim(db, name, "w", "");
    await db.updateTable("jobs").set({ worker: "other" }).where("id", "=", lost).execute();
    assert.deepEqual(await heartbeat(db, "w"), new Set([kept]));
    await releaseAll(db, "w");
    const workers = new Map((await rows()).map(({ id, worker }) => [id, worker]));
    assert.deepEqual([workers.get(kept), workers.get(lost)], [null, "other"]);
  });

  test("if a worker sends no heartbeat, another worker gets its jobs within 30 seconds", async () => {
    await add("orphan");
    assert.ok(await claim(db, name, "dead", ""));
    const done: string[] = [];
    await using running = runner({
      run: async ({ payload }) => {
        done.push(payload.document);
        return undefined;
      },
    });
    const startedAt = performance.now();
    await running.start();
    while (done.length === 0 && performance.now() - startedAt < 31_000)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(done, ["orphan"]);
    assert.ok(performance.now() - startedAt > 15_000, "a worker that is merely slow keeps its jobs");
  });
});
