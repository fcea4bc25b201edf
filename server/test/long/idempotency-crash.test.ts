/**
 * Sends requests with an idempotency key, and kills the service either during the work or between
 * the work and the response. The repeated request must get a response, and the work must be done
 * only once.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { takesIdempotencyKey } from "@sheaf/contract/endpoint.ts";
import { endpoints } from "@sheaf/contract/endpoints.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Tables } from "../../src/records/tables.ts";
import { sampleBase64 as file } from "../helpers/corpus.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, type Place, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { type Running, start } from "../helpers/process.ts";

const killer = pathToFileURL(join(import.meta.dirname, "../helpers/kill-before-answer.mjs")).href;
const params = [{ name: "total", format: "number", description: "Total" }];

interface Case {
  path: (agent: string) => string;
  body?: object;
  status: number;
  /** Table into which the work inserts rows. */
  table: keyof Tables;
  /** Number of rows that the work inserts. Default: 1. */
  rows?: number;
  /**
   * True if the response contains a secret. A repeated request then does not get the secret again.
   */
  secret?: boolean;
  /** True if the response starts before the work ends. */
  streams?: boolean;
}

const question = { query: "What is the total?" };
const cases: Record<string, Case> = {
  createAgent: { path: () => "/v2/agents", body: { name: "A", type: "EXTRACTOR" }, status: 201, table: "agents" },
  uploadDocument: {
    path: (agent) => `/v2/agents/${agent}/documents`,
    body: { filename: "a.pdf", file },
    status: 202,
    table: "documents",
  },
  startExtraction: {
    path: () => "/v2/extractor/async",
    body: { filename: "a.pdf", file, params, callback: "https://callback.invalid/" },
    status: 200,
    table: "operations",
  },
  startClassification: {
    path: () => "/v2/classification/async",
    body: { filename: "a.pdf", file },
    status: 200,
    table: "operations",
  },
  extract: {
    path: () => "/v2/extractor",
    body: { filename: "a.pdf", file, params },
    status: 200,
    table: "extractions",
  },
  askKnowledge: { path: (agent) => `/v2/knowledge/${agent}`, body: question, status: 200, table: "messages", rows: 2 },
  askDocumentalist: {
    path: (agent) => `/v2/documentalist/${agent}`,
    body: question,
    status: 200,
    table: "messages",
    rows: 2,
    streams: true,
  },
  askStream: {
    path: (agent) => `/v2/knowledge/${agent}/stream`,
    body: question,
    status: 200,
    table: "messages",
    rows: 2,
    streams: true,
  },
  testWebhook: {
    path: () => "/v2/organization/webhooks/classification.completed/test",
    status: 202,
    table: "deliveries",
  },
  createInvitation: {
    path: () => "/v2/organization/invitations",
    body: { email: "new@example.com" },
    status: 201,
    table: "invitations",
    secret: true,
  },
  createGroup: { path: () => "/v2/organization/groups", body: { name: "G" }, status: 201, table: "groups" },
  createCredential: {
    path: () => "/v2/organization/credentials",
    body: { name: "C" },
    status: 201,
    table: "credentials",
    secret: true,
  },
  createScimToken: {
    path: () => "/v2/organization/sign-on/scim-tokens",
    body: { name: "S" },
    status: 201,
    table: "scim_tokens",
    secret: true,
  },
};
/**
 * Operations that need no test here, because a tested one works in the same way. Extraction with an
 * agent differs only in the source of its params. A replay queues a delivery, as a test event does.
 * Restoring a version and teaching write rows in one transaction, as creating an agent does.
 * Proposing fields and evaluating write no row except the stored reply.
 */
const alike = [
  ...["extractWithAgent", "startExtractionWithAgent", "replayDelivery"],
  ...["restoreAgentVersion", "teachExtractor", "importLearned", "inferFields", "evaluateExtractor"],
];
/** Jobs that insert rows into a table only when they finish, by table. */
const adding: Partial<Record<keyof Tables, string>> = {
  extractions: "extraction.run",
  deliveries: "classification.run",
};

test("every endpoint that accepts a key is tested here", () => {
  const keyed = Object.values(endpoints).filter(takesIdempotencyKey);
  const names = keyed.map(({ operationId }) => operationId);
  assert.deepEqual(names.sort(), [...Object.keys(cases), ...alike].sort());
});

describeOverDatabases("an idempotency key and a crash", (dialect) => {
  let place: Place;
  let service: Running;
  let client: Awaited<ReturnType<typeof clientOf>>;
  let url: string;
  const serve = () => start(["serve"], { ...place.settings, NODE_OPTIONS: `--import ${killer}` });
  before(async () => {
    place = await placeOver(dialect, { SHEAF_READING_PROCESSES: "1" });
    service = serve();
    client = await clientOf(service);
    url = client.url;
    const webhook = { url: "https://hooks.invalid/" };
    await client.send(url, "PUT", "/v2/organization/webhooks/classification.completed", webhook);
    await client.upload(url, "known.pdf", Buffer.from(file, "base64"));
    await settled(() => client.list(url));
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
  });

  const count = async (table: keyof Tables): Promise<number> => {
    await using records = place.open();
    const job = adding[table];
    if (job !== undefined)
      while ((await records.db.selectFrom("jobs").select("id").where("name", "=", job).execute()).length > 0)
        await sleep(50);
    if (table !== "messages") return (await records.db.selectFrom(table).selectAll().execute()).length;
    // Counts only messages in threads of this agent, because asynchronous extractions create
    // threads and messages too.
    const ofAgent = records.db.selectFrom("threads").select("id").where("agent_id", "=", client.agent);
    return (await records.db.selectFrom("messages").select("id").where("thread_id", "in", ofAgent).execute()).length;
  };
  const send = async ({ path, body }: Case, key: string, more: Record<string, string> = {}) => {
    const headers = { "x-api-key": client.token, "content-type": "application/json", "idempotency-key": key, ...more };
    const init = { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(url + path(client.agent), init);
    return { status: answer.status, replayed: answer.headers.get("idempotent-replayed"), text: await answer.text() };
  };
  /** Sends a request during which the service is killed, and restarts the service. */
  const killWith = async (tried: Case, key: string, when: "answer" | "work") => {
    await send(tried, key, { "x-kill": when }).catch(() => {});
    assert.equal((await service.finished).signal, "SIGKILL");
    service = serve();
    url = await urlOf(service);
  };

  for (const [name, tried] of Object.entries(cases).filter(([, { streams }]) => !streams))
    test(`${name}, killed between the work and the response`, async () => {
      const [key, earlier] = [newId(), await count(tried.table)];
      await killWith(tried, key, "answer");
      const { status, replayed, text } = await send(tried, key);
      if (tried.secret) {
        const { code, detail } = JSON.parse(text);
        assert.deepEqual([status, code, typeof detail.reference], [409, "conflict", "string"]);
        assert.doesNotMatch(text, /sheaf_|inv_/);
      } else assert.deepEqual([status, replayed], [tried.status, "true"]);
      assert.equal(await count(tried.table), earlier + (tried.rows ?? 1));
    });

  for (const name of ["extract", "askDocumentalist", "askStream", "createGroup"])
    test(`${name}, killed during the work: the repeated request does the work at once, or gets the stored reply`, async () => {
      const tried = { ...(cases[name] as Case) };
      if (name === "createGroup") tried.body = { name: "H" };
      const [key, earlier] = [newId(), await count(tried.table)];
      await killWith(tried, key, "work");
      const first = await send(tried, key);
      assert.equal(first.status, tried.status, first.text);
      const again = await send(tried, key);
      assert.deepEqual([again.text, again.replayed], [first.text, "true"]);
      assert.equal(await count(tried.table), earlier + (tried.rows ?? 1));
    });
});
