/**
 * The service over a PostgreSQL that restarts, ends sessions, or stops responding on open
 * connections.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOf, settled } from "../helpers/killed-service.ts";
import { noCluster, type PostgresCluster, startCluster } from "../helpers/postgres-cluster.ts";
import { type Running, start, temporaryFolder } from "../helpers/process.ts";
import { openProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";
import { sendDocuments } from "../helpers/work-under-faults.ts";

/**
 * Timeouts in milliseconds, far longer than any step takes. If a step hangs, it fails, and the test
 * can still stop the processes that it started. Chosen by hand, 2026-11.
 */
const limits = { answerMs: 30_000, testMs: 150_000 };

describe("a failing PostgreSQL", { skip: noCluster }, () => {
  const stack = new AsyncDisposableStack();
  let cluster: PostgresCluster;
  let proxy: TcpProxy;
  let service: Running;
  let client: Awaited<ReturnType<typeof clientOf>>;
  before(
    async () => {
      const folder = stack.use(await temporaryFolder());
      cluster = stack.use(await startCluster());
      proxy = stack.use(await openProxy(cluster.port));
      service = stack.use(
        start(["serve"], {
          SHEAF_DATA_DIR: folder.path,
          SHEAF_PORT: "0",
          SHEAF_LOG_LEVEL: "error",
          DATABASE_URL: await cluster.createDatabase("sheaf", proxy.port),
        }),
      );
      client = await clientOf(service);
    },
    { timeout: limits.testMs },
  );
  after(() => stack.disposeAsync(), { timeout: limits.testMs });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(client.url + path, { headers, signal: AbortSignal.timeout(limits.answerMs) });
  const ready = async () => {
    const answer = await get("/readyz");
    return { status: answer.status, body: (await answer.json()) as { error?: string } };
  };
  const until = async (reached: () => Promise<boolean>, withinMs: number, what: string) => {
    for (const deadline = performance.now() + withinMs; !(await reached()); await sleep(50))
      assert.ok(performance.now() < deadline, `waited in vain for ${what}`);
  };
  const isReady = async () => (await ready()).status === 200;
  /** Asserts that `/readyz` names the database, and that `/healthz` responds with 200. */
  const assertDown = async () => {
    await until(async () => !(await isReady()), 15_000, "/readyz to fail");
    assert.deepEqual(await ready(), {
      status: 503,
      body: { status: "error", code: "agent_unavailable", error: "Down: database." },
    });
    assert.equal((await get("/healthz")).status, 200);
  };
  /**
   * Asserts that each accepted document exists once and is ready, and that the service process
   * still runs.
   */
  const assertKept = async (accepted: readonly string[]) => {
    const documents = await settled(() => client.list(client.url));
    const names = documents.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      accepted.filter((name) => documents.find((document) => document.name === name)?.status !== "ready"),
      [],
    );
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null]);
  };

  test("sessions are ended at random moments: nothing is lost, and every response is a success or a 503", {
    timeout: limits.testMs,
  }, async () => {
    await using work = sendDocuments(client, 2, "ended");
    let ended = 0;
    for (let i = 0; i < 25; i++, await sleep(150)) ended += await cluster.terminate("sheaf", i % 3 === 0 ? 1 : 0.3);
    const { accepted, wrong } = await work.stop();
    assert.ok(ended > 0 && accepted.length > 0, `${ended} sessions ended, ${accepted.length} documents accepted`);
    assert.deepEqual(wrong, []);
    await assertKept(accepted);
  });

  test("the server stops and restarts: requests get 503 until then, and the service recovers by itself", {
    timeout: limits.testMs,
  }, async () => {
    await using work = sendDocuments(client, 2, "restart");
    await until(async () => work.seen.accepted.length >= 2, 30_000, "documents to be accepted");
    await cluster.stop();
    await assertDown();
    const answer = await get("/v2/agents", { "x-api-key": client.token });
    assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
    await cluster.start();
    await until(isReady, 20_000, "/readyz to recover");
    const earlier = work.seen.accepted.length;
    await until(async () => work.seen.accepted.length > earlier, 30_000, "documents to be accepted again");
    const { accepted, refused, wrong } = await work.stop();
    assert.ok(refused > 0);
    assert.deepEqual(wrong, []);
    await assertKept(accepted);
  });

  test("open connections stop responding: jobs and readiness recover within a minute", {
    timeout: limits.testMs,
  }, async () => {
    await using work = sendDocuments(client, 2, "hole");
    await until(async () => work.seen.accepted.length >= 2, 30_000, "documents to be accepted");
    const hole = proxy.openHole();
    try {
      await assertDown();
    } finally {
      hole.close();
    }
    const closedAt = performance.now();
    await until(isReady, 20_000, "/readyz to recover");
    const earlier = work.seen.accepted.length;
    await until(async () => work.seen.accepted.length > earlier, 60_000, "documents to be accepted again");
    const { accepted, wrong } = await work.stop();
    assert.deepEqual(wrong, []);
    await assertKept(accepted);
    assert.ok(performance.now() - closedAt < 100_000);
  });
});
