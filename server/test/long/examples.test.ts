/**
 * Runs the examples as a reader would: each in its own process, with a service that was just
 * started.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Folder, firstCredentialOf, type Running, start, temporaryFolder } from "../helpers/process.ts";

const examples = join(import.meta.dirname, "../../../examples");

interface ExampleRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe("the examples", { timeout: 120_000 }, () => {
  let folder: Folder;
  let server: Running;
  let environment: Record<string, string | undefined>;
  before(async () => {
    folder = await temporaryFolder();
    server = start(["serve"], {
      SHEAF_DATA_DIR: join(folder.path, "data"),
      SHEAF_PORT: "0",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_OUTBOUND_HTTP: "on",
    });
    const [, BASE_URL] = await server.printed(/Sheaf is ready at (http:\/\/\S+) /);
    const { id: CLIENT_ID, secret: CLIENT_SECRET } = await firstCredentialOf(server);
    environment = { PATH: process.env.PATH, HOME: process.env.HOME, BASE_URL, CLIENT_ID, CLIENT_SECRET };
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /**
   * Starts an example. Returns its process, its output so far, and a promise of its final output
   * and exit code.
   */
  const begin = (name: string, settings: Record<string, string | undefined> = {}, args: string[] = []) => {
    const child = spawn(process.execPath, [join(examples, name), ...args], {
      cwd: folder.path,
      env: { ...environment, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const run: ExampleRun = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      run.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      run.stderr += text;
    });
    const ended = once(child, "close").then(([code]) => ({ ...run, code }) as ExampleRun);
    const printed = async (count: number, pattern: RegExp) => {
      while ((run.stdout.match(pattern)?.length ?? 0) < count) {
        assert.equal(child.exitCode, null, run.stderr);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    return { child, run, ended, printed };
  };
  const succeed = async (name: string, settings = {}, args: string[] = []): Promise<string> => {
    const { code, stdout, stderr } = await begin(name, settings, args).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    return stdout;
  };

  test("extract", async () => {
    const output = await succeed("extract.ts");
    assert.match(output, /invoice_number: 'NL-2026-0417'/);
    assert.match(output, /gross_total: page 1, "£1,021.80", \d+ %/);
  });

  test("extract asynchronously", async () => {
    assert.match(await succeed("extract-async.ts"), /sent (\d+) of \1 bytes\n[\s\S]*gross_total: 1021.8 } in [\d.]+ s/);
  });

  test("ask documents", async () => {
    assert.match(
      await succeed("ask-documents.ts"),
      /^11 November 2026\n {2}"11 November 2026" \(invoice.pdf, page 1\)\n./,
    );
  });

  test("classify", async () => {
    assert.match(await succeed("classify.ts"), /^pages 1 to 1: invoice, ".*", \d+ %\n$/);
  });

  test("fail with a code and a reason", async () => {
    const nobody = await begin("extract.ts", { CLIENT_ID: undefined }).ended;
    assert.equal(nobody.code, 2);
    assert.match(nobody.stderr, /Set CLIENT_ID and CLIENT_SECRET/);
    const stranger = await begin("extract.ts", { CLIENT_SECRET: "wrong" }).ended;
    assert.equal(stranger.code, 1);
    assert.match(stranger.stderr, /invalid_client/);
    const missing = await begin("extract.ts", {}, ["nowhere.pdf"]).ended;
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /ENOENT/);
  });

  test("verify webhooks in Express, Fastify and Next.js by the bytes as received", async () => {
    const secret = "whsec_example";
    const id = "01JPA7Z3X5R9M2K8Q4T6V1W0YB";
    const event = { event: "extraction.completed", timestamp: new Date().toISOString(), data: { status: "success" } };
    // JSON with unusual spacing: parsing and serializing it would change the bytes, so the
    // signature would no longer match.
    const body = `{ "id" : "${id}",\n${JSON.stringify({ ...event, note: "é" }).slice(1)}`;
    const signatureOf = (text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
    const statuses = async (post: (init: RequestInit) => Promise<Response>) => {
      const init = (text: string, headers: Record<string, string>) => ({ method: "POST", body: text, headers });
      const json = { "content-type": "application/json" };
      const signed = { ...json, "x-service-signature": signatureOf(body) };
      const again = JSON.stringify(JSON.parse(body));
      const requests = [init(body, signed), init(again, signed), init(body, json), init("", json), init("{", signed)];
      const answers = await Promise.all(requests.map(post));
      return answers.map(({ status }) => status);
    };
    const expected = [204, 401, 401, 401, 401];
    for (const name of ["webhook-express.ts", "webhook-fastify.ts"]) {
      const port = String(await freePort());
      const handler = begin(name, { PORT: port, WEBHOOK_SECRET: secret });
      await handler.printed(1, /Receiving at/g);
      const url = `http://127.0.0.1:${port}/webhooks/sheaf`;
      assert.deepEqual(await statuses((init) => fetch(url, init)), expected, name);
      handler.child.kill("SIGKILL");
      const { stdout, stderr } = await handler.ended;
      assert.deepEqual([stdout.split("\n").slice(1), stderr], [[`extraction.completed ${id}`, ""], ""], name);
    }
    const next = `
      const { POST } = await import(${JSON.stringify(join(examples, "webhook-next.ts"))});
      const requests = JSON.parse(process.env.REQUESTS);
      const statuses = [];
      for (const init of requests) statuses.push((await POST(new Request("http://localhost/", init))).status);
      console.log(JSON.stringify(statuses));
    `;
    const requests: RequestInit[] = [];
    await statuses(async (init) => {
      requests.push(init);
      return new Response();
    });
    const env = { ...environment, WEBHOOK_SECRET: secret, REQUESTS: JSON.stringify(requests) };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", next], { env });
    assert.deepEqual(stdout.trim().split("\n"), [`extraction.completed ${id}`, JSON.stringify(expected)]);
  });

  test("receive webhooks: each event once, also after a restart", async () => {
    const port = String(await freePort());
    const stateFile = join(folder.path, "state.json");
    const settings = { PORT: port, STATE_FILE: stateFile };
    const receiver = begin("webhook-receiver.ts", settings);
    await receiver.printed(1, /Receiving at/g);
    await succeed("extract-async.ts");
    await succeed("classify.ts");
    await succeed("ask-documents.ts");
    await receiver.printed(3, /^\w+\.\w+ {/gm);
    for (const event of ["document.ingestion_completed", "extraction.completed", "classification.completed"])
      assert.match(receiver.run.stdout, new RegExp(`^${event} {.*"status":"(ready|success)"`, "m"));

    const { secrets } = JSON.parse(await readFile(stateFile, "utf8"));
    const body = JSON.stringify({
      id: "01JPA7Z3X5R9M2K8Q4T6V1W0YB",
      event: "extraction.completed",
      timestamp: new Date().toISOString(),
      data: { status: "success", note: "again 😀" },
    });
    const deliver = async (secret: string) => {
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      const url = `http://127.0.0.1:${port}/extraction.completed`;
      return (await fetch(url, { method: "POST", body, headers: { "x-service-signature": signature } })).status;
    };
    const secret = secrets["extraction.completed"];
    assert.deepEqual(await Promise.all([deliver(secret), deliver(secret), deliver(secret)]), [204, 204, 204]);
    assert.equal(await deliver("whsec_forged"), 401);
    receiver.child.kill("SIGTERM");
    const first = await receiver.ended;
    assert.equal(first.code, 0, first.stderr);
    assert.equal(first.stdout.match(/again 😀/g)?.length, 1);
    assert.match(first.stderr, /^refused with 401: .*\n$/);

    const again = begin("webhook-receiver.ts", settings);
    await again.printed(1, /Receiving at/g);
    assert.equal(await deliver(secret), 204);
    await succeed("classify.ts");
    await again.printed(1, /^classification.completed {/gm);
    again.child.kill("SIGTERM");
    const second = await again.ended;
    assert.equal(second.code, 0, second.stderr);
    assert.ok(!second.stdout.includes("again 😀"));

    const other = await begin("webhook-receiver.ts", { ...settings, STATE_FILE: join(folder.path, "other.json") })
      .ended;
    assert.equal(other.code, 1);
    assert.match(other.stderr, /has a webhook already/);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
