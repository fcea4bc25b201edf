/**
 * A compromised reading process can reach nothing except the document that was sent to it, and
 * can't use more memory and processor time than it is allowed.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { pageText } from "../document.ts";
import { ReadingError, type ReadingSettings } from "../reader.ts";
import type { Surroundings } from "../testing/escaping-process.ts";
import { onePage } from "../testing/make-pdf.ts";
import { attackNatively, reachable } from "../testing/native-attack.ts";
import { patientSettings } from "../testing/patient-settings.ts";
import { confined, confinement, findConfinement } from "./confinement.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingSession } from "./reading-session.ts";

const noFilter =
  !confinement().calls && process.env.REQUIRE_SERVICES === undefined && "no system call can be denied here";
const around = { files: [], database: "", folder: "", tcpPort: 0, udpPort: 0, unixPath: "" };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
});
after(() => rm(folder, { recursive: true }));

/**
 * Sends `bytes` to a process that runs `program`. Settles with the result of the read, but only
 * when the process is free again or has exited.
 */
async function readIn(bytes: Uint8Array, settings: Partial<ReadingSettings>, program?: string): Promise<string[]> {
  const all = { ...patientSettings, ...settings };
  const path = join(await mkdtemp(join(folder, "file-")), "document");
  await writeFile(path, bytes);
  await using handle = await open(path);
  const process = new ReadingProcess(all, program);
  await process.ready;
  try {
    const pages: string[] = [];
    const onPage = (page: Parameters<typeof pageText>[0]) => void pages.push(pageText(page));
    const reading = new ReadingSession({ handle, bytes: bytes.length, extension: "pdf" }, all, { onPage }, () => {});
    void reading.join(process);
    await reading.result.finally(() => reading.left);
    return pages;
  } finally {
    process.retire();
    await process.ended;
  }
}

const takenOver = (surroundings: Surroundings, settings: Partial<ReadingSettings> = {}): Promise<string[]> =>
  readIn(Buffer.from(JSON.stringify(surroundings)), settings, "testing/escaping-process.ts");

test("a compromised process can't reach anything around it", { skip: noFilter }, async (t) => {
  const data = join(folder, "data");
  await mkdir(join(data, "keys"), { recursive: true });
  const key = join(data, "keys", "signing.key");
  const other = join(data, "other-document.original");
  for (const file of [key, other]) await writeFile(file, '{"secret":"LEAKED"}');
  const database = join(data, "sheaf.db");
  const rows = new DatabaseSync(database);
  rows.exec("create table LEAKED (x)");
  rows.close();
  const reached: string[] = [];
  const open = async (name: string, address: object) => {
    const server = createServer((socket) => {
      reached.push(name);
      socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\n\r\n");
    }).listen(address);
    await once(server, "listening");
    t.after(() => server.close());
    return server;
  };
  const unixPath = join(folder, "socket");
  await open("unix", { path: unixPath });
  const tcp = (await open("TCP", { port: 0, host: "127.0.0.1" })).address() as { port: number };
  const udp = createSocket("udp4", () => reached.push("UDP")).bind(0, "127.0.0.1");
  await once(udp, "listening");
  t.after(() => udp.close());
  process.env.SHEAF_TEST_SECRET = "LEAKED";
  t.after(() => void delete process.env.SHEAF_TEST_SECRET);
  const files = [other, key, database, "/etc/passwd", "/proc/self/environ", `/proc/${process.pid}/environ`];
  const before = await readdir(folder, { recursive: true });

  const ports = { tcpPort: tcp.port, udpPort: udp.address().port };
  const refusal = await takenOver({ files, database, folder: data, unixPath, ...ports }).catch((error) => error);
  assert.ok(refusal instanceof ReadingError && refusal.reason === "corrupt", String(refusal));
  const { outcomes, environment } = JSON.parse(refusal.message);
  const succeeded = Object.keys(outcomes).filter((name) => outcomes[name] === null);
  assert.deepEqual(succeeded, [], JSON.stringify(outcomes, null, 1));
  assert.ok(Object.keys(outcomes).length > 60);
  // The load must fail because native code is not allowed, not because this file is not native
  // code.
  assert.equal(outcomes["load native code"], "ERR_ACCESS_DENIED");
  // The shell that sets the limits adds the variable `PWD`, which holds its working folder.
  assert.deepEqual(environment, { PWD: "/" });
  assert.deepEqual(reached, []);
  const made = (await readdir(folder, { recursive: true })).filter((name) => !before.includes(name));
  assert.deepEqual(
    made.filter((name) => !name.startsWith("file-")),
    [],
  );
  assert.doesNotMatch(refusal.message, /LEAKED/);
});

/** True if the kernel supports Landlock, according to the system call `landlock_create_ruleset`. */
const hasLandlock = spawnSync("/usr/bin/perl", ["-e", "exit !(syscall(444, 0, 0, 1) > 0)"]).status === 0;

test("code outside the permission model can open only the program and the system's libraries", {
  skip: !hasLandlock && "the kernel has no Landlock",
}, async () => {
  assert.deepEqual(confinement(), { calls: true, files: true });
  assert.deepEqual(await findConfinement(), confinement());
  const secret = join(folder, "secret");
  await writeFile(secret, "LEAKED");
  const own = [join(import.meta.dirname, "escapes.test.ts"), "/proc/self/stat"];
  const others = [secret, "/etc/passwd", `/proc/${process.pid}/environ`, `/proc/self/root${secret}`];
  const code = `
    const { readFileSync, readdirSync, renameSync, truncateSync, unlinkSync, writeFileSync } = require("node:fs");
    const tried = (act) => { try { act(); return "done"; } catch (error) { return error.code; } };
    const read = (paths) => paths.map((path) => tried(() => readFileSync(path)));
    const { folder, secret, own, others } = ${JSON.stringify({ folder, secret, own, others })};
    console.log(JSON.stringify({
      own: read(own),
      others: read(others),
      list: tried(() => readdirSync(folder)),
      make: tried(() => writeFileSync(folder + "/made", "")),
      cut: tried(() => truncateSync(secret)),
      rename: tried(() => renameSync(secret, secret + "2")),
      remove: tried(() => unlinkSync(secret)),
      start: require("node:child_process").spawnSync("/bin/ls").error?.code,
    }));
  `;
  const needs = { paths: [import.meta.dirname], startsPrograms: false };
  const [starter = "", ...options] = confined([process.execPath, "--eval", code], needs);
  const { stdout, stderr } = spawnSync(starter, options, { env: {}, encoding: "utf8" });
  const denied = "EACCES";
  // The kernel checks the filter of system calls before Landlock, so the filter denies these calls.
  const filtered = "EPERM";
  const changes = { list: denied, make: denied, cut: denied, rename: filtered, remove: filtered, start: denied };
  const expected = { own: own.map(() => "done"), others: others.map(() => denied), ...changes };
  assert.deepEqual(JSON.parse(stdout || "null"), expected, stderr);
  assert.equal(await readFile(secret, "utf8"), "LEAKED");
});

const noNativeAttack = (process.platform !== "linux" || process.arch !== "x64") && "the attack is for Linux on x64";

for (const isConfined of [false, true])
  test(`native code ${isConfined ? "can't" : "can, if unconfined,"} reach other processes, their files and sockets`, {
    skip: (isConfined && noFilter) || noNativeAttack,
  }, async () => {
    const { tried, succeeded, harm } = await attackNatively(isConfined);
    if (isConfined) assert.deepEqual([succeeded, harm], [[], []]);
    // This variant shows that the attacks succeed without the restrictions. Otherwise the test with
    // restrictions could pass although the attacks never work.
    else assert.ok(reachable.every((name) => succeeded.includes(name)) && harm.length === 2, succeeded.join());
    assert.ok(tried.length >= 29);
  });

const small = { maxMemoryBytes: 256 * 2 ** 20 };
for (const [endless, settings, reason] of [
  ["turns", { deadlineMs: { base: 300, perPage: 0, perOcrPage: 0 } }, "timeout"],
  ["objects", small, "too_complex"],
  ["buffers", small, "too_complex"],
  ["wasm", small, "too_complex"],
] as const)
  test(`a process with the endless action "${endless}" is stopped, and other processes continue`, async () => {
    const taken = takenOver({ ...around, endless }, settings).catch((error) => error);
    const pages = await readIn(onePage({ text: "Hello", x: 100, y: 700 }), {});
    assert.deepEqual(pages, ["Hello"]);
    const error = await taken;
    assert.ok(error instanceof ReadingError, String(error));
    assert.equal(error.reason, reason, error.message);
  });
