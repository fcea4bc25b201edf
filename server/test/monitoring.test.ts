/**
 * Tests the alert rules and the dashboard. They are valid PromQL, and name only metrics and labels
 * that a running service exposes. Each alert fires on samples of the problem that it is meant for,
 * but not on those of a healthy service.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { before, test } from "node:test";
import { parse } from "yaml";
import { openClamdServer } from "../src/antivirus/testing/clamd-server.ts";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { type Dialect, describeOverDatabases } from "./helpers/databases.ts";
import { evaluate, parseMetrics, referencesIn } from "./helpers/promql.ts";
import { openTestService } from "./helpers/service.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const token = "token-of-the-metrics";
/** Labels and metrics that Prometheus itself adds. */
const target = { job: "sheaf", instance: "sheaf:8080" };
const scraped = (text: string) => `${text}\nup 1\n`;

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  annotations: { summary: string };
}
const alerts: Alert[] = parse(await readFile(join(deploy, "prometheus/alerts.yaml"), "utf8")).groups[0].rules;

/** Returns the metrics of a service that has ingested, extracted, answered, scanned and delivered. */
async function metricsOfService(dialect: Dialect): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const clamd = stack.use(await openClamdServer());
  const receiver = createServer((request, response) => void request.resume().on("end", () => response.end()));
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  stack.defer(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = receiver.address() as AddressInfo;
  const service = stack.use(
    await openTestService(dialect, {
      SHEAF_METRICS_TOKEN: token,
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_ANTIVIRUS: `clamd://127.0.0.1:${clamd.port}`,
    }),
  );
  const organization = await service.organization("o");
  const { send, makeAgent, accepted, settled, idle } = corpusOf(service, organization);
  const webhook = { url: `http://127.0.0.1:${port}/hook` };
  assert.equal((await send("PUT", "/v2/organization/webhooks/document.ingestion_completed", webhook)).status, 201);
  const agent = await makeAgent();
  await accepted(agent, { filename: "a.pdf" });
  await settled(agent);
  await idle();
  const params = [{ name: "total", format: "number", description: "Total" }];
  assert.equal((await send("POST", "/v2/extractor", { filename: "a.pdf", file: sampleBase64, params })).status, 200);
  assert.equal((await send("POST", `/v2/knowledge/${agent}`, { query: "What is the total?" })).status, 200);
  assert.equal((await send("GET", "/v2/agents/none")).status, 404);
  // Adds a delayed job, because the queue has metrics only for jobs that it contains.
  const job = { id: "a", name: "document.ingest", organization_id: "o", payload: "{}" };
  const [created_at, run_at] = [new Date().toISOString(), new Date(Date.now() + 600_000).toISOString()];
  await service.db
    .insertInto("jobs")
    .values({ ...job, created_at, run_at })
    .execute();
  const headers = { authorization: `Bearer ${token}` };
  return (await service.client("").send("GET", "/metrics", undefined, headers)).body;
}

/**
 * Replaces samples of a scrape. `samples` contains the new lines, in the text format of Prometheus.
 */
function withSamples(text: string, ...samples: string[]): string {
  const names = samples.map((sample) => sample.slice(0, sample.lastIndexOf(" ")));
  const kept = text.split("\n").filter((line) => !names.some((name) => line.startsWith(`${name} `)));
  return [...kept, ...samples].join("\n");
}

const requests = (status: string, count: number) =>
  `sheaf_http_request_duration_seconds_count{method="GET",route="/v2/agents",status="${status}"} ${count}`;
const extractions = (upTo: string, count: number) =>
  `sheaf_http_request_duration_seconds_bucket{le="${upTo}",method="POST",route="/v2/extractor",status="2xx"} ${count}`;

/**
 * For each alert, the samples that change in each scrape after the healthy one. They must make the
 * alert fire.
 */
const failing: Record<string, string[][]> = {
  SheafDown: [["up 0"]],
  SheafDatabaseDown: [["sheaf_database_up 0"]],
  SheafRestarts: [1, 2, 3].map((start) => [`process_start_time_seconds ${start}`]),
  SheafServerErrors: [
    [requests("5xx", 0), requests("2xx", 0)],
    [requests("5xx", 60), requests("2xx", 600)],
  ],
  SheafInternalErrors: [['sheaf_http_errors_total{code="internal_error"} 1']],
  SheafRefusesRequests: [["sheaf_http_shed_total 400"]],
  SheafSlowExtraction: [[extractions("30", 90), extractions("120", 100), extractions("+Inf", 100)]],
  SheafEventLoopDelay: [["nodejs_eventloop_lag_p99_seconds 0.7"]],
  SheafJobsWait: [['sheaf_jobs_oldest_due_seconds{name="document.ingest"} 901']],
  SheafJobsFailed: [['sheaf_jobs{name="document.ingest",state="failed"} 1']],
  SheafDeliveriesFail: [
    ['sheaf_delivery_attempt_duration_seconds_count{outcome="timeout"} 0'],
    ['sheaf_delivery_attempt_duration_seconds_count{outcome="timeout"} 5'],
  ],
  SheafReadingProcessesKilled: [["sheaf_reading_processes_killed_total 11"]],
  SheafAntivirusUnavailable: [['sheaf_antivirus_scan_duration_seconds_count{outcome="unavailable"} 1']],
  SheafFilesHeldBack: [["sheaf_files_held_back 2000"]],
  SheafOpenFiles: [["process_open_fds 900", "process_max_fds 1024"]],
};

describeOverDatabases("monitoring", (dialect) => {
  let text: string;
  before(async () => {
    text = scraped(await metricsOfService(dialect));
  });

  const assertKnown = (expression: string, where: string): void => {
    const samples = parseMetrics(text, target);
    for (const { metric, labels } of referencesIn(expression)) {
      const ofMetric = samples.filter(({ name }) => name === metric);
      assert.ok(ofMetric.length > 0, `${where}: the service has no ${metric}`);
      for (const label of labels)
        assert.ok(
          ofMetric.some((sample) => label in sample.labels),
          `${where}: ${metric} has no label ${label}`,
        );
    }
  };

  test("alerts name metrics and labels that the service has", () => {
    assert.ok(alerts.length > 10);
    for (const { alert, expr, annotations } of alerts) {
      assertKnown(expr, alert);
      assert.ok(annotations.summary.length > 0);
    }
  });

  test("no alert fires for a healthy service", () => {
    for (const { alert, expr } of alerts) assert.deepEqual(evaluate(expr, [text, text, text], target), [], alert);
  });

  test("each alert fires on samples of the problem that it is meant for", () => {
    assert.deepEqual(alerts.map(({ alert }) => alert).toSorted(), Object.keys(failing).toSorted());
    for (const { alert, expr } of alerts) {
      const scrapes = (failing[alert] ?? []).map((samples) => withSamples(text, ...samples));
      const fired = evaluate(expr, [text, ...scrapes], target);
      assert.equal(fired.length, 1, `${alert}: ${JSON.stringify(fired)}`);
    }
  });

  test("the dashboard names metrics and labels that the service has", async () => {
    const dashboard = JSON.parse(await readFile(join(deploy, "grafana/sheaf.json"), "utf8"));
    const panels: { title: string; type: string; targets?: { expr: string; legendFormat: string }[] }[] =
      dashboard.panels;
    const targets = panels.flatMap(({ title, targets = [] }) => targets.map((each) => ({ title, ...each })));
    assert.ok(targets.length > 30);
    for (const { title, expr, legendFormat } of targets) {
      const expression = expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");
      assertKnown(expression, title);
      const [sample] = evaluate(expression, [text, text], target);
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(sample === undefined || label in sample.labels, `${title}: no label ${label} for the legend`);
    }
  });
});
