/**
 * Helpers for tests of a corpus: agents, uploads, waiting for ingestion, and the files, index and
 * jobs behind them.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { openLog } from "../../src/lib/log.ts";
import { openPassageIndex } from "../../src/search/passage-index.ts";
import type { Answer, TestOrganization, TestService } from "./service.ts";

export const samplePath = join(import.meta.dirname, "../../../examples/invoice.pdf");
export const sample = await readFile(samplePath);
export const sampleBase64 = sample.toString("base64");

export interface Listed {
  reference: string;
  name: string;
  path: string;
  status: string;
}

export type TestCorpus = ReturnType<typeof corpusOf>;

/** Returns helpers for the corpora of one organization. */
export function corpusOf(service: TestService, organization: TestOrganization) {
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    organization.administrator.send(method, path, body);
  const makeAgent = async (type = "DOCUMENTALIST", configuration?: object): Promise<string> =>
    (await send("POST", "/v2/agents", { name: "Corpus", type, ...(configuration && { configuration }) })).body.data
      .reference;
  /** Uploads the sample as `a.pdf`, unless `body` overrides it. */
  const upload = (agent: string, body: object = {}): Promise<Answer> =>
    send("POST", `/v2/agents/${agent}/documents`, { filename: "a.pdf", file: sampleBase64, ...body });
  /** Uploads a document. If the service is busy and refuses, retries as a client would. */
  const accepted = async (agent: string, body: object = {}): Promise<string> => {
    let answer = await upload(agent, body);
    for (let tries = 1; answer.body.code === "agent_unavailable" && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      answer = await upload(agent, body);
    }
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.equal(answer.body.data.status, "pending");
    return answer.body.data.document_reference;
  };
  const list = async (agent: string): Promise<Listed[]> =>
    (await send("GET", `/v2/agents/${agent}/documents`)).body.data;
  const settled = async (agent: string): Promise<Listed[]> => {
    for (const deadline = performance.now() + 120_000; ; ) {
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
  /** Returns all jobs except index purges, which run some time after a deletion. */
  const jobs = () => service.db.selectFrom("jobs").selectAll().where("name", "!=", "index.purge").execute();
  /** Resolves when no job is left. */
  const idle = async (): Promise<void> => {
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  /**
   * Returns the dependencies with which tests call functions of the service directly. Opens the
   * files and the index a second time.
   */
  const parts = async () => ({
    db: service.db,
    log: openLog("silent"),
    files: await openFolderFiles(service.config.filesDir),
    index: await openPassageIndex({ folder: service.config.indexDir }),
    wake: () => {},
  });
  return { send, makeAgent, upload, accepted, list, settled, filesOf, indexed, jobs, idle, parts };
}
