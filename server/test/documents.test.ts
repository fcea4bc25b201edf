/** The corpus over HTTP, on both databases: upload, list, delete, with every error. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { readStoredDocument } from "../src/features/documents/document-files.ts";
import { newId } from "../src/lib/ids.ts";
import { openReader } from "../src/reading/open-reader.ts";
import { patientSettings } from "../src/reading/testing/patient-settings.ts";
import { corpusOf, type Listed, sample, sampleBase64, samplePath, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { limit as limitTo } from "./helpers/plans.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("documents", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Documents House");
    corpus = corpusOf(service, organization);
  });
  after(() => service[Symbol.asyncDispose]());

  test("an uploaded document becomes ready, is found and listed, and can no longer be found after its deletion", async () => {
    const agent = await corpus.makeAgent();
    const reference = await corpus.accepted(agent, { filename: "Rechnung.PDF", path: "2026/März" });
    const [document] = await corpus.settled(agent);
    const { created_at, updated_at, ...rest } = document as Listed & { created_at: string; updated_at: string };
    assert.deepEqual(rest, {
      reference,
      name: "Rechnung.PDF",
      path: "2026/März",
      status: "ready",
      size: sample.length,
      mime: "application/pdf",
    });
    assert.ok(created_at <= updated_at);
    assert.deepEqual(await corpus.filesOf(agent), [`${reference}.document`, `${reference}.original`]);
    const deps = await corpus.parts();
    const stored = await readStoredDocument(deps.files, {
      organizationId: organization.id,
      agent,
      document: reference,
    });
    const reader = openReader(patientSettings);
    const read = await reader.read(samplePath, "pdf");
    await reader.close();
    assert.deepEqual(stored.pages, read.pages);
    assert.deepEqual([stored.mime, stored.metadata], [read.mime, read.metadata]);
    const [hit] = await deps.index.search(agent, { text: "invoice", limit: 1 });
    assert.deepEqual([hit?.document, hit?.name, hit?.path], [reference, "Rechnung.PDF", "2026/März"]);
    await deps.index[Symbol.asyncDispose]();
    const row = await service.db.selectFrom("documents").selectAll().where("id", "=", reference).executeTakeFirst();
    assert.deepEqual([row?.pages, row?.pages_done, row?.failure], [stored.pages.length, stored.pages.length, null]);
    assert.deepEqual(await corpus.jobs(), []);

    const path = `/v2/agents/${agent}/documents/${reference}`;
    assert.deepEqual((await corpus.send("DELETE", path)).body, { status: "success", data: { reference } });
    assert.deepEqual(
      [await corpus.list(agent), await corpus.filesOf(agent), await corpus.indexed(agent), await corpus.jobs()],
      [[], [], [], []],
    );
    const again = await corpus.send("DELETE", path);
    assert.deepEqual([again.status, again.body.code], [404, "document_not_found"]);
  });

  test("an unreadable file gets the status error with a reason after one attempt, and only its file is kept", async () => {
    const agent = await corpus.makeAgent();
    const html = Buffer.from("<html><body>No PDF at all</body></html>").toString("base64");
    const cases: Record<string, string> = {
      "html.pdf": html,
      "program.pdf": await readFile("/bin/sh", "base64"),
      "cut.docx": sampleBase64,
      "text.png": "AAAA",
      "pdf.heic": sampleBase64,
    };
    const references = [];
    for (const [filename, file] of Object.entries(cases))
      references.push(await corpus.accepted(agent, { filename, file }));
    for (const document of await corpus.settled(agent)) assert.equal(document.status, "error", document.name);
    const rows = await service.db.selectFrom("documents").selectAll().where("agent_id", "=", agent).execute();
    for (const { failure, failure_message } of rows) {
      assert.equal(failure, "corrupt");
      assert.match(failure_message ?? "", /^[A-Z].*\.$/);
    }
    await corpus.idle();
    assert.deepEqual(await corpus.filesOf(agent), references.map((each) => `${each}.original`).sort());
    assert.deepEqual(await corpus.indexed(agent), []);
  });

  test("base64 that contains JSON escapes, such as \\u0041, yields the same file", async () => {
    const agent = await corpus.makeAgent();
    const escaped = (text: string) => text.replace(/./g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
    const file = escaped(sampleBase64.slice(0, 999)) + sampleBase64.slice(999, -9) + escaped(sampleBase64.slice(-9));
    const answer = await organization.administrator.send(
      "POST",
      `/v2/agents/${agent}/documents`,
      `{"filename":"escaped.pdf","file":"${file}"}`,
    );
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.equal((await corpus.settled(agent))[0]?.status, "ready");
    const { document_reference } = answer.body.data;
    const stored = join(service.config.filesDir, organization.id, agent, `${document_reference}.original`);
    assert.deepEqual(await readFile(stored), sample);
  });

  test("every refused upload has its error code and stores nothing", async () => {
    const agent = await corpus.makeAgent();
    const extractor = await corpus.makeAgent("EXTRACTOR");
    const insert = async (type: "PERSONAL" | "DOCUMENTALIST", visibility: "organization" | "private") => {
      const [id, at] = [newId(), new Date().toISOString()];
      const names = { organization_id: organization.id, name: "n", configuration: "{}" };
      await service.db
        .insertInto("agents")
        .values({ id, type, visibility, ...names, created_at: at, updated_at: at })
        .execute();
      return id;
    };
    const personal = await insert("PERSONAL", "organization");
    const hidden = await insert("DOCUMENTALIST", "private");
    const missing = { status: 404, code: "agent_not_found" };
    const wrongType = { status: 422, code: "invalid_agent_type" };
    for (const [reference, expected] of [
      [newId(), missing],
      ["no-uuid", missing],
      [hidden, missing],
      [extractor, wrongType],
      [personal, wrongType],
    ] as const) {
      for (const [method, path] of [
        ["POST", `/v2/agents/${reference}/documents`],
        ["GET", `/v2/agents/${reference}/documents`],
        ["DELETE", `/v2/agents/${reference}/documents/${newId()}`],
      ] as const) {
        const body = method === "POST" ? { filename: "a.pdf", file: sampleBase64 } : undefined;
        const answer = await corpus.send(method, path, body);
        assert.deepEqual({ status: answer.status, code: answer.body.code }, expected, `${method} ${path}`);
      }
    }
    const bad: [object, string, string?][] = [
      [{ filename: undefined }, "invalid_request", "/filename"],
      [{ filename: "noextension" }, "invalid_request", "/filename"],
      [{ filename: ".pdf" }, "invalid_request", "/filename"],
      [{ filename: "../a.pdf" }, "invalid_request", "/filename"],
      [{ filename: "a\u0000.pdf" }, "invalid_request", "/filename"],
      [{ filename: "\u202efdp.exe.pdf" }, "invalid_request", "/filename"],
      [{ filename: `${"x".repeat(252)}.pdf` }, "invalid_request", "/filename"],
      [{ filename: `${"x".repeat(5_000)}.pdf` }, "invalid_request", "/filename"],
      [{ file: undefined }, "invalid_request", "/file"],
      [{ file: "" }, "invalid_request", "/file"],
      [{ file: "A!==" }, "invalid_request", "/file"],
      [{ file: "AAA" }, "invalid_request", "/file"],
      [{ file: "AA-_" }, "invalid_request", "/file"],
      [{ file: "AA==AAAA" }, "invalid_request", "/file"],
      [{ file: `${sampleBase64}AAAA` }, "invalid_request", "/file"],
      [{ file: "data:application/pdf;base64,AAAA" }, "invalid_request", "/file"],
      [{ path: "" }, "invalid_request", "/path"],
      [{ path: "/a" }, "invalid_request", "/path"],
      [{ path: "a/" }, "invalid_request", "/path"],
      [{ path: "a//b" }, "invalid_request", "/path"],
      [{ path: "a/../b" }, "invalid_request", "/path"],
      [{ path: "." }, "invalid_request", "/path"],
      [{ path: "a\\b" }, "invalid_request", "/path"],
      [{ path: "a\u0000b" }, "invalid_request", "/path"],
      [{ path: "x".repeat(256) }, "invalid_request", "/path"],
      [{ path: `${"x/".repeat(256)}x` }, "invalid_request", "/path"],
      [{ path: 1 }, "invalid_request", "/path"],
      [{ filename: "a.xlsx" }, "unsupported_file_type"],
      [{ filename: "a.pdf.exe" }, "unsupported_file_type"],
    ];
    for (const [body, code, path] of bad) {
      const answer = await corpus.upload(agent, body);
      assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(body));
      if (path) assert.equal(answer.body.detail.issues[0].path, path, JSON.stringify(answer.body));
      else assert.deepEqual(answer.body.detail.supported, ["pdf", "docx", "jpg", "jpeg", "png", "heic"]);
    }
    for (const reference of [newId(), "no-uuid", "..%2f.."]) {
      const answer = await corpus.send("DELETE", `/v2/agents/${agent}/documents/${reference}`);
      assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
    }
    assert.deepEqual([await corpus.list(agent), await corpus.filesOf(agent)], [[], []]);
  });

  test("a file of the plan's maximum size is accepted and one byte more is refused, with limit and size in the error", async () => {
    const limited = await service.organization("Small Uploads");
    await limitTo(service, limited, { max_upload_mb: 1 });
    const agent = await corpusOf(service, limited).makeAgent();
    const limit = 1_048_576;
    const file = (bytes: number) => Buffer.alloc(bytes, 1).toString("base64");
    assert.equal((await corpusOf(service, limited).upload(agent, { file: file(limit) })).status, 202);
    for (const size of [limit + 1, 3 * limit]) {
      const answer = await corpusOf(service, limited).upload(agent, { filename: "b.pdf", file: file(size) });
      assert.deepEqual([answer.status, answer.body.code, answer.body.detail], [413, "file_too_large", { limit, size }]);
    }
  });

  test("requests that can be refused by their headers are refused before the body is sent", async () => {
    const agent = await corpus.makeAgent();
    const full = await service.organization("Full");
    await limitTo(service, full, { max_documents_per_agent: 0 });
    const fullAgent = await corpusOf(service, full).makeAgent();
    const begin = (path: string, token: string, length: number) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
        let text = "";
        socket.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
          if (!text.includes("\r\n\r\n{")) return;
          resolve(text);
          socket.destroy();
        });
        socket.on("error", reject);
        socket.setTimeout(2000, () => reject(new Error(`no response for ${path}`)));
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
        );
      });
    const length = 80_000_000;
    const { token } = organization.administrator;
    assert.match(
      await begin(`/v2/agents/${agent}/documents`, "no token", length),
      /^HTTP\/1.1 401 [\s\S]*"unauthorized"/,
    );
    assert.match(
      await begin(`/v2/agents/${newId()}/documents`, token, length),
      /^HTTP\/1.1 404 [\s\S]*"agent_not_found"/,
    );
    assert.match(
      await begin(`/v2/agents/${agent}/documents`, token, 200_000_000),
      /^HTTP\/1.1 413 [\s\S]*"limit":62914560/,
    );
    assert.match(
      await begin(`/v2/agents/${fullAgent}/documents`, full.administrator.token, length),
      /^HTTP\/1.1 403 [\s\S]*"quota_exceeded"[\s\S]*"limit":0,"current":0/,
    );
  });

  test("of 50 concurrent uploads with the same name, one is accepted and the errors of the others contain its id", async () => {
    const agent = await corpus.makeAgent();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => corpus.upload(agent, { filename: "one.pdf", path: "p" })),
    );
    const made = answers.filter(({ status }) => status === 202);
    assert.equal(made.length, 1);
    const reference = made[0]?.body.data.document_reference;
    for (const { status, body } of answers.filter((each) => each.status !== 202))
      assert.deepEqual(
        [status, body.code, body.detail],
        [409, "document_already_exists", { document_reference: reference }],
      );
    assert.deepEqual(
      (await corpus.settled(agent)).map((each) => [each.reference, each.status]),
      [[reference, "ready"]],
    );
    assert.deepEqual(await corpus.filesOf(agent), [`${reference}.document`, `${reference}.original`]);
  });

  test("50 concurrent uploads do not exceed the quota, and after a deletion another upload is accepted", async () => {
    const limited = await service.organization("Ten Documents");
    await limitTo(service, limited, { max_documents_per_agent: 10 });
    const agent = await corpusOf(service, limited).makeAgent();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        corpusOf(service, limited).upload(agent, { filename: `${i}.pdf`, file: "AAAA" }),
      ),
    );
    const made = answers.filter(({ status }) => status === 202);
    assert.equal(made.length, 10);
    for (const { status, body } of answers.filter((each) => each.status !== 202))
      assert.deepEqual([status, body.code, body.detail], [403, "quota_exceeded", { limit: 10, current: 10 }]);
    const stored = await readdir(join(service.config.filesDir, limited.id, agent));
    assert.equal(stored.filter((name) => name.endsWith(".original")).length, 10);
    const [first] = made;
    await corpusOf(service, limited).send(
      "DELETE",
      `/v2/agents/${agent}/documents/${first?.body.data.document_reference}`,
    );
    assert.equal((await corpusOf(service, limited).upload(agent, { filename: "more.pdf", file: "AAAA" })).status, 202);
  });

  test("path and name identify a document: their Unicode normalization does not matter, their case does", async () => {
    const agent = await corpus.makeAgent();
    const reference = await corpus.accepted(agent, { filename: "Ä.pdf", path: "Ö", file: "AAAA" });
    const other = await corpus.upload(agent, { filename: "A\u0308.pdf", path: "O\u0308", file: "AAAA" });
    assert.deepEqual([other.status, other.body.detail], [409, { document_reference: reference }]);
    for (const body of [{ filename: "ä.pdf", path: "Ö" }, { filename: "Ä.pdf" }, { filename: "Ä.pdf", path: "Ö/Ö" }])
      await corpus.accepted(agent, { ...body, file: "AAAA" });
    assert.equal((await corpus.list(agent)).length, 4);
  });

  test("any name and path is stored in NFC or refused, and never becomes a path on the disk", async () => {
    const agent = await corpus.makeAgent();
    const text = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc
        .array(fc.constantFrom("..", ".", "/", "\\", "a", "%2e%2e", "~", "\u0000", "\r\n", "e\u0301", "CON", " "), {
          maxLength: 6,
        })
        .map((pieces) => pieces.join("")),
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(text, fc.option(text, { nil: undefined }), async (name, path) => {
        const answer = await corpus.upload(agent, { filename: `${name}.pdf`, path, file: "AAAA" });
        if (answer.status === 422 || answer.status === 409) return;
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        taken++;
        const listed = (await corpus.list(agent)).find(
          ({ reference }) => reference === answer.body.data.document_reference,
        );
        assert.deepEqual([listed?.name, listed?.path], [`${name}.pdf`.normalize("NFC"), (path ?? "").normalize("NFC")]);
      }),
      { numRuns: 150 },
    );
    assert.ok(taken > 20, `only ${taken} were accepted`);
    for (const file of await corpus.filesOf(agent)) assert.match(file, /^[0-9a-f-]{36}\.(original|document)$/);
    assert.deepEqual(
      (await readdir(service.config.filesDir)).filter((name) => !/^([0-9a-f-]{36}|\.installation)$/.test(name)),
      [],
    );
  });
});
