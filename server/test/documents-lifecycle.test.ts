/**
 * Rare events in the life of a document: it is deleted while it is being read, it is ingested
 * twice, its ingestion fails, it is deleted with its agent, or the sweep of stray files removes its
 * file.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { cleanAgent, deleteAgent } from "../src/features/agents/agent-removal.ts";
import { addDocument } from "../src/features/documents/document-uploads.service.ts";
import { deleteDocument, takeStray } from "../src/features/documents/documents.service.ts";
import { ingestDocumentJob } from "../src/features/documents/ingest-document.job.ts";
import { rebuildIndex } from "../src/features/documents/rebuild-index.ts";
import { openTemporaryFiles } from "../src/files/temporary-files.ts";
import { FilesUnavailable, isFilesUnavailable } from "../src/lib/files-unavailable.ts";
import { newId } from "../src/lib/ids.ts";
import { openLog } from "../src/lib/log.ts";
import { openReader } from "../src/reading/open-reader.ts";
import { patientSettings } from "../src/reading/testing/patient-settings.ts";
import { corpusOf, sample, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { withCalls } from "./helpers/stored-files.ts";

const log = openLog("silent");

const outage = () => new FilesUnavailable("s3://test", { cause: new Error("503") });

describeOverDatabases("the lifecycle of documents", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Documents House");
    corpus = corpusOf(service, organization);
  });
  after(() => service[Symbol.asyncDispose]());

  test("if the stored files are unavailable during a rebuild of the index, no document is treated as unreadable", async () => {
    const agent = await corpus.makeAgent();
    const reference = await corpus.accepted(agent, { filename: "kept.pdf" });
    await corpus.settled(agent);
    const passages = async () =>
      (await service.db.selectFrom("documents").select("passages").where("id", "=", reference).execute())[0]?.passages;
    const before = await passages();
    assert.ok(Number(before) > 0);
    const { db, files, index } = await corpus.parts();
    const unavailable = async (): Promise<never> => {
      throw outage();
    };
    const away = withCalls(files, {
      size: unavailable,
      local: unavailable,
      open: () => new Readable({ read: (): void => {} }).destroy(outage()),
    });
    await assert.rejects(
      rebuildIndex({ db, files: away, index }, { organizationId: organization.id, agent }),
      isFilesUnavailable,
    );
    assert.equal(await passages(), before);
    const built = await rebuildIndex({ db, files, index }, { organizationId: organization.id, agent });
    assert.deepEqual([built?.indexed, built?.failed], [1, []]);
    await index[Symbol.asyncDispose]();
  });

  test("a document deleted while pending never reappears, and leaves no file and no index entry", async () => {
    const agent = await corpus.makeAgent();
    const references = await Promise.all(
      Array.from({ length: 20 }, (_, i) => corpus.accepted(agent, { filename: `${i}.pdf` })),
    );
    for (const [i, reference] of references.entries()) {
      if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
      assert.equal((await corpus.send("DELETE", `/v2/agents/${agent}/documents/${reference}`)).status, 200);
    }
    assert.deepEqual(await corpus.list(agent), []);
    await corpus.idle();
    assert.deepEqual(
      [await corpus.list(agent), await corpus.filesOf(agent), await corpus.indexed(agent)],
      [[], [], []],
    );
  });

  test("ingesting a document twice leaves one copy, and ingesting a deleted document leaves none", async () => {
    const agent = await corpus.makeAgent();
    const reference = await corpus.accepted(agent);
    await corpus.settled(agent);
    await using stack = new AsyncDisposableStack();
    const deps = await corpus.parts();
    stack.use(deps.index);
    const temporaryFiles = await openTemporaryFiles(join(service.config.dataDir, "tmp"), { own: false });
    const reader = openReader(patientSettings);
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
      assert.deepEqual([await passages(), (await corpus.list(agent))[0]?.status], [before, "ready"]);
    }
    await run();
    assert.equal(await passages(), before);

    // The document is deleted after it has been read but before its status becomes `ready`. A job
    // then removes everything that was created after the deletion.
    await pending();
    const write = await handler.run(job, new AbortController().signal);
    await corpus.send("DELETE", `/v2/agents/${agent}/documents/${reference}`);
    await deps.index.put(agent, { reference, name: "a.pdf", path: "" }, []);
    await write?.(service.db);
    await run();
    await corpus.idle();
    assert.deepEqual([await corpus.filesOf(agent), await corpus.indexed(agent)], [[], []]);
  });

  test("if the last attempt of an ingestion fails, the status of the document becomes error", async () => {
    const agent = await corpus.makeAgent();
    const reference = await corpus.accepted(agent);
    await corpus.settled(agent);
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
        deaths: 5,
        deaths_alone: 3,
        run_at: at,
        created_at: at,
      })
      .execute();
    assert.equal((await corpus.settled(agent))[0]?.status, "error");
    while ((await corpus.jobs()).some((job) => job.failed_at === null))
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([await corpus.filesOf(agent), await corpus.indexed(agent)], [[`${reference}.original`], []]);
    await service.db.deleteFrom("jobs").execute();
  });

  test("deleting an agent deletes its documents, files and index", async () => {
    const agent = await corpus.makeAgent();
    await Promise.all(Array.from({ length: 5 }, (_, i) => corpus.accepted(agent, { filename: `${i}.pdf` })));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual((await corpus.send("DELETE", `/v2/agents/${agent}`)).body.data.warnings, []);
    assert.equal((await corpus.send("GET", `/v2/agents/${agent}/documents`)).status, 404);
    await corpus.idle();
    const rows = await service.db.selectFrom("documents").select("id").where("agent_id", "=", agent).execute();
    assert.deepEqual([rows, await corpus.filesOf(agent), await corpus.indexed(agent)], [[], [], []]);
  });

  test("if a part of a deleted agent cannot be removed, the response has a warning, and a job removes the part later", async () => {
    const agent = await corpus.makeAgent();
    const removeCorpus = () => Promise.reject(new Error("disk"));
    const stuck = { db: service.db, log, removeCorpus, listObjects: async () => [] };
    const warnings = await deleteAgent(stuck, organization.caller, agent);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["documents_not_removed"],
    );
    assert.deepEqual(
      (await corpus.jobs()).map(({ name, payload }) => [name, JSON.parse(payload)]),
      [["agent.clean", { agent }]],
    );
    assert.deepEqual(await cleanAgent({ ...stuck, removeCorpus: async () => {} }, organization.id, agent), []);
    await service.db.updateTable("jobs").set({ run_at: new Date().toISOString() }).execute();
    await corpus.idle();
  });

  test("if the sweep of stray files removes a file during its upload, the upload stores it again", async () => {
    const agent = await corpus.makeAgent();
    const deps = await corpus.parts();
    const path = join(service.config.dataDir, "tmp", "swept.pdf");
    await writeFile(path, sample);
    let puts = 0;
    const files = withCalls(deps.files, {
      put: async (key, from) => {
        await deps.files.put(key, from);
        if (puts++ > 1) return;
        assert.equal(await takeStray(deps.db, key, (stray) => deps.files.remove(stray)), true);
      },
    });
    const file = { path, size: sample.length };
    const reference = await addDocument({ ...deps, files }, organization.caller, agent, {
      name: "swept.pdf",
      file,
      channel: "app",
    });
    assert.equal(puts, 3);
    assert.equal((await corpus.settled(agent))[0]?.status, "ready");
    await deleteDocument(deps, organization.caller, agent, reference);
    await deps.index[Symbol.asyncDispose]();
  });
});
