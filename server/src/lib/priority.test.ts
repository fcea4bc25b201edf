import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { yieldProcess } from "./priority.ts";

const isLinux = process.platform === "linux";

test("a yielding process has a lower priority than this one", async () => {
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  try {
    yieldProcess(child.pid);
    assert.equal(getPriority(child.pid), 10);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a yielding process in a session of its own lowers the priority of the session", {
  skip: !existsSync("/proc/self/autogroup") && "the system does not group processes by session",
}, async () => {
  const before = readFileSync("/proc/self/autogroup", "utf8");
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1e6)"], { stdio: "ignore", detached: true });
  try {
    yieldProcess(child.pid);
    assert.match(readFileSync(`/proc/${child.pid}/autogroup`, "utf8"), /nice 10$/m);
    assert.equal(readFileSync("/proc/self/autogroup", "utf8"), before);
  } finally {
    child.kill("SIGKILL");
  }
});

test("an exited process is ignored", async () => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  yieldProcess(child.pid);
  yieldProcess(undefined);
});

test("a yielding thread leaves the priority of its process unchanged", {
  skip: !isLinux && "threads have no priority on this system",
}, async () => {
  const before = getPriority();
  const program = `
    const { parentPort } = require("node:worker_threads");
    const { readlinkSync } = require("node:fs");
    const { getPriority } = require("node:os");
    import(${JSON.stringify(new URL("./priority.ts", import.meta.url).href)}).then(({ yieldThread }) => {
      yieldThread();
      parentPort.postMessage(getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1))));
    });`;
  const thread = new Worker(program, { eval: true });
  const [priority] = await once(thread, "message");
  await thread.terminate();
  assert.equal(priority, Math.max(10, before));
  assert.equal(getPriority(), before);
});
