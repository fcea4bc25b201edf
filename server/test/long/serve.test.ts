/**
 * The service as a process: first start, second process, stop, kill and invalid settings. Tests
 * that depend on the database run with both.
 */
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createDatabase, describeOverDatabases } from "../helpers/databases.ts";
import { firstCredentialOf, type Running, run, start, temporaryFolder } from "../helpers/process.ts";
import { makeWebBuild } from "../helpers/web-build.ts";

const ready = /Sheaf is ready at (http:\/\/\S+) /;
const samplePath = join(import.meta.dirname, "../../../examples/invoice.pdf");
const main = join(import.meta.dirname, "../../src/main.ts");
const noScript = spawnSync("script", ["--version"]).status !== 0 && "the program `script` is missing";
const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];

describeOverDatabases("serve", (dialect) => {
  const place = async () => {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const database = await createDatabase(dialect);
    stack.defer(() => database.drop());
    const settings = { SHEAF_DATA_DIR: join(folder.path, "data"), SHEAF_PORT: "0", DATABASE_URL: database.url };
    return { settings, data: settings.SHEAF_DATA_DIR, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };
  const urlOf = async (running: Running) => (await running.printed(ready))[1] as string;

  const tokenOf = async (url: string, { id, secret }: { id: string; secret: string }) => {
    const response = await fetch(`${url}/v2/token?client_id=${id}&client_secret=${secret}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };

  test("the first start creates everything, and the example command that it prints works unchanged", async () => {
    await using here = await place();
    await using server = start(["serve"], { ...here.settings, SHEAF_LOG_LEVEL: "debug" });
    const url = await urlOf(server);
    const credentials = await firstCredentialOf(server);
    const { secret } = credentials;
    await tokenOf(url, credentials);
    const [command = ""] = /^FILE=[\s\S]*--data-binary @-$/m.exec(credentials.text) ?? [];
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    const { data, metadata } = JSON.parse(stdout);
    assert.equal(data[0].invoice_number, "NL-2026-0417");
    assert.equal(data[0].line_items.length, 4);
    assert.equal(metadata.evidence[0].invoice_number.quote, "NL-2026-0417");

    assert.equal((await stat(here.data)).mode & 0o777, 0o700);
    const first = join(here.data, "first-credential.txt");
    for (const path of [first, ...["signing.key", "encryption.key"].map((key) => join(here.data, "keys", key))])
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    await rm(first);
    server.child.kill("SIGTERM");
    const { code, stdout: told, stderr } = await server.finished;
    assert.equal(code, 0);
    assert.ok(!told.includes(secret), "the secret is not in the journal");
    assert.ok(!stderr.includes(secret) && !stderr.includes("client_secret"), "the log contains no secret");
    assert.match(stderr, /a proxy must not log the query of that path \(docs\/proxy\.md\)/);
    assert.match(stderr, /the web application is not built, so only the API is served: `npm run prepare` builds it/);
    assert.match(stderr, /the documentation is not built, so nothing is served at \/docs: `npm run prepare` builds it/);
    assert.ok(
      !told.includes("first-sign-in"),
      "without the web application there is no page for a link, so none is printed",
    );
    for (const name of await readdir(here.data, { recursive: true, withFileTypes: true })) {
      if (name.isFile())
        assert.ok(
          !(await readFile(join(name.parentPath, name.name))).includes(secret),
          `${name.name} contains the secret`,
        );
    }

    await using again = start(["serve"], here.settings);
    await urlOf(again);
    again.child.kill("SIGTERM");
    assert.ok(!(await again.finished).stdout.includes("API credential"), "the secret is shown once");
    await assert.rejects(stat(first), { code: "ENOENT" });
  });

  test("each start writes a link for the first sign-in, until an administrator has a password", async () => {
    await using here = await place();
    await using build = await makeWebBuild();
    const folders = { SHEAF_WEB_DIR: build.folder, SHEAF_DOCS_DIR: build.folder };
    const settings = { ...here.settings, ...folders, SHEAF_LOG_LEVEL: "debug" };
    const file = join(here.data, "first-sign-in.txt");
    const linkOf = async (running: Running) => {
      const url = await urlOf(running);
      const [, path] = await running.printed(/signs the first one in once, within 24 hours, is in (\S+),/);
      assert.equal(path, file);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const [, page, token = ""] = /^(\S+)#token=(\S+)\n$/.exec(await readFile(file, "utf8")) ?? [];
      assert.equal(page, `${url}/welcome`);
      const opened = await fetch(page ?? "", { headers: { accept: "text/html" } });
      assert.match(await opened.text(), /^<!doctype html>/);
      return { url, token };
    };
    const use = async ({ url, token }: { url: string; token: string }) => {
      const body = JSON.stringify({ token });
      const headers = { "content-type": "application/json" };
      return (await fetch(`${url}/v2/session/first`, { method: "POST", headers, body })).status;
    };

    await using server = start(["serve"], settings);
    const { token } = await linkOf(server);
    server.child.kill("SIGTERM");
    const { stdout, stderr } = await server.finished;
    assert.ok(!stdout.includes(token) && !stderr.includes(token), "the link is not in the journal");
    assert.ok(!stderr.includes("is not built"));

    await using second = start(["serve"], settings);
    const renewed = await linkOf(second);
    assert.equal(await use({ ...renewed, token }), 401, "a start replaces the link of the previous start");
    assert.equal(await use(renewed), 200);
    await assert.rejects(stat(file), { code: "ENOENT" });
    second.child.kill("SIGTERM");
    await second.finished;

    await using third = start(["serve"], settings);
    const unused = await linkOf(third);
    const command = await run(["user", "password", "administrator@sheaf.localhost"], settings);
    assert.equal(command.code, 0, command.stderr);
    await assert.rejects(stat(file), { code: "ENOENT" });
    assert.equal(await use(unused), 401, "after the administrator has a password, the link is refused");
    third.child.kill("SIGTERM");
    await third.finished;

    await using fourth = start(["serve"], settings);
    await urlOf(fourth);
    fourth.child.kill("SIGTERM");
    assert.ok(!(await fourth.finished).stdout.includes("first-sign-in"));
    await assert.rejects(stat(file), { code: "ENOENT" });
  });

  test("credential and link are printed to a terminal, and no file contains them", { skip: noScript }, async () => {
    await using here = await place();
    await using build = await makeWebBuild();
    const command = [process.execPath, main, "serve"].map((word) => `'${word}'`).join(" ");
    const environment = {
      ...here.settings,
      SHEAF_WEB_DIR: build.folder,
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    };
    const terminal = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], { env: environment });
    let shown = "";
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
    });
    const ended = once(terminal, "close");
    const secret = () => /client secret {2}(\S+)/.exec(shown)?.[1];
    const link = () => /Open (http:\/\/127\.0\.0\.1:\d+\/welcome#token=first_[\w-]{43})\r?\n/.exec(shown)?.[1];
    while ((secret() === undefined || link() === undefined) && terminal.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    terminal.kill("SIGTERM");
    await ended;
    assert.ok(secret() && link(), shown);
    for (const name of ["first-credential.txt", "first-sign-in.txt"])
      await assert.rejects(stat(join(here.data, name)), { code: "ENOENT" });
  });

  test("even if other users can open the data folder, only the service's user can read the stored data", async () => {
    await using here = await place();
    await mkdir(here.data);
    await chmod(here.data, 0o755);
    await using server = start(["serve"], here.settings);
    await urlOf(server);
    // Once the credential has been printed, no temporary files may remain.
    await firstCredentialOf(server);
    const names = await readdir(here.data, { recursive: true });
    assert.ok(names.length > 3, String(names));
    for (const name of names) assert.equal((await stat(join(here.data, name))).mode & 0o077, 0, name);
  });

  test("a second process on the same data folder exits at once with a clear message, and the first continues", async () => {
    await using here = await place();
    await using first = start(["serve"], here.settings);
    const url = await urlOf(first);
    const startedAt = performance.now();
    const second = await run(["serve"], here.settings);
    const ms = performance.now() - startedAt;
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.deepEqual(
      [second.code, second.stderr],
      [1, `sheaf: Another Sheaf process is using the data folder ${here.data}.\n`],
    );
    assert.equal((await fetch(`${url}/v2/openapi.json`)).status, 200);
    first.child.kill("SIGKILL");
    await first.finished;
    await using third = start(["serve"], here.settings);
    await urlOf(third);
  });

  test("after kill -9 during an upload and an extraction, the next start removes their temporary files", async () => {
    await using here = await place();
    let credentials: { id: string; secret: string } | undefined;
    for (const round of [1, 2, 3]) {
      await using server = start(["serve"], here.settings);
      const url = await urlOf(server);
      credentials ??= await firstCredentialOf(server);
      const token = await tokenOf(url, credentials);
      assert.deepEqual(await readdir(join(here.data, "tmp")), [], `round ${round}`);
      const body = JSON.stringify({ filename: "a.pdf", params, file: (await readFile(samplePath)).toString("base64") });
      const half = connect(Number(new URL(url).port), "127.0.0.1");
      half.on("error", () => {});
      half.write(
        `POST /v2/extractor HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 30_000)}`,
      );
      const whole = fetch(`${url}/v2/extractor`, {
        method: "POST",
        body,
        headers: { "x-api-key": token, "content-type": "application/json" },
      }).catch(() => {});
      while ((await readdir(join(here.data, "tmp"))).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 2));
      server.child.kill("SIGKILL");
      await Promise.all([server.finished, whole]);
      half.destroy();
      assert.ok((await readdir(join(here.data, "tmp"))).length > 0, "the kill left a file to be swept");
    }
    await using server = start(["serve"], here.settings);
    await urlOf(server);
    assert.deepEqual(await readdir(join(here.data, "tmp")), []);
  });

  test("on SIGTERM, running requests finish, new ones are refused, and the process exits with 0", async () => {
    await using here = await place();
    await using server = start(["serve"], here.settings);
    const url = await urlOf(server);
    const token = await tokenOf(url, await firstCredentialOf(server));
    const body = JSON.stringify({ filename: "a.pdf", params, file: (await readFile(samplePath)).toString("base64") });
    const send = () =>
      fetch(`${url}/v2/extractor`, {
        method: "POST",
        body,
        headers: { "x-api-key": token, "content-type": "application/json" },
      });
    await send();
    const running = Array.from({ length: 12 }, send);
    // Waits until all requests have arrived. Either all their temporary files exist, or one request
    // has been answered. The latter suffices, because the requests were sent together.
    let answered = false;
    Promise.any(running).then(() => {
      answered = true;
    });
    while (!answered && (await readdir(join(here.data, "tmp"))).length < 12)
      await new Promise((resolve) => setTimeout(resolve, 2));
    server.child.kill("SIGTERM");
    const answers = await Promise.all(running);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      Array(12).fill(200),
    );
    for (const answer of answers) assert.equal(((await answer.json()) as { status: string }).status, "success");
    const { code, signal } = await server.finished;
    assert.deepEqual([code, signal], [0, null]);
    await assert.rejects(send());
  });

  test("keys that do not belong to the database are refused", async () => {
    await using here = await place();
    await using first = start(["serve"], here.settings);
    await urlOf(first);
    first.child.kill("SIGTERM");
    await first.finished;
    await writeFile(join(here.data, "keys", "signing.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
    const second = await run(["serve"], here.settings);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^sheaf: The database was created with other keys\./);
  });
});

test("all problems of the settings are listed at once, and the exit code is 78", async () => {
  await using folder = await temporaryFolder();
  const settings = {
    SHEAF_DATA_DIR: folder.path,
    SHEAF_PORT: "http",
    SHEAF_TOKEN_LIFETIME_SECONDS: "5",
    SHEAF_PROT: "80",
    DATABASE_URL: "mysql://x",
    SHEAF_TESSERACT: "/no/such/program",
    SHEAF_TRUSTED_PROXIES: "10.0.0.0/8,proxy.example.com",
    SHEAF_RATE_LIMIT: "many",
    SHEAF_MAX_CONNECTIONS: "0",
  };
  const { code, stdout, stderr } = await run(["serve"], settings);
  assert.deepEqual([code, stdout], [78, ""]);
  const lines = stderr.trim().split("\n");
  assert.equal(lines.length, 8);
  for (const name of [
    "SHEAF_PROT ",
    "SHEAF_PORT ",
    "SHEAF_TOKEN_LIFETIME_SECONDS ",
    "DATABASE_URL ",
    "SHEAF_TESSERACT ",
    "SHEAF_TRUSTED_PROXIES ",
    "SHEAF_RATE_LIMIT ",
    "SHEAF_MAX_CONNECTIONS ",
  ])
    assert.ok(
      lines.some((line) => line.startsWith(`sheaf: ${name}`)),
      name,
    );
  assert.deepEqual(await readdir(folder.path), []);
});

test("if the port is in use, the error message says so", async () => {
  await using folder = await temporaryFolder();
  await using first = start(["serve"], { SHEAF_DATA_DIR: join(folder.path, "a"), SHEAF_PORT: "0" });
  const [, url = ""] = await first.printed(ready);
  const { port } = new URL(url);
  const { code, stderr } = await run(["serve"], { SHEAF_DATA_DIR: join(folder.path, "b"), SHEAF_PORT: port });
  assert.deepEqual(
    [code, stderr],
    [1, `sheaf: Port ${port} of 127.0.0.1 is in use: set SHEAF_PORT to a different port.\n`],
  );
});
