/** What watchers see: that the process runs, and which part is down. */
import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { test } from "node:test";
import { checkParts } from "../src/features/health/health.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import { openRecords } from "../src/records/records.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService } from "./helpers/service.ts";

describeOverDatabases("health", (dialect) => {
  test("a service that is up is well and ready, and says when its files are gone", async () => {
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

  test("a database that is closed and a reader without processes are named", async () => {
    await using service = await openTestService(dialect);
    const { database, filesDir } = service.config;
    const records = openRecords(database.dialect === "sqlite" ? database : { ...database, onIdleError: () => {} });
    await records.db.selectFrom("organizations").select("id").execute();
    await records.close();
    const files = await openFolderFiles(filesDir);
    await assert.rejects(checkParts({ db: records.db, files, reader: { isAlive: () => false } }), {
      code: "agent_unavailable",
      message: "Down: database, reading.",
    });
  });
});
