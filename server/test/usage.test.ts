/** Usage over HTTP, on both databases: limits of the plan, and tokens by channel and month. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startScriptedModel } from "../../bench/scripted-model/server.ts";
import { openMeter } from "../src/features/models/models.service.ts";
import { getUsage } from "../src/features/usage/usage.service.ts";
import { onBehalfOf, type Principal } from "../src/lib/caller.ts";
import { newId } from "../src/lib/ids.ts";
import type { UsageChannel } from "../src/records/usage-tables.ts";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { join } from "./helpers/people.ts";
import { limit } from "./helpers/plans.ts";
import { refuseWrites } from "./helpers/refused-writes.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

describeOverDatabases("usage", (dialect) => {
  let service: TestService;
  before(async () => {
    service = await openTestService(dialect);
  });
  after(() => service[Symbol.asyncDispose]());

  const spend = async (principal: Principal, tokens: number) => {
    const call = { purpose: "extract", model: "m", endpoint: "http://model", bytes: 1, sha256: "" } as const;
    const plan = { ...call, estimatedInputTokens: 1, maxInputTokens: tokens, maxOutputTokens: 1, timeoutMs: 1_000 };
    const { reserve } = openMeter({ db: service.db, budgetTokens: null }, principal);
    const { reconcile } = await reserve(plan, AbortSignal.timeout(10_000));
    await reconcile({ ...call, use: { inputTokens: tokens, outputTokens: 0, estimated: false } });
  };
  const usageOf = async (organization: Awaited<ReturnType<TestService["organization"]>>) =>
    (await organization.administrator.send("GET", "/v2/organization/usage")).body.data;

  test("a new organization has no limits and has used nothing", async () => {
    const usage = await usageOf(await service.organization("New"));
    assert.match(usage.usage.period, /^\d{4}-\d{2}$/);
    assert.deepEqual(usage, {
      subscription: { status: null, billing_cycle: null, current_period_end: null },
      quotas: {
        max_agents: { limit: null, used: 0 },
        max_documents_per_agent: { limit: null },
        max_upload_mb: { limit: null },
      },
      usage: {
        period: usage.usage.period,
        api_tokens: 0,
        billable_tokens: 0,
        included_api_tokens: null,
        overage_tokens: 0,
      },
    });
  });

  test("usage includes all channels, the plan and overage, but no deleted agents and no tokens of other organizations", async () => {
    const [organization, other] = [await service.organization("Busy"), await service.organization("Neighbour")];
    const corpus = corpusOf(service, organization);
    const agents = [await corpus.makeAgent(), await corpus.makeAgent(), await corpus.makeAgent("EXTRACTOR")];
    await corpus.send("DELETE", `/v2/agents/${agents[0]}`);
    for (const [channel, tokens] of [
      ["api", 1_000],
      ["api", 234],
      ["public", 500],
      ["app", 9_999],
    ] as [UsageChannel, number][])
      await spend({ ...onBehalfOf(organization.id), channel }, tokens);
    await spend(onBehalfOf(other.id), 77);
    const limits = { max_agents: 25, max_documents_per_agent: 500, max_upload_mb: 60, included_api_tokens: 1_500 };
    await limit(service, organization, limits);
    const { quotas, usage } = await usageOf(organization);
    assert.deepEqual(quotas, {
      max_agents: { limit: 25, used: 2 },
      max_documents_per_agent: { limit: 500 },
      max_upload_mb: { limit: 60 },
    });
    assert.deepEqual(
      [usage.api_tokens, usage.billable_tokens, usage.included_api_tokens, usage.overage_tokens],
      [1_234, 1_734, 1_500, 234],
    );
    assert.equal((await usageOf(other)).usage.billable_tokens, 77);
  });

  test("a new month begins at midnight UTC, to the millisecond, both when tokens are recorded and when usage is read", async (t) => {
    const { id } = await service.organization("Midnight");
    const [before, after_] = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z"];
    // Stops the clock of this process only. The functions called here run in this process.
    t.mock.timers.enable({ apis: ["Date"] });
    for (const [time, tokens] of [
      [before, 20],
      [after_, 3],
    ] as const) {
      t.mock.timers.setTime(Date.parse(time));
      await spend(onBehalfOf(id), tokens);
    }
    t.mock.timers.reset();
    const at = async (time: string) => (await getUsage(service.db, { organizationId: id }, time)).usage;
    const [february, march] = [await at(before), await at(after_)];
    assert.deepEqual([february.period, february.api_tokens], ["2026-02", 20]);
    assert.deepEqual([march.period, march.api_tokens], ["2026-03", 3]);
    assert.equal((await at("2026-01-31T23:59:59.999Z")).api_tokens, 0);
    assert.equal((await at("2027-02-01T00:00:00.000Z")).api_tokens, 0);
  });

  test("overage begins above the plan's included tokens, and is zero if the plan does not limit them", async () => {
    const organization = await service.organization("Overage");
    await spend(onBehalfOf(organization.id), 100);
    for (const [included, overage] of [
      [101, 0],
      [100, 0],
      [99, 1],
      [0, 100],
      [null, 0],
    ] as const) {
      await limit(service, organization, { included_api_tokens: included });
      const { included_api_tokens, overage_tokens } = (await usageOf(organization)).usage;
      assert.deepEqual([included_api_tokens, overage_tokens], [included, overage]);
    }
  });

  test("usage of an unknown organization is an error", async () => {
    await assert.rejects(getUsage(service.db, { organizationId: newId() }, "2026-03-01T00:00:00.000Z"), {
      code: "organization_not_found",
    });
  });

  test("an extraction or answer is recorded completely or not at all", async () => {
    const organization = await service.organization("Together");
    const corpus = corpusOf(service, organization);
    const agent = await corpus.makeAgent();
    const params = [{ name: "total", format: "number", description: "Total amount" }];
    const work = [
      () => corpus.send("POST", "/v2/extractor", { filename: "a.pdf", file: sampleBase64, params }),
      () => corpus.send("POST", `/v2/knowledge/${agent}`, { query: "What is the total amount?" }),
    ];
    const written = async () => {
      const rows = (table: "threads" | "extractions") =>
        service.db.selectFrom(table).select("id").where("organization_id", "=", organization.id).execute();
      return [await rows("threads"), await rows("extractions")].map(({ length }) => length);
    };
    {
      await using _refused = await refuseWrites(service.db, dialect, "insert", "messages");
      for (const attempt of work) assert.equal((await attempt()).status, 500);
      assert.deepEqual(await written(), [0, 0]);
    }
    for (const attempt of work) assert.equal((await attempt()).status, 200);
    assert.deepEqual(await written(), [2, 1]);
  });

  test("tokens are counted by the channel of the request, including those of failed requests", async () => {
    await using stack = new AsyncDisposableStack();
    const model = await startScriptedModel();
    stack.defer(() => model.close());
    const settings = { ENGINE: "model", MODEL_URL: model.url, MODEL_NAME: "scripted" };
    const modern = stack.use(await openTestService(dialect, settings));
    const organization = await modern.organization("Channels");
    const person = await join(modern, organization, "administrator");
    const api = organization.administrator;
    const corpus = corpusOf(modern, organization);
    const agent = await corpus.makeAgent();
    await corpus.accepted(agent);
    await corpus.settled(agent);
    await api.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" });
    const params = [{ name: "total", format: "number", description: "Total amount" }];
    const file = { filename: "a.pdf", file: sampleBase64 };
    const query = { query: "What is due?" };
    const counted = async () => {
      const calls = await modern.db.selectFrom("model_calls").selectAll().execute();
      const rows = await modern.db.selectFrom("token_usage").select(["channel", "tokens"]).execute();
      const tokens = Object.fromEntries(rows.map((row) => [row.channel, Number(row.tokens)]));
      for (const channel of new Set(calls.map((call) => call.channel))) {
        const own = calls.filter((call) => call.channel === channel && call.reserved_tokens === null);
        const sum = own.reduce((total, call) => total + Number(call.input_tokens) + Number(call.output_tokens), 0);
        assert.equal(tokens[channel], sum, channel);
      }
      return tokens;
    };
    let before: Record<string, number> = {};
    for (const [channel, work] of [
      ["api", () => api.send("POST", "/v2/extractor", { ...file, params })],
      ["api", () => api.send("POST", `/v2/knowledge/${agent}`, query)],
      ["api", () => api.send("POST", "/v2/classification/async", file)],
      ["app", () => person.send("POST", "/v2/extractor", { ...file, params })],
      ["app", () => person.send("POST", "/v2/classification/async", file)],
      ["public", () => modern.client("").send("POST", `/v2/public/${agent}`, query)],
    ] as const) {
      assert.ok((await work()).status < 300);
      await corpus.idle();
      const after = await counted();
      const grown = Object.keys(after).filter((each) => (after[each] ?? 0) > (before[each] ?? 0));
      assert.deepEqual(grown, [channel]);
      before = after;
    }
    model.rule = () => "no JSON at all";
    assert.equal((await api.send("POST", "/v2/extractor", { ...file, params })).status, 502);
    assert.ok(((await counted()).api ?? 0) > (before.api ?? 0));
  });

  test("any member may read usage, and requests without a token are refused", async () => {
    const organization = await service.organization("Members");
    const { send, memberId } = organization.administrator;
    await service.db.updateTable("members").set({ role: "member" }).where("id", "=", memberId).execute();
    assert.equal((await send("GET", "/v2/organization/usage")).status, 200);
    assert.equal((await service.client("").send("GET", "/v2/organization/usage")).status, 401);
  });
});
