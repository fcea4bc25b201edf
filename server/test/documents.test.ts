/** The corpus over HTTP on both databases: upload, list, delete, and what ingestion makes of an upload. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { cleanAgent, deleteAgent } from "../src/features/agents/agents.service.ts";
import { readStoredDocument } from "../src/features/documents/document-files.ts";
import { addDocument, deleteDocument } from "../src/features/documents/documents.service.ts";
import { ingestDocumentJob } from "../src/features/documents/ingest-document.job.ts";
import { sweepFiles } from "../src/features/documents/sweep-files.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import type { StoredFiles } from "../src/files/stored-files.ts";
import { openTemporaryFiles } from "../src/files/temporary-files.ts";
import { newId } from "../src/lib/ids.ts";
import { openLog } from "../src/lib/log.ts";
import { defaultReadingSettings, openReader } from "../src/reading/host.ts";
import { openPassageIndex } from "../src/search/passage-index.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const samplePath = join(import.meta.dirname, "../../examples/invoice.pdf");
const sample = await readFile(samplePath);
const base64 = sample.toString("base64");
const log = openLog("silent");

interface Listed {
  reference: string;
  name: string;
  path: string;
  status: string;
}

describeOverDatabases("documents", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Documents House");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown, who = organization) =>
    who.administrator.send(method, path, body);
  const makeAgent = async (type = "DOCUMENTALIST", who = organization): Promise<string> =>
    (await send("POST", "/v2/agents", { name: "Corpus", type }, who)).body.data.reference;
  const upload = (agent: string, body: object, who = organization) =>
    send("POST", `/v2/agents/${agent}/documents`, { filename: "a.pdf", file: base64, ...body }, who);
  const accepted = async (agent: string, body: object = {}): Promise<string> => {
    const answer = await upload(agent, body);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.equal(answer.body.data.status, "pending");
    return answer.body.data.document_reference;
  };
  const list = async (agent: string): Promise<Listed[]> =>
    (await send("GET", `/v2/agents/${agent}/documents`)).body.data;
  const settled = async (agent: string): Promise<Listed[]> => {
    for (const deadline = performance.now() + 30_000; ; ) {
      const documents = await list(agent);
      if (documents.every(({ status }) => status !== "pending")) return documents;
      assert.ok(performance.now() < deadline, "the ingestion takes too long");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const filesOf = async (agent: string): Promise<string[]> =>
    (await readdir(join(service.config.filesDir, organization.id, agent)).catch(() => [])).sort();
  const indexed = async (agent: string): Promise<string[]> => {
    await using index = await openPassageIndex({ folder: service.config.indexDir });
    return [...(await index.documents(agent))].sort();
  };
  const jobs = () => service.db.selectFrom("jobs").selectAll().execute();
  const parts = async () => ({
    db: service.db,
    log,
    files: await openFolderFiles(service.config.filesDir),
    index: await openPassageIndex({ folder: service.config.indexDir }),
    wake: () => {},
  });

  test("an upload becomes ready, can be found, is listed, and is gone after its deletion", async () => {
    const agent = await makeAgent();
    const reference = await accepted(agent, { filename: "Rechnung.PDF", path: "2026/März" });
    const [document] = await settled(agent);
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
    assert.deepEqual(await filesOf(agent), [`${reference}.document`, `${reference}.original`]);
    const deps = await parts();
    const stored = await readStoredDocument(deps.files, {
      organizationId: organization.id,
      agent,
      document: reference,
    });
    const reader = openReader(defaultReadingSettings);
    const read = await reader.read(samplePath, "pdf");
    await reader.close();
    assert.deepEqual(stored.pages, read.pages);
    assert.deepEqual([stored.mime, stored.metadata], [read.mime, read.metadata]);
    const [hit] = await deps.index.search(agent, { text: "invoice", limit: 1 });
    assert.deepEqual([hit?.document, hit?.name, hit?.path], [reference, "Rechnung.PDF", "2026/März"]);
    await deps.index[Symbol.asyncDispose]();
    const row = await service.db.selectFrom("documents").selectAll().where("id", "=", reference).executeTakeFirst();
    assert.deepEqual([row?.pages, row?.pages_done, row?.failure], [stored.pages.length, stored.pages.length, null]);
    assert.deepEqual(await jobs(), []);

    const path = `/v2/agents/${agent}/documents/${reference}`;
    assert.deepEqual((await send("DELETE", path)).body, { status: "success", data: { reference } });
    assert.deepEqual([await list(agent), await filesOf(agent), await indexed(agent), await jobs()], [[], [], [], []]);
    const again = await send("DELETE", path);
    assert.deepEqual([again.status, again.body.code], [404, "document_not_found"]);
  });

  test("what can't be read ends in error with the reason, at the first attempt, and leaves only its file", async () => {
    const agent = await makeAgent();
    const html = Buffer.from("<html><body>No PDF at all</body></html>").toString("base64");
    const cases: Record<string, string> = {
      "html.pdf": html,
      "cut.docx": base64,
      "text.png": "AAAA",
      "pdf.heic": base64,
    };
    const references = [];
    for (const [filename, file] of Object.entries(cases)) references.push(await accepted(agent, { filename, file }));
    for (const document of await settled(agent)) assert.equal(document.status, "error", document.name);
    const rows = await service.db.selectFrom("documents").selectAll().where("agent_id", "=", agent).execute();
    for (const { failure, failure_message } of rows) {
      assert.equal(failure, "corrupt");
      assert.match(failure_message ?? "", /^[A-Z].*\.$/);
    }
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await filesOf(agent), references.map((each) => `${each}.original`).sort());
    assert.deepEqual(await indexed(agent), []);
  });

  test("every refusal has its code and leaves nothing", async () => {
    const agent = await makeAgent();
    const extractor = await makeAgent("EXTRACTOR");
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
        const body = method === "POST" ? { filename: "a.pdf", file: base64 } : undefined;
        const answer = await send(method, path, body);
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
      [{ file: undefined }, "invalid_request", "/file"],
      [{ file: "" }, "invalid_request", "/file"],
      [{ file: "A!==" }, "invalid_request", "/file"],
      [{ file: "AAA" }, "invalid_request", "/file"],
      [{ file: "AA-_" }, "invalid_request", "/file"],
      [{ file: "data:application/pdf;base64,AAAA" }, "invalid_request", "/file"],
      [{ path: "" }, "invalid_request", "/path"],
      [{ path: "/a" }, "invalid_request", "/path"],
      [{ path: "a/" }, "invalid_request", "/path"],
      [{ path: "a//b" }, "invalid_request", "/path"],
      [{ path: "a/../b" }, "invalid_request", "/path"],
      [{ path: "." }, "invalid_request", "/path"],
      [{ path: "a\\b" }, "invalid_request", "/path"],
      [{ path: "x".repeat(256) }, "invalid_request", "/path"],
      [{ path: `${"x/".repeat(256)}x` }, "invalid_request", "/path"],
      [{ path: 1 }, "invalid_request", "/path"],
      [{ filename: "a.xlsx" }, "unsupported_file_type"],
      [{ filename: "a.pdf.exe" }, "unsupported_file_type"],
    ];
    for (const [body, code, path] of bad) {
      const answer = await upload(agent, body);
      assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(body));
      if (path) assert.equal(answer.body.detail.issues[0].path, path, JSON.stringify(answer.body));
      else assert.deepEqual(answer.body.detail.supported, ["pdf", "docx", "jpg", "jpeg", "png", "heic"]);
    }
    for (const reference of [newId(), "no-uuid", "..%2f.."]) {
      const answer = await send("DELETE", `/v2/agents/${agent}/documents/${reference}`);
      assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
    }
    assert.deepEqual([await list(agent), await filesOf(agent)], [[], []]);
  });

  test("the plan's cap on size holds to the byte, and tells limit and size", async () => {
    const limited = await service.organization("Small Uploads");
    await service.db.updateTable("organizations").set({ max_upload_mb: 1 }).where("id", "=", limited.id).execute();
    const agent = await makeAgent("DOCUMENTALIST", limited);
    const limit = 1_048_576;
    const file = (bytes: number) => Buffer.alloc(bytes, 1).toString("base64");
    assert.equal((await upload(agent, { file: file(limit) }, limited)).status, 202);
    for (const size of [limit + 1, 3 * limit]) {
      const answer = await upload(agent, { filename: "b.pdf", file: file(size) }, limited);
      assert.deepEqual([answer.status, answer.body.code, answer.body.detail], [413, "file_too_large", { limit, size }]);
    }
  });

  test("what needs no body is answered before the body is sent", async () => {
    const agent = await makeAgent();
    const full = await service.organization("Full");
    await service.db
      .updateTable("organizations")
      .set({ max_documents_per_agent: 0 })
      .where("id", "=", full.id)
      .execute();
    const fullAgent = await makeAgent("DOCUMENTALIST", full);
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
        socket.setTimeout(2000, () => reject(new Error(`no answer for ${path}`)));
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

  test("50 uploads of one name at once: one is accepted, the others name it", async () => {
    const agent = await makeAgent();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => upload(agent, { filename: "one.pdf", path: "p" })),
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
      (await settled(agent)).map((each) => [each.reference, each.status]),
      [[reference, "ready"]],
    );
    assert.deepEqual(await filesOf(agent), [`${reference}.document`, `${reference}.original`]);
  });

  test("the quota holds under 50 uploads at once, and a deletion makes room", async () => {
    const limited = await service.organization("Ten Documents");
    await service.db
      .updateTable("organizations")
      .set({ max_documents_per_agent: 10 })
      .where("id", "=", limited.id)
      .execute();
    const agent = await makeAgent("DOCUMENTALIST", limited);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => upload(agent, { filename: `${i}.pdf`, file: "AAAA" }, limited)),
    );
    const made = answers.filter(({ status }) => status === 202);
    assert.equal(made.length, 10);
    for (const { status, body } of answers.filter((each) => each.status !== 202))
      assert.deepEqual([status, body.code, body.detail], [403, "quota_exceeded", { limit: 10, current: 10 }]);
    const stored = await readdir(join(service.config.filesDir, limited.id, agent));
    assert.equal(stored.filter((name) => name.endsWith(".original")).length, 10);
    await send("DELETE", `/v2/agents/${agent}/documents/${made[0]?.body.data.document_reference}`, undefined, limited);
    assert.equal((await upload(agent, { filename: "more.pdf", file: "AAAA" }, limited)).status, 202);
  });

  test("a document is identified by path and name, in any spelling of Unicode, and by case", async () => {
    const agent = await makeAgent();
    const reference = await accepted(agent, { filename: "Ä.pdf", path: "Ö", file: "AAAA" });
    const other = await upload(agent, { filename: "A\u0308.pdf", path: "O\u0308", file: "AAAA" });
    assert.deepEqual([other.status, other.body.detail], [409, { document_reference: reference }]);
    for (const body of [{ filename: "ä.pdf", path: "Ö" }, { filename: "Ä.pdf" }, { filename: "Ä.pdf", path: "Ö/Ö" }])
      await accepted(agent, { ...body, file: "AAAA" });
    assert.equal((await list(agent)).length, 4);
  });

  test("any name and path is kept as text in NFC or refused, and never becomes a path on the disk", async () => {
    const agent = await makeAgent();
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
        const answer = await upload(agent, { filename: `${name}.pdf`, path, file: "AAAA" });
        if (answer.status === 422 || answer.status === 409) return;
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        taken++;
        const listed = (await list(agent)).find(({ reference }) => reference === answer.body.data.document_reference);
        assert.deepEqual([listed?.name, listed?.path], [`${name}.pdf`.normalize("NFC"), (path ?? "").normalize("NFC")]);
      }),
      { numRuns: 150 },
    );
    assert.ok(taken > 20, `only ${taken} were accepted`);
    for (const file of await filesOf(agent)) assert.match(file, /^[0-9a-f-]{36}\.(original|document)$/);
    assert.deepEqual(
      (await readdir(service.config.filesDir)).filter((name) => !/^[0-9a-f-]{36}$/.test(name)),
      [],
    );
  });

  test("deleted while pending: never back, no file, no index entry", async () => {
    const agent = await makeAgent();
    const references = await Promise.all(
      Array.from({ length: 20 }, (_, i) => accepted(agent, { filename: `${i}.pdf` })),
    );
    for (const [i, reference] of references.entries()) {
      if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
      assert.equal((await send("DELETE", `/v2/agents/${agent}/documents/${reference}`)).status, 200);
    }
    assert.deepEqual(await list(agent), []);
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([await list(agent), await filesOf(agent), await indexed(agent)], [[], [], []]);
  });

  test("the ingestion run twice, and run for what is deleted, leaves one copy and none", async () => {
    const agent = await makeAgent();
    const reference = await accepted(agent);
    await settled(agent);
    await using stack = new AsyncDisposableStack();
    const deps = await parts();
    stack.use(deps.index);
    const temporaryFiles = await openTemporaryFiles(join(service.config.dataDir, "tmp"), { own: false });
    const reader = openReader(defaultReadingSettings);
    stack.defer(() => reader.close());
    const handler = ingestDocumentJob({ ...deps, reader, temporaryFiles, concurrency: 1 });
    const job = { id: newId(), organizationId: organization.id, attempt: 1, payload: { agent, document: reference } };
    const run = async () => (await handler.run(job, new AbortController().signal))?.(service.db);
    const passages = async () => (await deps.index.search(agent, { text: "invoice", limit: 100 })).length;
    const before = await passages();
    const pending = () =>
      service.db.updateTable("documents").set({ status: "pending" }).where("id", "=", reference).execute();
    for (const _ of [1, 2]) {
      await pending();
      await run();
      assert.deepEqual([await passages(), (await list(agent))[0]?.status], [before, "ready"]);
    }
    await run();
    assert.equal(await passages(), before);

    // Deleted between the reading and its end: what was made since then goes with a job.
    await pending();
    const write = await handler.run(job, new AbortController().signal);
    await send("DELETE", `/v2/agents/${agent}/documents/${reference}`);
    await deps.index.put(agent, { reference, name: "a.pdf", path: "" }, []);
    await write?.(service.db);
    await run();
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([await filesOf(agent), await indexed(agent)], [[], []]);
  });

  test("a job that is given up ends its document in error", async () => {
    const agent = await makeAgent();
    const reference = await accepted(agent);
    await settled(agent);
    await service.db.updateTable("documents").set({ status: "pending" }).where("id", "=", reference).execute();
    const at = new Date().toISOString();
    const payload = JSON.stringify({ agent, document: reference });
    await service.db
      .insertInto("jobs")
      .values({
        id: newId(),
        name: "document.ingest",
        organization_id: organization.id,
        payload,
        deaths: 3,
        run_at: at,
        created_at: at,
      })
      .execute();
    assert.equal((await settled(agent))[0]?.status, "error");
    while ((await jobs()).some((job) => job.failed_at === null))
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([await filesOf(agent), await indexed(agent)], [[`${reference}.original`], []]);
    await service.db.deleteFrom("jobs").execute();
  });

  test("the deletion of an agent takes its corpus along", async () => {
    const agent = await makeAgent();
    await Promise.all(Array.from({ length: 5 }, (_, i) => accepted(agent, { filename: `${i}.pdf` })));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual((await send("DELETE", `/v2/agents/${agent}`)).body.data.warnings, []);
    assert.equal((await send("GET", `/v2/agents/${agent}/documents`)).status, 404);
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const rows = await service.db.selectFrom("documents").select("id").where("agent_id", "=", agent).execute();
    assert.deepEqual([rows, await filesOf(agent), await indexed(agent)], [[], [], []]);
  });

  test("what can't be removed with an agent is a warning, and a job's work", async () => {
    const agent = await makeAgent();
    const caller = {
      organizationId: organization.id,
      ...organization.administrator,
      credentialId: "",
      role: "administrator" as const,
    };
    const stuck = { db: service.db, log, removeCorpus: () => Promise.reject(new Error("disk")) };
    const warnings = await deleteAgent(stuck, caller, agent);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["documents_not_removed"],
    );
    assert.deepEqual(
      (await jobs()).map(({ name, payload }) => [name, JSON.parse(payload)]),
      [["agent.clean", { agent }]],
    );
    assert.deepEqual(await cleanAgent({ ...stuck, removeCorpus: async () => {} }, organization.id, agent), []);
    await service.db.updateTable("jobs").set({ run_at: new Date().toISOString() }).execute();
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test("a stored file without a row is swept; an upload that is swept under way stores it again", async () => {
    const agent = await makeAgent();
    const deps = await parts();
    const stray = `${organization.id}/${agent}/${newId()}.original`;
    const ofNobody = `${newId()}/${newId()}/${newId()}.document`;
    for (const key of [stray, ofNobody]) {
      const source = join(service.config.dataDir, "tmp", newId());
      await writeFile(source, "x");
      await deps.files.put(key, source);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(await sweepFiles(deps, 3_600_000), 0);
    assert.equal(await sweepFiles(deps, 0), 2);
    assert.deepEqual([await deps.files.size(stray), await deps.files.size(ofNobody)], [undefined, undefined]);

    const path = join(service.config.dataDir, "tmp", "swept.pdf");
    await writeFile(path, sample);
    let sweeps = 0;
    const swept = {
      ...deps,
      files: {
        open: (key) => deps.files.open(key),
        local: (key) => deps.files.local(key),
        size: (key) => deps.files.size(key),
        remove: (key) => deps.files.remove(key),
        removeAll: (prefix) => deps.files.removeAll(prefix),
        list: (prefix) => deps.files.list(prefix),
        put: async (key: string, from: string) => {
          await deps.files.put(key, from);
          await new Promise((resolve) => setTimeout(resolve, 10));
          if (sweeps++ < 2) assert.equal(await sweepFiles(deps, 0), 1);
        },
      } satisfies StoredFiles,
    };
    const file = { path, size: sample.length };
    const reference = await addDocument(swept, { organizationId: organization.id }, agent, {
      name: "swept.pdf",
      file,
      channel: "app",
    });
    assert.equal(sweeps, 3);
    assert.equal((await settled(agent))[0]?.status, "ready");
    await deleteDocument(deps, { organizationId: organization.id }, agent, reference);
    await deps.index[Symbol.asyncDispose]();
  });
});
