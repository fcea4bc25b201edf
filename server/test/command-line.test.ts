/** The commands besides `serve`, as a user runs them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { createDatabase, describeOverDatabases } from "./helpers/databases.ts";
import { run, start, temporaryFolder } from "./helpers/process.ts";

const samplePath = join(import.meta.dirname, "../../examples/invoice.pdf");

async function paramsFile(folder: string, params: unknown): Promise<string> {
  const path = join(folder, "params.json");
  await writeFile(path, typeof params === "string" ? params : JSON.stringify(params));
  return path;
}

test("extract prints one line per file, including failures, and needs no data folder", async () => {
  await using folder = await temporaryFolder();
  const broken = join(folder.path, "broken.pdf");
  await writeFile(broken, "no pdf");
  const params = await paramsFile(folder.path, [
    { name: "invoice_number", format: "text", description: "Invoice number" },
  ]);
  const settings = { SHEAF_DATA_DIR: join(folder.path, "none") };
  const files = [samplePath, broken, join(folder.path, "missing.pdf"), join(folder.path, "notes.txt")];
  const { code, stdout, stderr } = await run(["extract", ...files, "--params", params, "--evidence"], settings);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(code, 1);
  assert.deepEqual(lines[0].data, [{ invoice_number: "NL-2026-0417" }]);
  assert.equal(lines[0].metadata.evidence[0].invoice_number.quote, "NL-2026-0417");
  assert.deepEqual(
    lines.slice(1).map((line) => [line.metadata.filename, line.code]),
    [
      ["broken.pdf", "extraction_failed"],
      ["missing.pdf", "invalid_request"],
      ["notes.txt", "unsupported_file_type"],
    ],
  );
  assert.equal(stderr.trim().split("\n").length, 3);
  const plain = await run(["extract", samplePath, "--params", params], settings);
  assert.deepEqual([plain.code, plain.stderr], [0, ""]);
  assert.equal(JSON.parse(plain.stdout).metadata.evidence, undefined);
});

test("read prints the text or the Document, and reports unreadable files", async () => {
  const text = await run(["read", samplePath]);
  assert.equal(text.code, 0);
  assert.match(text.stdout, /^Invoice number NL-2026-0417$/m);
  const document = JSON.parse((await run(["read", samplePath, "--json"])).stdout);
  assert.ok(document.pages[0].words.some((word: { text: string }) => word.text === "NL-2026-0417"));
  await using folder = await temporaryFolder();
  const picture = join(folder.path, "page.png");
  assert.equal((await run(["read", samplePath, "--boxes", picture])).code, 0);
  const { width, height } = await sharp(picture).metadata();
  assert.deepEqual([width, height], [1600, 2264]);
  const beyond = await run(["read", samplePath, "--boxes", picture, "--page", "2"]);
  assert.deepEqual([beyond.code, beyond.stderr], [1, "sheaf: There is no page 2: the file has 1.\n"]);
  const unknown = await run(["read", "notes.txt"]);
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, "sheaf: This file type is not accepted. Accepted types: pdf, docx, xlsx, jpg, jpeg, png, heic.\n"],
  );
});

test("the command reports where in the params file the error is", async () => {
  await using folder = await temporaryFolder();
  const wrong = await run([
    "extract",
    samplePath,
    "--params",
    await paramsFile(folder.path, [{ name: "a", format: "money", description: "" }]),
  ]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^sheaf: .*params\.json contains no valid params:\n {2}\/0\/format must be one of/);
  const noJson = await run(["extract", samplePath, "--params", await paramsFile(folder.path, "{")]);
  assert.match(noJson.stderr, /^sheaf: .*params\.json is not JSON/);
});

test("usage errors print one line and exit with 64; every command has help", async () => {
  for (const args of [["nonsense"], ["extract"], ["credential", "create"], ["serve", "--nonsense"]]) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [64, ""], args.join(" "));
    assert.match(stderr, /^sheaf: [^\n]+\n$/, args.join(" "));
  }
  for (const command of [
    [],
    ["serve"],
    ["extract"],
    ["organization"],
    ["organization", "create"],
    ["credential"],
    ["credential", "revoke"],
    ["doctor"],
    ["openapi"],
  ]) {
    const { code, stdout } = await run([...command, "--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: sheaf/);
  }
});

test("openapi prints the document of the service", async () => {
  const { code, stdout } = await run(["openapi"]);
  assert.equal(code, 0);
  const document = JSON.parse(stdout);
  assert.equal(document.openapi.slice(0, 3), "3.1");
  assert.ok(document.paths["/v2/extractor"].post);
});

test("serve sets the limit of allocator arenas without starting another process, unless the operator has set one", async (t) => {
  if (process.platform !== "linux") return t.skip("only glibc's allocator has arenas");
  for (const [wanted, given] of [
    ["2", undefined],
    ["5", "5"],
  ] as const) {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_PORT: "0", MALLOC_ARENA_MAX: given };
    const server = stack.use(start(["serve"], settings));
    await server.printed(/Sheaf is ready/);
    const environment = (await readFile(`/proc/${server.child.pid}/environ`, "utf8")).split("\0");
    assert.ok(environment.includes(`MALLOC_ARENA_MAX=${wanted}`));
    assert.ok(environment.includes(`SHEAF_DATA_DIR=${folder.path}`));
  }
});

describeOverDatabases("the command line", (dialect) => {
  test("organizations and credentials can be created beside a running service, and revoked credentials are refused", async () => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const database = await createDatabase(dialect);
    stack.defer(() => database.drop());
    const settings = { SHEAF_DATA_DIR: join(folder.path, "data"), SHEAF_PORT: "0", DATABASE_URL: database.url };
    const server = stack.use(start(["serve"], settings));
    const [, url = ""] = await server.printed(/Sheaf is ready at (http:\/\/\S+) /);

    const made = await run(["organization", "create", "Müller & Söhne", "--email", "a@example.com"], settings);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^[0-9a-f-]{36} {2}muller-sohne\n$/);
    assert.match(
      (await run(["organization", "list"], settings)).stdout,
      / {2}default {2}Default\n.* {2}muller-sohne {2}Müller & Söhne\n$/,
    );
    const again = await run(["organization", "create", "Müller Söhne", "--email", "a@example.com"], settings);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /^sheaf: .*already exists\.\n$/);

    const credential = await run(["credential", "create", "muller-sohne", "--name", "erp"], settings);
    const [, id = "", secret = ""] = /client id {6}(\S+)\nclient secret {2}(\S+)/.exec(credential.stdout) ?? [];
    const token = await fetch(`${url}/v2/token?client_id=${id}&client_secret=${secret}`);
    assert.equal(token.status, 200);
    const { access_token } = (await token.json()) as { access_token: string };
    const agents = () => fetch(`${url}/v2/agents`, { headers: { "x-api-key": access_token } });
    assert.equal((await agents()).status, 200);
    assert.match(
      (await run(["credential", "list", "muller-sohne"], settings)).stdout,
      new RegExp(`^${id}  active   .*  erp\n$`),
    );
    assert.equal((await run(["credential", "revoke", id], settings)).code, 0);
    assert.equal((await agents()).status, 401);
    assert.match((await run(["credential", "list", "muller-sohne"], settings)).stdout, new RegExp(`^${id}  revoked  `));
    const twice = await run(["credential", "revoke", id], settings);
    assert.deepEqual([twice.code, twice.stderr], [1, `sheaf: There is no active credential ${id}.\n`]);
    const unknown = await run(["credential", "list", "nobody"], settings);
    assert.deepEqual([unknown.code, unknown.stderr], [1, "sheaf: No such organization.\n"]);

    const doctor = await run(["doctor"], settings);
    assert.equal(doctor.code, 0, doctor.stdout);
    assert.equal(doctor.stdout.match(/^ok {4}/gm)?.length, 10);
  });
});

test("doctor reports a problem and exits with an error code", async () => {
  await using folder = await temporaryFolder();
  const missing = await run(["doctor"], { SHEAF_DATA_DIR: join(folder.path, "none") });
  assert.equal(missing.code, 1);
  assert.match(missing.stdout, /^FAIL {2}data folder: /m);
  assert.match(missing.stdout, /^ok {4}reading: /m);
  assert.deepEqual(await readdir(folder.path), []);
});

/** Larger than the OpenAPI document, which is more than 1 MB. */
const maxOutputBytes = 16 * 1024 * 1024;

test("a program that reads slowly gets the whole output, and one that stops reading causes no error", async () => {
  const command = (rest: string) => `"${process.execPath}" server/src/main.ts openapi ${rest}`;
  const shell = (script: string) =>
    execFileSync("/bin/bash", ["-o", "pipefail", "-c", script], {
      cwd: join(import.meta.dirname, "../.."),
      encoding: "utf8",
      maxBuffer: maxOutputBytes,
    });
  const whole = shell(command("| (sleep 1; cat)"));
  assert.match(JSON.parse(whole).openapi, /^3\.1\./);
  assert.ok(whole.length > 100_000);
  assert.equal(shell(command("| head -1")), "{\n");
});
