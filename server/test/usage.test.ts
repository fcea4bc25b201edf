/** Usage over HTTP on both databases: what the plan allows, what was used by which channel in which month. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getUsage, recordUsage } from "../src/features/usage/usage.service.ts";
import { onBehalfOf } from "../src/lib/caller.ts";
import { newId } from "../src/lib/ids.ts";
import type { UsageChannel } from "../src/records/tables.ts";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { limit } from "./helpers/plans.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

describeOverDatabases("usage", (dialect) => {
  let service: TestService;
  before(async () => {
    service = await openTestService(dialect);
  });
  after(() => service[Symbol.asyncDispose]());

  const usageOf = async (organization: Awaited<ReturnType<TestService["organization"]>>) =>
    (await organization.administrator.send("GET", "/v2/organization/usage")).body.data;

  test("a new organization is unlimited and has used nothing", async () => {
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

  test("channels, plan and overage; deleted agents don't count; another organization's tokens neither", async () => {
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
      await recordUsage(service.db, { ...onBehalfOf(organization.id), channel }, tokens);
    await recordUsage(service.db, onBehalfOf(other.id), 77);
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

  test("the month changes at midnight UTC, to the millisecond", async () => {
    const { id } = await service.organization("Midnight");
    const entry = (month: string, tokens: number) => ({
      id: newId(),
      organization_id: id,
      channel: "api" as const,
      tokens,
      month,
      created_at: new Date().toISOString(),
    });
    await service.db
      .insertInto("usage_entries")
      .values([entry("2026-02", 20), entry("2026-03", 3)])
      .execute();
    const at = async (time: string) => (await getUsage(service.db, { organizationId: id }, time)).usage;
    const [february, march] = [await at("2026-02-28T23:59:59.999Z"), await at("2026-03-01T00:00:00.000Z")];
    assert.deepEqual([february.period, february.api_tokens], ["2026-02", 20]);
    assert.deepEqual([march.period, march.api_tokens], ["2026-03", 3]);
  });

  test("any member may ask, nobody without a token; every extraction is metered", async () => {
    const organization = await service.organization("Members");
    const { send, memberId } = organization.administrator;
    const params = [{ name: "total", format: "number", description: "Total amount" }];
    await send("POST", "/v2/extractor", { filename: "a.pdf", file: sampleBase64, params });
    const entries = await service.db
      .selectFrom("usage_entries")
      .select("channel")
      .where("organization_id", "=", organization.id)
      .execute();
    assert.deepEqual(
      entries.map(({ channel }) => channel),
      ["api"],
    );
    await service.db.updateTable("members").set({ role: "member" }).where("id", "=", memberId).execute();
    assert.equal((await send("GET", "/v2/organization/usage")).status, 200);
    assert.equal((await service.client("").send("GET", "/v2/organization/usage")).status, 401);
  });
});
