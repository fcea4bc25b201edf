/** Work that is running while database connections break or stop responding. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { catalog } from "../../src/jobs/catalog.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { type Handlers, Runner } from "../../src/jobs/runner.ts";
import { DatabaseUnavailable } from "../../src/lib/database-unavailable.ts";
import { openLog } from "../../src/lib/log.ts";
import { type Db, openRecords, type Records } from "../../src/records/records.ts";
import { withStatementDeadline } from "../../src/records/statement-deadline.ts";
import { noCluster, type PostgresCluster, startCluster } from "../helpers/postgres-cluster.ts";
import { openProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";

describe("lost database connections", { skip: noCluster }, () => {
  let cluster: PostgresCluster;
  let proxy: TcpProxy;
  let records: Records;
  let db: Db;
  before(async () => {
    cluster = await startCluster();
    proxy = await openProxy(cluster.port);
    const url = await cluster.createDatabase("lost", proxy.port);
    records = openRecords({ dialect: "postgres", url, maxConnections: 4, onIdleError: () => {} });
    db = records.db;
    await records.migrate();
    await sql`create table notes (text text)`.execute(db);
  });
  after(async () => {
    await records?.close();
    await proxy?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  const note = (at: Db, text: string) => sql`insert into notes values (${text})`.execute(at);
  const count = async (text: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from notes where text = ${text}`.execute(db);
    return Number(rows[0]?.n);
  };

  test("if a connection is lost within a transaction, the process continues, and the transaction is repeated and committed once", async () => {
    let attempts = 0;
    await db.transaction().execute(async (transaction) => {
      await note(transaction, "middle");
      if (attempts++ > 0) return;
      // No statement is running, so only an event listener learns that the connection has ended.
      await cluster.terminate("lost");
      await sleep(200);
    });
    assert.deepEqual([attempts, await count("middle")], [2, 1]);
  });

  test("after a deadlock, one of the two transactions is retried, and both are committed", async () => {
    for (const text of ["a", "b"]) await note(db, text);
    const lock = (at: Db, text: string) => sql`select * from notes where text = ${text} for update`.execute(at);
    const both = Promise.withResolvers<void>();
    let first = 0;
    const work = (one: string, other: string) =>
      db.transaction().execute(async (transaction) => {
        await lock(transaction, one);
        if (++first === 2) both.resolve();
        await both.promise;
        await lock(transaction, other);
        await note(transaction, "deadlock");
      });
    await Promise.all([work("a", "b"), work("b", "a")]);
    assert.equal(await count("deadlock"), 2);
  });

  test("if the connection is lost after COMMIT was sent, the transaction is not repeated, because it may have been committed", async () => {
    proxy.onSent = (bytes) => (bytes.includes("commit") ? "cut" : undefined);
    const work = db.transaction().execute((transaction) => note(transaction, "sent"));
    await assert.rejects(work, (error) => error instanceof DatabaseUnavailable && error.commitWasSent);
    proxy.onSent = undefined;
    assert.equal(await count("sent"), 1);
  });

  test("if a connection stops responding, the statement fails at its deadline, and the next statement uses a new connection", async () => {
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(db)));
    const hole = proxy.openHole();
    const startedAt = performance.now();
    const stuck = withStatementDeadline(1_000, () => sql`select 1`.execute(db));
    await assert.rejects(stuck, (error) => error instanceof DatabaseUnavailable && error.reason === "connection");
    assert.ok(performance.now() - startedAt < 5_000);
    hole.close();
    // The other pooled connections are dead as well. Statements must not wait for them.
    await Promise.all([1, 2, 3, 4].map((i) => note(db, `hole ${i}`)));
    assert.ok(performance.now() - startedAt < 10_000);
    assert.equal(await count("hole 4"), 1);
  });

  test("a connection that broke while idle is detected before a statement uses it", async () => {
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(db)));
    proxy.openHole().close();
    await sleep(2_500);
    const startedAt = performance.now();
    await Promise.all([1, 2, 3, 4].map((i) => note(db, `idle ${i}`)));
    assert.ok(performance.now() - startedAt < 8_000);
    assert.equal(await count("idle 1"), 1);
  });

  test("if the reply to the claim of a job is lost, the job still runs, and only once", async () => {
    const runs: string[] = [];
    const idle = { concurrency: 1, run: async () => undefined };
    const handlers = {
      ...Object.fromEntries(Object.keys(catalog).map((kind) => [kind, idle])),
      "agent.clean": {
        concurrency: 1,
        run: async ({ payload }: { payload: { agent: string } }) => {
          runs.push(payload.agent);
          return undefined;
        },
      },
    } as unknown as Handlers;
    let cuts = 0;
    proxy.onSent = (bytes) => {
      if (cuts > 0 || !bytes.includes('update "jobs" set "worker"') || !bytes.includes('"beats"')) return undefined;
      cuts++;
      return "cut";
    };
    const runner = new Runner({ db, log: openLog("silent"), worker: "w", handlers });
    await enqueue(db, "agent.clean", { agent: "a" }, { organizationId: "" });
    await runner.start();
    const left = async () => (await db.selectFrom("jobs").select("id").execute()).length;
    for (const deadline = performance.now() + 20_000; (await left()) > 0 && performance.now() < deadline; )
      await sleep(50);
    proxy.onSent = undefined;
    await runner.stop();
    assert.deepEqual([cuts, runs, await left()], [1, ["a"], 0]);
  });
});
