/** Kept extractions: an extractor agent, the people who use it, and requests to read and review. */
import assert from "node:assert/strict";
import { before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import type { StoredFiles } from "../../src/files/stored-files.ts";
import { sampleBase64 as file } from "./corpus.ts";
import type { Dialect } from "./databases.ts";
import { type Browser, peopleOver } from "./people.ts";
import type { Answer } from "./service.ts";
import { storedFiles } from "./stored-rows.ts";

export const params = [
  { name: "number", format: "text", description: "Number of the invoice", items: [] },
  { name: "total", format: "number", description: "Total amount including tax", items: [] },
  { name: "paid", format: "boolean", description: "Whether it is paid by barter", items: [] },
  {
    name: "lines",
    format: "list",
    description: "The invoiced items",
    items: [
      { name: "label", format: "text", description: "What was sold", items: [] },
      { name: "amount", format: "number", description: "Amount of the line", items: [] },
    ],
  },
];
export const dayMs = 86_400_000;

export type Sender = Pick<Browser, "send">;

/**
 * Opens a service with two people and an extractor agent before the tests of the calling suite, and
 * closes it after them.
 */
export function keptExtractionsOver(dialect: Dialect) {
  const at = Object.assign(peopleOver(dialect), {} as { files: StoredFiles; agent: string });
  before(async () => {
    at.files = await openFolderFiles(at.service.config.filesDir);
    at.agent = await makeAgent();
  });

  const makeAgent = async (settings: object = {}): Promise<string> => {
    const body = { name: "Invoices", type: "EXTRACTOR", configuration: { params, ...settings } };
    const made = await at.ada.send("POST", "/v2/agents", body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data.reference;
  };
  const extract = async (by: Sender, path = "", body: object = path === "" ? { params } : {}): Promise<Answer> => {
    const answer = await by.send("POST", `/v2/extractor${path}`, { filename: "Rechnung 5€.pdf", file, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer;
  };
  const keptBy = async (by: Sender, path?: string, body?: object): Promise<string> =>
    (await extract(by, path, body)).body.metadata.extraction_id;
  const get = async (id: string, by: Sender = at.ada) => (await by.send("GET", `/v2/extractions/${id}`)).body.data;
  const list = async (query = "", by: Sender = at.ada): Promise<{ id: string; needs_review: boolean }[]> =>
    (await by.send("GET", `/v2/extractions${query}`)).body.data;
  const correct = (id: string, corrections: object[], version = 1, by: Sender = at.ada) =>
    by.send("PUT", `/v2/extractions/${id}/corrections`, { corrections, version });
  const ended = async (extractId: string, by: Sender) => {
    for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
      const { body } = await by.send("GET", `/v2/extractor/async/${extractId}`);
      if (body.status !== "started") return body;
      assert.ok(performance.now() < deadline, "it takes too long");
    }
  };
  const keptFiles = async () =>
    (await storedFiles(at.service)).filter((path) => path.includes("/extractions") && !path.includes("/.trash/"));
  const cleaned = async () => {
    const jobs = at.service.db.selectFrom("jobs").select("id").where("name", "=", "extraction.clean");
    while ((await jobs.execute()).length > 0) await sleep(20);
  };
  return Object.assign(at, { makeAgent, extract, keptBy, get, list, correct, ended, keptFiles, cleaned });
}
