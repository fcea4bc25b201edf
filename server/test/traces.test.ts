/**
 * Traces as an OpenTelemetry collector receives them. If no collector is configured, the code for
 * traces is not loaded.
 */
import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { openCollector } from "./helpers/collector.ts";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { run } from "./helpers/process.ts";
import { openTestService } from "./helpers/service.ts";

const params = [{ name: "total", format: "number", description: "Canary param" }];
const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describeOverDatabases("traces", (dialect) => {
  test("a request is one span in the caller's trace, and the stages of its work are spans below it", async () => {
    await using collector = await openCollector();
    await using stack = new AsyncDisposableStack();
    const service = stack.use(
      await openTestService(dialect, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector, x-tenant=1",
        OTEL_SERVICE_NAME: "reader",
      }),
    );
    const organization = await service.organization("Canary organization");
    const { administrator } = organization;
    const { makeAgent, accepted, settled, idle } = corpusOf(service, organization);
    const traceparent = `00-${traceId}-${spanId}-01`;
    const body = { filename: "canary.pdf", file: sampleBase64, params };
    const answer = await administrator.send("POST", "/v2/extractor", body, { traceparent });
    assert.equal(answer.status, 200);
    const path = `/v2/agents/canary?client_secret=canary`;
    assert.equal((await administrator.send("GET", path, undefined, { traceparent: "00-canary" })).status, 404);
    const agent = await makeAgent();
    await accepted(agent, { filename: "canary.pdf" });
    await settled(agent);
    await idle();
    await stack.disposeAsync();

    assert.ok(collector.paths.every((each) => each === "/v1/traces"));
    assert.equal(collector.headers[0]?.authorization, "Bearer collector");
    assert.equal(collector.headers[0]?.["x-tenant"], "1");
    assert.equal(collector.resource()["service.name"], "reader");
    assert.equal(collector.resource()["host.name"], hostname());
    assert.equal(collector.resource()["process.pid"], process.pid);
    const spans = collector.spans();
    const ofCaller = spans.filter((span) => span.traceId === traceId);
    const request = ofCaller.find(({ name }) => name === "POST /v2/extractor");
    assert.equal(request?.parentSpanId, spanId);
    assert.equal(request?.attributes["http.response.status_code"], 200);
    assert.equal(request?.attributes["sheaf.request.id"], answer.headers.get("x-request-id"));
    const children = ofCaller.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    const names = new Set(children.map(({ name }) => name));
    for (const name of ["read file", "engine extract", "database insert", "database commit"])
      assert.ok(names.has(name), `${name} is not among ${[...names].join(", ")}`);
    const reading = children.find(({ name }) => name === "read file");
    assert.deepEqual(reading?.attributes, { "sheaf.file.format": "pdf", "sheaf.file.pages": 1 });
    for (const child of children) {
      assert.ok(BigInt(child.startTimeUnixNano) >= BigInt(request?.startTimeUnixNano ?? 0) - 2_000_000n, child.name);
      assert.ok(BigInt(child.endTimeUnixNano) <= BigInt(request?.endTimeUnixNano ?? 0) + 2_000_000n, child.name);
    }

    const failed = spans.find(({ name }) => name === "GET /v2/agents/{reference}");
    assert.equal(failed?.parentSpanId, undefined);
    assert.equal(failed?.attributes["error.type"], "agent_not_found");
    const job = spans.find(({ name }) => name === "job document.ingest");
    assert.equal(job?.attributes["sheaf.job.outcome"], "done");
    assert.ok(spans.some(({ name, parentSpanId }) => name === "read file" && parentSpanId === job?.spanId));
    // Work that was not caused by a request or a job is not traced, so only spans of requests and
    // jobs may lack a parent.
    assert.ok(spans.every(({ name, parentSpanId }) => parentSpanId !== undefined || /^(GET|POST|PUT|job) /.test(name)));
    assert.doesNotMatch(collector.bodies.join(""), /canary/i);
    assert.ok(!collector.bodies.join("").includes(administrator.clientSecret));
  });
});

test("a caller's decision not to trace is respected, and so is the sampling ratio", async () => {
  await using collector = await openCollector();
  await using stack = new AsyncDisposableStack();
  const service = stack.use(
    await openTestService("sqlite", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
      OTEL_TRACES_SAMPLER_ARG: "0",
    }),
  );
  const { send } = service.client("");
  await send("GET", "/healthz", undefined, { traceparent: `00-${traceId}-${spanId}-00` });
  await send("GET", "/healthz");
  await send("GET", "/healthz", undefined, { traceparent: `00-${traceId}-${spanId}-01` });
  await stack.disposeAsync();
  assert.deepEqual([...new Set(collector.paths)], ["/own/path"]);
  assert.deepEqual(
    collector.spans().map(({ name, traceId }) => [name, traceId]),
    [["GET /healthz", traceId]],
  );
});

test("an unreachable collector does not delay requests", { timeout: 20_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await openTestService("sqlite", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }));
  assert.equal((await service.client("").send("GET", "/healthz")).status, 200);
  const startedAt = performance.now();
  await stack.disposeAsync();
  assert.ok(performance.now() - startedAt < 10_000);
});

test("the error message names invalid trace settings", async () => {
  const { code, stderr } = await run(["serve"], {
    OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization",
    OTEL_TRACES_SAMPLER_ARG: "half",
    SHEAF_METRICS_TOKEN: "short",
  });
  assert.equal(code, 78);
  for (const name of [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_TRACES_SAMPLER_ARG",
    "SHEAF_METRICS_TOKEN",
  ])
    assert.match(stderr, new RegExp(`^sheaf: ${name} must`, "m"));
});
