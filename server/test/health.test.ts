/** Health endpoints: liveness, readiness, and the names of the parts that are not ready. */
import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Client } from "pg";
import { checkParts } from "../src/features/health/health.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import { openRecords } from "../src/records/records.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

/** Holds locks of the database from outside of the service until the result is disposed. */
async function lockDatabase({ config: { database } }: TestService): Promise<AsyncDisposable> {
  if (database.dialect === "sqlite") {
    const other = new DatabaseSync(database.path);
    other.exec("begin immediate");
    return { [Symbol.asyncDispose]: async () => other.close() };
  }
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query("begin; lock table organizations, agents in access exclusive mode");
  return { [Symbol.asyncDispose]: () => other.end() };
}

describeOverDatabases("health", (dialect) => {
  test("a running service is live and ready, and reports missing folders", async () => {
    await using service = await openTestService(dialect);
    const { send } = service.client("");
    assert.deepEqual((await send("GET", "/healthz")).body, { status: "success", data: {} });
    for (let answer = await send("GET", "/readyz"); answer.status !== 200; answer = await send("GET", "/readyz"))
      assert.match(answer.body.error, /^Down: reading\.$/);
    const { body } = await send("GET", "/readyz");
    assert.deepEqual(body.data, { database: "ok", files: "ok", reading: "ok" });
    const { filesDir } = service.config;
    await rename(filesDir, `${filesDir}.gone`);
    const down = await send("GET", "/readyz");
    assert.deepEqual([down.status, down.body.code, down.body.error], [503, "agent_unavailable", "Down: files."]);
    assert.equal((await send("GET", "/healthz")).status, 200);
    await rename(`${filesDir}.gone`, filesDir);
    assert.equal((await send("GET", "/readyz")).status, 200);
  });

  test("a closed database and a reader without processes are named in the readiness response", async () => {
    await using service = await openTestService(dialect);
    const { database, filesDir } = service.config;
    const records = openRecords(database.dialect === "sqlite" ? database : { ...database, onIdleError: () => {} });
    await records.db.selectFrom("organizations").select("id").execute();
    await records.close();
    const files = await openFolderFiles(filesDir);
    await assert.rejects(
      checkParts({ db: records.db, files, reader: { isAlive: () => false }, stopping: new AbortController().signal }),
      {
        code: "agent_unavailable",
        message: "Down: database, reading.",
      },
    );
  });

  test("while the database is locked, the service is live but not ready; waiting work completes after the unlock", async () => {
    await using service = await openTestService(dialect);
    const { administrator } = await service.organization("o");
    const { send } = service.client("");
    while ((await send("GET", "/readyz")).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    const lock = await lockDatabase(service);
    const made = administrator.send("POST", "/v2/agents", { name: "a", type: "EXTRACTOR" });
    const looks = [send("GET", "/readyz"), send("GET", "/readyz"), send("GET", "/readyz")];
    for (let look = 0; look < 20; look++) {
      const startedAt = performance.now();
      assert.equal((await send("GET", "/healthz")).status, 200);
      assert.ok(performance.now() - startedAt < 4_000, "the liveness endpoint does not wait for the database");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const { status, body } of await Promise.all(looks))
      assert.deepEqual([status, body], [503, { status: "error", code: "agent_unavailable", error: "Down: database." }]);
    await lock[Symbol.asyncDispose]();
    assert.equal((await made).status, 201);
    assert.equal((await send("GET", "/readyz")).status, 200);
  });
});
