/** Uploads as `multipart/form-data`, over HTTP on both databases. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { limits } from "@sheaf/contract/limits.ts";
import fc from "fast-check";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sample, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { checkAgainstOpenApi } from "./helpers/openapi.ts";
import { limit as limitTo } from "./helpers/plans.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

type Value = string | Blob | [blob: Blob, filename: string];

const pdf = new File([sample], "sample.pdf", { type: "application/pdf" });
const params = JSON.stringify([{ name: "invoice_number", format: "text", description: "Number of the invoice" }]);

function formOf(members: Record<string, Value | Value[]>): FormData {
  const form = new FormData();
  for (const [name, given] of Object.entries(members))
    for (const value of isList(given) ? given : [given])
      if (typeof value === "string") form.append(name, value);
      else if (Array.isArray(value)) form.append(name, ...value);
      else form.append(name, value);
  return form;
}

const isList = (given: Value | Value[]): given is Value[] => Array.isArray(given) && typeof given[1] !== "string";

describeOverDatabases("multipart uploads", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Forms");
    corpus = corpusOf(service, organization);
  });
  after(() => service[Symbol.asyncDispose]());

  const post = async (path: string, body: FormData | string, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${organization.administrator.token}`, ...headers },
      body,
    });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    return checkAgainstOpenApi("POST", path, answer);
  };
  const send = (path: string, members: Record<string, Value | Value[]>, headers: Record<string, string> = {}) =>
    post(path, formOf(members), headers);
  const temporaryFiles = () => readdir(join(service.config.dataDir, "tmp"));

  test("every endpoint that accepts a file also accepts a multipart form", async () => {
    const extracted = await send("/v2/extractor", { params, file: pdf, include: "evidence" });
    assert.equal(extracted.status, 200, JSON.stringify(extracted.body));
    assert.equal(extracted.body.metadata.filename, "sample.pdf");
    assert.ok("invoice_number" in extracted.body.data[0] && extracted.body.metadata.evidence);

    const configuration = { params: JSON.parse(params).map((param: object) => ({ ...param, items: [] })) };
    const made = await organization.administrator.send("POST", "/v2/agents", {
      name: "E",
      type: "EXTRACTOR",
      configuration,
    });
    const extractor = made.body.data.reference;
    const byAgent = await send(`/v2/extractor/${extractor}`, { file: pdf });
    assert.deepEqual(byAgent.body.data, extracted.body.data);

    const callback = "https://callback.invalid/";
    const started = await send("/v2/extractor/async", { file: pdf, filename: "named.pdf", params, callback });
    assert.deepEqual([started.status, started.body.status], [200, "started"]);
    const startedByAgent = await send(`/v2/extractor/async/${extractor}`, { file: pdf, callback });
    assert.equal(startedByAgent.body.status, "started");
    const classes = JSON.stringify([{ label: "invoice" }]);
    const classified = await send("/v2/classification/async", { file: pdf, classes, mode: "document", keep: "false" });
    assert.equal(classified.body.status, "started");
    const inferred = await send("/v2/extractor/infer", { files: [pdf, [pdf, "two.pdf"]], lang: "de" });
    assert.deepEqual(inferred.body.metadata.filenames, ["sample.pdf", "two.pdf"]);

    const agent = await corpus.makeAgent();
    const uploaded = await send(`/v2/agents/${agent}/documents`, { path: "2026/März", file: [pdf, "Lösung.pdf"] });
    assert.equal(uploaded.status, 202, JSON.stringify(uploaded.body));
    const [document] = await corpus.settled(agent);
    assert.deepEqual([document?.name, document?.path, document?.status], ["Lösung.pdf", "2026/März", "ready"]);
  });

  test("a form gets the same errors and codes as JSON", async () => {
    const agent = await corpus.makeAgent();
    const path = `/v2/agents/${agent}/documents`;
    const extractor = "/v2/extractor";
    const issues = async (to: string, members: Record<string, Value | Value[]>) => {
      const { status, body } = await send(to, members);
      assert.deepEqual([status, body.code], [422, "invalid_request"], JSON.stringify(body));
      return body.detail.issues.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
    };
    assert.deepEqual(await issues(path, { path: "x" }), ["/filename is required", "/file is required"]);
    assert.deepEqual(await issues(path, { file: "text" }), ["/filename is required"]);
    assert.deepEqual(await issues(path, { file: [pdf, ".."] }), ["/filename must not be . or .."]);
    assert.deepEqual(await issues(path, { file: pdf, path: "/x" }), [
      "/path must not begin or end with a slash or contain an empty segment",
    ]);
    assert.deepEqual(await issues(path, { file: [pdf, pdf] }), ["/file is given twice"]);
    assert.deepEqual(await issues(path, { file: new File([], "a.pdf") }), ["/file must not be empty"]);
    assert.deepEqual(await issues(extractor, { file: pdf }), ["/params is required"]);
    assert.deepEqual(await issues(extractor, { file: pdf, params: "{" }), ["/params is not valid JSON"]);
    assert.match((await issues(extractor, { file: pdf, params: "[]" }))[0], /^\/params /);
    assert.match((await issues(extractor, { file: pdf, params, keep: '"true"' }))[0], /^\/keep /);
    assert.match((await issues("/v2/extractor/infer", { lang: "de" }))[0], /^\/files is required/);

    const wrongType = await send(path, { file: [pdf, "a.exe"] });
    assert.deepEqual([wrongType.status, wrongType.body.code], [422, "unsupported_file_type"]);
    const unknown = await send(`/v2/agents/${newId()}/documents`, { file: pdf });
    assert.deepEqual([unknown.status, unknown.body.code], [404, "agent_not_found"]);
    const elsewhere = await organization.administrator.send("POST", "/v2/agents", "--x--", {
      "content-type": "multipart/form-data; boundary=x",
    });
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, "invalid_request"]);
    const limit = limits.maxExtractionFileBytes;
    const large = await send(extractor, { file: new File([new Uint8Array(limit + 1)], "a.pdf"), params });
    assert.deepEqual([large.status, large.body.detail], [413, { limit, size: limit + 1 }]);
    assert.deepEqual(await temporaryFiles(), []);
  });

  test("an existing name gets 409 whether it comes before or after the file, even if the quota is full", async () => {
    const small = await service.organization("Small House");
    const own = corpusOf(service, small);
    const agent = await own.makeAgent();
    const token = small.administrator.token;
    const upload = (members: Record<string, Value>) =>
      send(`/v2/agents/${agent}/documents`, members, { authorization: `Bearer ${token}` });
    const [first] = [await upload({ file: pdf })];
    assert.equal(first?.status, 202);
    await limitTo(service, small, { max_documents_per_agent: 1 });
    for (const members of [
      { file: pdf },
      { file: pdf, filename: "sample.pdf" },
      { filename: "sample.pdf", file: pdf },
    ]) {
      const { status, body } = await upload(members);
      assert.deepEqual([status, body.code], [409, "document_already_exists"]);
    }
    const { status, body } = await upload({ file: pdf, path: "elsewhere" });
    assert.deepEqual([status, body.code], [403, "quota_exceeded"]);
  });

  test("with an idempotency key, the boundary of the form may differ, but every member and byte must be the same", async () => {
    const agent = await corpus.makeAgent();
    const key = { "idempotency-key": newId() };
    const upload = (members: Record<string, Value>) => send(`/v2/agents/${agent}/documents`, members, key);
    const first = await upload({ file: pdf, path: "a" });
    const again = await upload({ file: pdf, path: "a" });
    assert.deepEqual([again.status, again.body], [202, first.body]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    for (const members of [
      { file: pdf, path: "b" },
      { file: [pdf, "other.pdf"], path: "a" },
      { file: [new Blob([sample, "x"]), "sample.pdf"], path: "a" },
    ] as Record<string, Value>[])
      assert.equal((await upload(members)).status, 422);
    assert.equal((await corpus.settled(agent)).length, 1);
  });

  test("a malformed body is refused, and neither breaks nor blocks the service", { timeout: 120_000 }, async () => {
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const head = (name: string, more = "") => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const whole = `${head("params")}${params}\r\n${head("file", '; filename="a.pdf"')}%PDF-\r\n--b--\r\n`;
    const bodies = [
      "",
      "--b",
      "--b--",
      "{}",
      whole.slice(0, -6),
      whole.replaceAll("\r\n", "\n"),
      whole.replace("form-data", "form-data; name=x"),
      `--b\r\n${"x: y\r\n".repeat(2000)}\r\n`,
      head("a").repeat(500),
      `${head("x".repeat(5000))}`,
    ];
    for (const body of bodies) {
      const answer = await post("/v2/extractor", body, type);
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_request"], body.slice(0, 100));
    }
    for (const contentType of [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      'multipart/form-data; boundary="',
    ]) {
      const answer = await post("/v2/extractor", whole, { "content-type": contentType });
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_request"], contentType);
    }
    const pieces = fc.constantFrom("\r\n", "--b", "\r\n--b--", "\0", '"', ";", "é", head("file"), head("params"));
    const change = fc.record({ at: fc.nat(whole.length), remove: fc.nat(20), insert: pieces });
    const asynchronous = "/v2/classification/async";
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let body = whole;
        for (const { at, remove, insert } of changes) body = body.slice(0, at) + insert + body.slice(at + remove);
        const { status } = await post(asynchronous, body, type);
        assert.ok([200, 413, 422].includes(status), `${status}: ${JSON.stringify(body)}`);
      }),
      { numRuns: 100 },
    );
    // The connection breaks in the middle of a file.
    for (const cut of [50, whole.length - 20]) {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      const lines = ["POST /v2/extractor HTTP/1.1", "host: x", `x-api-key: ${organization.administrator.token}`];
      lines.push("content-type: multipart/form-data; boundary=b", `content-length: ${whole.length}`, "", "");
      socket.write(lines.join("\r\n") + whole.slice(0, cut), () => socket.destroy());
    }
    assert.equal((await send("/v2/extractor", { file: pdf, params })).status, 200);
    assert.deepEqual(await temporaryFiles(), []);
  });
});
