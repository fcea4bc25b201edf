/**
 * The metrics in the format that Prometheus reads: permissions, counts, and labels that identify
 * nobody.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { sample } from "./helpers/metrics.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

const token = "a token of the metrics".replaceAll(" ", "-");
const params = [{ name: "total", format: "number", description: "Total" }];

const scrape = async (service: TestService): Promise<string> => {
  const answer = await service.client("").send("GET", "/metrics", undefined, { authorization: `Bearer ${token}` });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  return answer.body;
};

describeOverDatabases("metrics", (dialect) => {
  test("requests and jobs are counted, and labels contain only names defined in the code", async () => {
    await using stack = new AsyncDisposableStack();
    const receiver = createServer((request, response) => void request.resume().on("end", () => response.end())).listen(
      0,
      "127.0.0.1",
    );
    await once(receiver, "listening");
    stack.defer(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo;
    await using service = await openTestService(dialect, {
      SHEAF_METRICS_TOKEN: token,
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
    });
    const organization = await service.organization("Canary organization");
    const { send, makeAgent, accepted, settled, idle } = corpusOf(service, organization);
    const webhook = { url: `http://127.0.0.1:${port}/canary-hook` };
    const made = await send("PUT", "/v2/organization/webhooks/document.ingestion_completed", webhook);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const agent = await makeAgent();
    await accepted(agent, { filename: "canary-name.pdf" });
    await settled(agent);
    await idle();
    const extracted = await send("POST", "/v2/extractor", { filename: "canary-name.pdf", file: sampleBase64, params });
    assert.equal(extracted.status, 200);
    assert.equal((await send("POST", `/v2/knowledge/${agent}`, { query: "Canary question?" })).status, 200);
    assert.equal((await send("GET", "/v2/agents/canary-reference")).status, 404);
    assert.equal((await send("GET", "/canary/path?canary=query")).status, 404);

    const text = await scrape(service);
    const requests = (labels: Record<string, string>) =>
      sample(text, "sheaf_http_request_duration_seconds_count", labels);
    assert.equal(requests({ method: "POST", route: "/v2/extractor", status: "2xx" }), 1);
    assert.equal(requests({ method: "GET", route: "/v2/agents/{reference}", status: "4xx" }), 1);
    assert.equal(requests({ route: "unmatched", status: "4xx" }), 1);
    assert.equal(sample(text, "sheaf_http_errors_total", { code: "agent_not_found" }), 1);
    assert.equal(sample(text, "sheaf_http_requests_under_way"), 1, "the request for the metrics itself is counted");
    assert.equal(sample(text, "sheaf_http_uploaded_bytes_total"), 2 * Buffer.from(sampleBase64, "base64").length);
    assert.equal(sample(text, "sheaf_job_attempts_started_total", { name: "document.ingest" }), 1);
    const ingested = { name: "document.ingest", outcome: "done" };
    assert.equal(sample(text, "sheaf_job_attempt_duration_seconds_count", ingested), 1);
    assert.equal(sample(text, "sheaf_reading_duration_seconds_count", { format: "pdf", outcome: "read" }), 2);
    assert.equal(sample(text, "sheaf_reading_pages_total", { source: "text" }), 2);
    assert.equal(sample(text, "sheaf_engine_duration_seconds_count", { task: "extract", outcome: "done" }), 1);
    // The engine runs twice: first on the passages that were found, which contain no answer, and
    // then on all documents, because the corpus is small.
    assert.equal(sample(text, "sheaf_engine_duration_seconds_count", { task: "answer" }), 2);
    assert.equal(sample(text, "sheaf_engine_tokens_total", { task: "extract" }), 0);
    assert.equal(sample(text, "sheaf_delivery_attempt_duration_seconds_count", { outcome: "2xx" }), 1);
    assert.equal(sample(text, "sheaf_deliveries_pending"), 0);
    assert.equal(sample(text, "sheaf_database_up"), 1);
    assert.equal(sample(text, "sheaf_reading_waiting"), 0);
    assert.ok((sample(text, "sheaf_reading_processes") ?? 0) >= 1);
    assert.equal(sample(text, "sheaf_reading_processes_killed_total"), 0);
    assert.ok((sample(text, "sheaf_engine_threads", { state: "idle" }) ?? 0) >= 1);
    assert.equal(sample(text, "sheaf_build_info"), 1);
    for (const name of ["process_resident_memory_bytes", "nodejs_eventloop_lag_seconds", "process_open_fds"])
      assert.ok(sample(text, name) !== undefined, name);
    assert.doesNotMatch(text, /canary/i);
    for (const secret of [organization.id, agent, token, organization.administrator.clientId])
      assert.ok(!text.includes(secret));
  });

  test("the length of the job queue is queried when metrics are requested, but at most once in several seconds", async () => {
    await using service = await openTestService(dialect, { SHEAF_METRICS_TOKEN: token });
    const job = { name: "no.such", organization_id: "o", payload: "{}", created_at: "2026-01-01T00:00:00.000Z" };
    const past = new Date(Date.now() - 60_000).toISOString();
    const later = new Date(Date.now() + 60_000).toISOString();
    await service.db
      .insertInto("jobs")
      .values([
        { ...job, id: "a", run_at: past },
        { ...job, id: "b", run_at: later },
        { ...job, id: "c", run_at: past, failed_at: past },
      ])
      .execute();
    const text = await scrape(service);
    const states = ["due", "later", "running", "failed"].map((state) =>
      sample(text, "sheaf_jobs", { name: "no.such", state }),
    );
    assert.deepEqual(states, [1, 1, 0, 1]);
    const oldest = sample(text, "sheaf_jobs_oldest_due_seconds", { name: "no.such" }) ?? 0;
    assert.ok(oldest >= 60 && oldest < 90, String(oldest));
    await service.db.deleteFrom("jobs").execute();
    assert.equal(sample(await scrape(service), "sheaf_jobs", { name: "no.such", state: "due" }), 1);
  });

  test("metrics require their token, which is created at the first start if none is configured", async () => {
    await using service = await openTestService(dialect);
    const { administrator } = await service.organization("o");
    const refused = async (headers: Record<string, string>) => {
      const { status, body } = await administrator.send("GET", "/metrics", undefined, headers);
      assert.deepEqual([status, body.code], [401, "unauthorized"]);
    };
    await refused({});
    await refused({ authorization: "Bearer" });
    await refused({ authorization: `Bearer ${token}` });
    const made = (await readFile(join(service.config.keysDir, "metrics.token"), "utf8")).trim();
    await refused({ authorization: `Basic ${made}` });
    const answer = await administrator.send("GET", "/metrics", undefined, { authorization: `Bearer ${made}` });
    assert.equal(answer.status, 200);
    assert.match(answer.body, /^# HELP/);
  });
});

test("metrics are returned even while the database does not respond", { timeout: 20_000 }, async () => {
  await using service = await openTestService("sqlite", { SHEAF_METRICS_TOKEN: token });
  using other = new DatabaseSync(join(service.config.dataDir, "sheaf.db"));
  other.exec("alter table jobs rename to jobs_gone");
  const text = await scrape(service);
  assert.equal(sample(text, "sheaf_database_up"), 0);
  assert.equal(sample(text, "sheaf_jobs"), undefined);
  other.exec("alter table jobs_gone rename to jobs");
});
