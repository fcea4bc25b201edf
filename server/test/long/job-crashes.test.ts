/**
 * Jobs during which the process crashes, over both databases. A job that was running at two crashes
 * is a suspect: it may be the cause, so it runs alone.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { catalog } from "../../src/jobs/catalog.ts";
import { expireLeases, expireOwnLeases, foreignLeases } from "../../src/jobs/leases.ts";
import { claim, enqueue } from "../../src/jobs/queue.ts";
import { type Handler, type Handlers, ProcessLost, Runner } from "../../src/jobs/runner.ts";
import { claimAlone } from "../../src/jobs/suspects.ts";
import { openLog } from "../../src/lib/log.ts";
import type { Db } from "../../src/records/records.ts";
import { describeSideBySide, openEmptyDatabase } from "../helpers/databases.ts";

const name = "document.ingest";

describeSideBySide("jobs and crashes", (dialect) => {
  let db: Db;
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;
  beforeEach(async () => {
    database = await openEmptyDatabase(dialect);
    db = database.db;
  });
  afterEach(() => database[Symbol.asyncDispose]());

  const add = (document: string) => enqueue(db, name, { agent: "a", document }, { organizationId: "o" });
  const rows = () => db.selectFrom("jobs").selectAll().orderBy("id").execute();
  /** Makes all delayed jobs due. */
  const hurry = () =>
    db
      .updateTable("jobs")
      .set({ run_at: new Date(0).toISOString() })
      .execute();
  const runner = (
    own: Partial<Handler<typeof name>>,
    { delivery, settledAfterMs = 0 }: { delivery?: Handler<"delivery.send">["run"]; settledAfterMs?: number } = {},
  ) => {
    const idle: Handler = { concurrency: 4, run: async () => undefined };
    const others = Object.fromEntries(Object.keys(catalog).map((kind) => [kind, idle]));
    const handlers = { ...others, [name]: { ...idle, ...own } } as Handlers;
    if (delivery) handlers["delivery.send"] = { concurrency: 4, run: delivery };
    const made = new Runner({ db, log: openLog("silent"), worker: "w", handlers, settledAfterMs });
    return Object.assign(made, { [Symbol.asyncDispose]: () => made.stop() });
  };
  const until = async (reached: () => boolean | Promise<boolean>) => {
    for (const deadline = performance.now() + 30_000; !(await reached()); ) {
      assert.ok(performance.now() < deadline, "the expected state was not reached");
      await hurry();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test("a job does not fail because of crashes during which other jobs ran too, however many there are", async () => {
    for (let i = 0; i < 4; i++) await add(String(i));
    for (let end = 0; end < 10; end++) {
      // Once the jobs are suspects, `claim` no longer returns them, because a suspect must run
      // alone.
      for (let i = 0; i < 4; i++) await claim(db, name, "w", "");
      await expireOwnLeases(db, "w");
      await hurry();
    }
    assert.deepEqual(
      (await rows()).map(({ deaths, deaths_alone }) => [deaths, deaths_alone]),
      Array(4).fill([2, 0]),
    );
    const done: string[] = [];
    await using running = runner({ run: async ({ payload }) => void done.push(payload.document) as undefined });
    await running.start();
    await until(() => done.length === 4);
  });

  test("a suspect is cleared if the process also crashes while the suspect waits", async () => {
    await add("suspect");
    const id = (await rows())[0]?.id ?? "";
    await db.updateTable("jobs").set({ deaths: 2 }).execute();
    const crashAlone = async () => {
      await hurry();
      const { attempt } = (await rows()).find((row) => row.id === id) as { attempt: number };
      assert.ok(await claimAlone(db, { id, attempt }, "w"));
      await expireOwnLeases(db, "w");
    };
    const crashesAlone = async () => (await rows()).find((row) => row.id === id)?.deaths_alone;
    for (let kills = 0; kills < 10; kills++) {
      await crashAlone();
      await crashAlone();
      assert.equal(await crashesAlone(), 2);
      // The process crashes during another job. The suspect is waiting, so it cannot be the cause.
      await add(`other ${kills}`);
      await hurry();
      await claim(db, name, "w", "");
      await expireOwnLeases(db, "w");
      assert.equal(await crashesAlone(), 0);
    }
  });

  test("two suspects that each crash while running alone do not clear each other", async () => {
    for (const document of ["a", "b"]) await add(document);
    await db.updateTable("jobs").set({ deaths: 2 }).execute();
    for (let crash = 0; crash < 3; crash++)
      for (const { id, attempt } of await rows()) {
        await claimAlone(db, { id, attempt }, "w");
        await expireOwnLeases(db, "w");
      }
    assert.deepEqual(
      (await rows()).map(({ deaths_alone }) => deaths_alone),
      [3, 3],
    );
  });

  test("a suspect stays suspected if the leases of the crashed process expire one after the other", async () => {
    for (const document of ["ran alone", "waits"]) await add(document);
    await db.updateTable("jobs").set({ deaths: 2, deaths_alone: 1 }).execute();
    const [alone] = await rows();
    await claimAlone(db, { id: alone?.id ?? "", attempt: alone?.attempt ?? 0 }, "w");
    // Jobs that never crash, such as deliveries, run beside a suspect.
    for (let i = 0; i < 2; i++) await enqueue(db, "delivery.send", { delivery: `${i}` }, { organizationId: "o" });
    for (let i = 0; i < 2; i++) await claim(db, "delivery.send", "w", "");
    const leases = await foreignLeases(db, "other");
    const [first, ...last] = leases.filter(({ id }) => id !== alone?.id);
    assert.ok(first);
    await expireLeases(db, [first]);
    const counts = async () => (await rows()).slice(0, 2).map(({ deaths_alone }) => deaths_alone);
    assert.deepEqual(await counts(), [1, 1]);
    await expireLeases(
      db,
      leases.filter(({ id }) => id === alone?.id),
    );
    assert.deepEqual(await counts(), [2, 1]);
    // When these leases expire, the suspect is already waiting for its retry.
    await expireLeases(db, last);
    assert.equal((await counts())[0], 2);
  });

  test("a job that crashed while running alone waits until the process has run for a while, and other jobs do not", async () => {
    for (const document of ["crashed alone", "suspect", "other"]) await add(document);
    await db.updateTable("jobs").set({ deaths: 2 }).where("payload", "not like", "%other%").execute();
    await db.updateTable("jobs").set({ deaths_alone: 1 }).where("payload", "like", "%crashed alone%").execute();
    const done: string[] = [];
    const settledAfterMs = 3_000;
    const startedAt = performance.now();
    await using made = runner(
      { run: async ({ payload }) => void done.push(payload.document) as undefined },
      { settledAfterMs },
    );
    await made.start();
    await until(() => done.length === 2);
    assert.deepEqual(done.toSorted(), ["other", "suspect"]);
    await until(() => done.length === 3);
    assert.ok(performance.now() - startedAt >= settledAfterMs);
  });

  test("suspects run one at a time and alone, and deliveries continue beside them", async () => {
    for (let i = 0; i < 3; i++) await add(`suspect ${i}`);
    await db.updateTable("jobs").set({ deaths: 2 }).execute();
    for (let i = 0; i < 3; i++) await add(`other ${i}`);
    let running = 0;
    const together = new Map<string, number>();
    let delivered = 0;
    await using made = runner(
      {
        run: async ({ payload }) => {
          running++;
          if (payload.document === "suspect 0") {
            await enqueue(db, "delivery.send", { delivery: "d" }, { organizationId: "o" });
            while (delivered === 0) await new Promise((resolve) => setTimeout(resolve, 10));
          } else await new Promise((resolve) => setTimeout(resolve, 100));
          together.set(payload.document, running);
          running--;
          return undefined;
        },
      },
      {
        delivery: async () => {
          delivered++;
          return undefined;
        },
      },
    );
    await made.start();
    await until(() => together.size === 6);
    for (let i = 0; i < 3; i++) assert.equal(together.get(`suspect ${i}`), 1);
    assert.ok(
      [0, 1, 2].some((i) => (together.get(`other ${i}`) ?? 0) > 1),
      "others run side by side",
    );
  });

  test("a job whose reading process exits at each attempt fails, and jobs beside it do not", async () => {
    for (const document of ["good 0", "bad", "good 1"]) await add(document);
    let lost = 0;
    const done: string[] = [];
    const given: string[] = [];
    await using made = runner({
      run: async ({ payload: { document } }) => {
        if (document === "bad") {
          lost++;
          throw new ProcessLost("killed");
        }
        // Until the bad job has lost its process twice, the jobs beside it lose theirs as well.
        if (lost < 2) throw new ProcessLost("killed");
        done.push(document);
        return undefined;
      },
      onExhausted: async (_, { payload }) => void given.push(payload.document),
    });
    await made.start();
    await until(() => given.length === 1 && done.length === 2);
    assert.deepEqual([given, done.sort(), lost], [["bad"], ["good 0", "good 1"], 5]);
  });
});
