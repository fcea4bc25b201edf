/** Tests the antivirus with a fake clamd that hangs, closes connections and recovers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openLog } from "../lib/log.ts";
import { openAntivirus } from "./antivirus.ts";
import { eicar } from "./self-test.ts";
import { openClamdServer } from "./testing/clamd-server.ts";
import { eventually, fileOf, never, open } from "./testing/scanned-files.ts";

test("if no clamd is configured, no antivirus is opened", () => {
  assert.equal(openAntivirus({ clamd: undefined, timeoutMs: 1 }, openLog("silent")), undefined);
});

describe("antivirus with a faulty clamd", { concurrency: true }, () => {
  test("if clamd hangs, every scan ends in time and no connection stays open", async () => {
    await using server = await openClamdServer();
    using antivirus = open(server, 3_000);
    const file = await fileOf("hung", Buffer.alloc(100_000));
    await eventually(() => antivirus.scan(file, never));
    server.behaviour = "hang";
    const began = performance.now();
    const scans = Array.from({ length: 100 }, () => antivirus.scan(file, never));
    const most = sleep(500).then(() => server.open());
    for (const end of await Promise.allSettled(scans))
      assert.equal(end.status === "rejected" && end.reason.code, "antivirus_unavailable");
    assert.ok(performance.now() - began < 20_000);
    assert.ok((await most) <= 10, `${await most} connections at once`);
    server.behaviour = "work";
    await eventually(() => antivirus.scan(file, never));
    await antivirus.check();
    await eventually(async () => assert.equal(server.open(), 0));
  });

  test("if clamd closes connections or is not reachable, files are refused until a test has passed", async () => {
    await using server = await openClamdServer("closeEarly");
    using antivirus = open(server, 5_000);
    const file = await fileOf("refused", Buffer.from("Sheaf"));
    await assert.rejects(antivirus.check());
    for (let count = 0; count < 20; count++)
      await assert.rejects(antivirus.scan(file, never), { code: "antivirus_unavailable" });
    assert.equal(server.connections, 1, "a failed test is not repeated for every scan");
    server.behaviour = "work";
    await eventually(() => antivirus.scan(file, never));
  });

  test("a cancelled request cancels its scan, whether waiting or running", async () => {
    await using server = await openClamdServer();
    using antivirus = open(server, 5_000);
    const file = await fileOf("left", Buffer.from("Sheaf"));
    await antivirus.scan(file, never);
    server.behaviour = "hang";
    const leaving = new AbortController();
    const scans = Array.from({ length: 20 }, () => antivirus.scan(file, leaving.signal));
    while (server.open() < 8) await sleep(5);
    leaving.abort(new Error("gone"));
    for (const end of await Promise.allSettled(scans))
      assert.equal(end.status === "rejected" && end.reason.message, "gone");
    await eventually(async () => assert.equal(server.open(), 0));
    server.behaviour = "work";
    await antivirus.scan(file, never);
  });

  test("a file that cannot be read is not reported as an antivirus error", async () => {
    await using server = await openClamdServer();
    using antivirus = open(server);
    await assert.rejects(antivirus.scan({ path: "/nowhere/file", size: 1 }, never), { code: "ENOENT" });
  });

  test("close ends running scans", async () => {
    await using server = await openClamdServer("hang");
    const antivirus = open(server, 60_000);
    const scan = antivirus.scan(await fileOf("closed", eicar), never);
    while (server.open() === 0) await sleep(5);
    antivirus[Symbol.dispose]();
    await assert.rejects(scan, { code: "antivirus_unavailable" });
    await eventually(async () => assert.equal(server.open(), 0));
  });
});
