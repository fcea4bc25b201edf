/** Tests details of the API contract that earlier versions violated. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { readConfig } from "../src/config.ts";
import { setDefaultPlan, setPlan } from "../src/features/plans/plans.service.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describe("details of the contract", () => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService("sqlite");
    organization = await service.organization("Contract House");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown) => organization.administrator.send(method, path, body);
  const makeAgent = async (type: string, configuration?: unknown) =>
    (await send("POST", "/v2/agents", { name: "A", type, configuration })).body.data.reference as string;

  test("a token of a deleted organization yields the error that the contract defines", async () => {
    const gone = await service.organization("Gone House");
    await service.db.deleteFrom("organizations").where("id", "=", gone.id).execute();
    const answers = async (...calls: [string, string, unknown?][]) =>
      Promise.all(
        calls.map(async ([method, path, body]) => {
          const { status, body: answer } = await gone.administrator.send(method, path, body);
          return [path, status, answer.code];
        }),
      );
    const agent = { name: "A", type: "EXTRACTOR" };
    for (const [path, status, code] of await answers(
      ["GET", "/v2/organization/usage"],
      ["GET", "/v2/organization/webhooks"],
      ["DELETE", "/v2/organization/webhooks/extraction.completed"],
      ["POST", "/v2/agents", agent],
    ))
      assert.deepEqual([status, code], [404, "organization_not_found"], String(path));
    for (const [path, status, code] of await answers(["GET", "/v2/agents"], ["GET", `/v2/agents/${gone.id}`]))
      assert.deepEqual([status, code], [401, "unauthorized"], String(path));
  });

  test("a trailing slash makes no difference", async () => {
    const reference = await makeAgent("EXTRACTOR");
    for (const path of ["/v2/agents", `/v2/agents/${reference}`, "/v2/organization/usage"]) {
      const headers = { "x-api-key": organization.administrator.token };
      const [plain, slashed] = await Promise.all(
        [path, `${path}/`].map((each) => fetch(service.url + each, { headers })),
      );
      assert.equal(slashed?.status, 200, path);
      assert.deepEqual(await slashed?.json(), await plain?.json());
    }
  });

  test("the member `domains` of a configuration accepts any array and is returned unchanged", async () => {
    const domains = [1, null, "law", { a: [true, { b: null }] }, [], "x".repeat(2_000)];
    const reference = await makeAgent("DOCUMENTALIST", { domains });
    assert.deepEqual((await send("GET", `/v2/agents/${reference}`)).body.data.configuration.domains, domains);
    const { status, body } = await send("PATCH", `/v2/agents/${reference}`, { configuration: { domains: "law" } });
    assert.deepEqual([status, body.code], [422, "invalid_config"]);
  });

  test("null for an optional member counts as absent", async () => {
    const reference = await makeAgent("DOCUMENTALIST", null);
    const question = { query: "What?", instructions: null, historic: null, thread_id: null, include: null };
    assert.equal((await send("POST", `/v2/knowledge/${reference}`, question)).status, 200);
    const file = Buffer.from("%PDF-").toString("base64");
    const upload = { filename: "n.pdf", path: null, file };
    assert.equal((await send("POST", `/v2/agents/${reference}/documents`, upload)).status, 202);
    const patch = { name: null, description: null, configuration: { consignes: null, sourceVisibility: null } };
    const { status, body } = await send("PATCH", `/v2/agents/${reference}`, patch);
    assert.deepEqual([status, body.data.name, body.data.configuration.sourceVisibility], [200, "A", true]);
  });

  test("references are accepted in upper case, in paths and bodies", async () => {
    const reference = await makeAgent("DOCUMENTALIST");
    const capitals = reference.toUpperCase();
    const file = Buffer.from("%PDF-").toString("base64");
    const uploaded = await send("POST", `/v2/agents/${capitals}/documents`, { filename: "c.pdf", file });
    assert.equal(uploaded.status, 202);
    const asked = await send("POST", `/v2/knowledge/${capitals}`, { query: "What?" });
    assert.equal(asked.status, 200);
    const thread_id = asked.body.metadata.thread_id as string;
    const further = { query: "And?", thread_id: thread_id.toUpperCase() };
    const again = await send("POST", `/v2/knowledge/${reference}`, further);
    assert.deepEqual([again.status, again.body.metadata.thread_id], [200, thread_id]);
    const document = uploaded.body.data.document_reference as string;
    const deleted = await send("DELETE", `/v2/agents/${capitals}/documents/${document.toUpperCase()}`);
    assert.deepEqual([deleted.status, deleted.body.data.reference], [200, document]);
    assert.equal((await send("DELETE", `/v2/agents/${capitals}`)).body.data.reference, reference);
  });

  test("the reported upload limit of a plan never exceeds the maximum of the service", async () => {
    const by = { operator: "test" };
    for (const [given, reported] of [
      [10, 10],
      [60, 60],
      [500, 60],
    ] as const) {
      await setPlan(service.db, by, "large", { max_upload_mb: given });
      await setDefaultPlan(service.db, by, "large");
      const { body } = await send("GET", "/v2/organization/usage");
      assert.equal(body.data.quotas.max_upload_mb.limit, reported);
    }
    await setDefaultPlan(service.db, by, null);
  });

  test("if the document quota is full, an upload gets 409 if the document exists and otherwise 403, before the whole body is read", async () => {
    const reference = await makeAgent("DOCUMENTALIST");
    const path = `/v2/agents/${reference}/documents`;
    const file = Buffer.alloc(3_000, "%PDF-").toString("base64");
    const first = await send("POST", path, { filename: "d.pdf", path: "a/b", file });
    const by = { operator: "test" };
    await setPlan(service.db, by, "one", { max_documents_per_agent: 1 });
    await setDefaultPlan(service.db, by, "one");
    const outcome = async (body: object) => {
      const answer = await send("POST", path, body);
      return [answer.status, answer.body.code, answer.body.detail];
    };
    const exists = [409, "document_already_exists", { document_reference: first.body.data.document_reference }];
    const full = [403, "quota_exceeded", { limit: 1, current: 1 }];
    for (const [body, expected] of [
      [{ filename: "d.pdf", path: "a/b", file }, exists],
      [{ filename: "d.pdf", file, path: "a/b" }, exists],
      [{ file, filename: "d.pdf", path: "a/b" }, exists],
      [{ file, path: "a/c", filename: "d.pdf" }, full],
      [{ filename: "d.pdf", file }, full],
      [{ filename: "e.pdf", file, path: "a/b" }, full],
      [{ file }, full],
    ] as const)
      assert.deepEqual(await outcome(body), expected, Object.keys(body).join());

    // If no document has the given name, the service refuses the upload as soon as it has read the
    // name, without waiting for the rest of the body.
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1").on("error", () => {});
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${organization.administrator.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 80000000\r\n\r\n{"filename":"new.pdf","file":"AAAA`,
    );
    const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    assert.match(answer, /^HTTP\/1\.1 403 [\s\S]*"quota_exceeded"/);
    socket.destroy();
    await setDefaultPlan(service.db, by, null);
  });

  test("PORT is used if SHEAF_PORT is not set", () => {
    assert.equal(readConfig({ PORT: "9123" }).port, 9123);
    assert.equal(readConfig({ PORT: "9123", SHEAF_PORT: "9124" }).port, 9124);
    assert.equal(readConfig({}).port, 8080);
    assert.throws(() => readConfig({ PORT: "http" }), /PORT/);
  });

  test("the README's extraction runs as pasted, and stops if the credential is missing", async () => {
    const root = join(import.meta.dirname, "../..");
    const readme = await readFile(join(root, "README.md"), "utf8");
    const commandsAfter = (text: string): string =>
      readme.split(text)[1]?.split("```")[1]?.replace(/^sh\n/, "") ?? assert.fail(`README.md lacks "${text}"`);
    // Removes the `eval` line, because the test uses its own credential.
    const start = commandsAfter("## Access token\n").replace(/^eval .*\n/m, "");
    const commands = (start + commandsAfter("## Extract an invoice\n")).replace("http://127.0.0.1:8080", service.url);
    const run = (environment: Record<string, string>) =>
      promisify(execFile)("bash", ["-c", commands], {
        cwd: root,
        timeout: 60_000,
        env: { PATH: process.env.PATH ?? "", ...environment },
      });
    const { clientId, clientSecret } = organization.administrator;
    const { stdout } = await run({ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
    const { data, metadata } = JSON.parse(stdout);
    assert.deepEqual(data, [{ invoice_number: "NL-2026-0417", gross_total: 1021.8 }]);
    assert.equal(metadata.filename, "invoice.pdf");
    await assert.rejects(run({}), /CLIENT_ID: no credential/);
  });
});
