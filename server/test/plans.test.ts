/**
 * Plans on both databases. A plan is assigned to an organization or is the default, and applies
 * from the next request on.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { assignPlan, deletePlan, getLimits, setDefaultPlan, setPlan } from "../src/features/plans/plans.service.ts";
import { columnTypes } from "../src/records/migrate.ts";
import { foundation } from "../src/records/migrations/0001-foundation.ts";
import { plansAndSubscriptions } from "../src/records/migrations/0006-plans-and-subscriptions.ts";
import { openRecords } from "../src/records/records.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { createDatabase, describeOverDatabases } from "./helpers/databases.ts";
import { run, temporaryFolder } from "./helpers/process.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const operator = { operator: "test" };

describeOverDatabases("plans", (dialect) => {
  let service: TestService;
  before(async () => {
    service = await openTestService(dialect);
  });
  after(() => service[Symbol.asyncDispose]());

  const limitsOf = async ({ id }: TestOrganization) => {
    const { name, origin, max_agents } = await getLimits(service.db, { organizationId: id });
    return [name, origin, max_agents];
  };

  test("an organization has the plan assigned to it, or else the default plan, or else no limits", async () => {
    const { db } = service;
    const organization = await service.organization("Ladder");
    assert.deepEqual(await limitsOf(organization), [null, "default", null]);
    await setPlan(db, operator, "free", { max_agents: 1 });
    await setPlan(db, operator, "pro", { max_agents: 9, max_upload_mb: 5 });
    await setDefaultPlan(db, operator, "free");
    assert.deepEqual(await limitsOf(organization), ["free", "default", 1]);
    await assignPlan(db, operator, organization.id, "pro");
    assert.deepEqual(await limitsOf(organization), ["pro", "assigned", 9]);
    await assignPlan(db, operator, "ladder", null);
    await setDefaultPlan(db, operator, "pro");
    assert.deepEqual(await limitsOf(organization), ["pro", "default", 9]);
    await setDefaultPlan(db, operator, null);
    assert.deepEqual(await limitsOf(organization), [null, "default", null]);
  });

  test("a changed limit applies from the next request on, and keeps the other limits and existing data", async () => {
    const { db } = service;
    const organization = await service.organization("Changing");
    const corpus = corpusOf(service, organization);
    const create = () => corpus.send("POST", "/v2/agents", { name: "A", type: "DOCUMENTALIST" });
    await setPlan(db, operator, "changing", {
      max_agents: 1,
      max_documents_per_agent: 1,
      included_api_tokens: 2 ** 40,
    });
    await assignPlan(db, operator, organization.id, "changing");
    const agent = (await create()).body.data.reference;
    assert.deepEqual((await create()).body.detail, { limit: 1, current: 1 });
    await setPlan(db, operator, "changing", { max_agents: 3 });
    assert.deepEqual([(await create()).status, (await create()).status, (await create()).status], [201, 201, 403]);
    assert.equal((await corpus.upload(agent)).status, 202);
    const second = () => corpus.upload(agent, { filename: "second.pdf" });
    assert.deepEqual((await second()).body.detail, { limit: 1, current: 1 });
    await setPlan(db, operator, "changing", { max_documents_per_agent: null, max_agents: 2, max_upload_mb: 0 });
    assert.equal((await second()).body.code, "file_too_large");
    await setPlan(db, operator, "changing", { max_upload_mb: 1 });
    assert.equal((await second()).status, 202);
    const { quotas, usage } = (await corpus.send("GET", "/v2/organization/usage")).body.data;
    assert.deepEqual(
      [quotas.max_agents, quotas.max_documents_per_agent, quotas.max_upload_mb, usage.included_api_tokens],
      [{ limit: 2, used: 3 }, { limit: null }, { limit: 1 }, 2 ** 40],
    );
    assert.deepEqual((await create()).body.detail, { limit: 2, current: 3 });
  });

  test("if the quota changes while agents are created, the number of agents never exceeds the highest quota", async () => {
    const { db } = service;
    const organization = await service.organization("Moving");
    await setPlan(db, operator, "moving", { max_agents: 4 });
    await assignPlan(db, operator, organization.id, "moving");
    const create = () => organization.administrator.send("POST", "/v2/agents", { name: "A", type: "EXTRACTOR" });
    const change = async () => {
      for (const max_agents of [10, 4, 10, 7, 10]) await setPlan(db, operator, "moving", { max_agents });
    };
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 30 }, create)), change()]);
    await Promise.all(Array.from({ length: 20 }, create));
    assert.ok(answers.every(({ status }) => status === 201 || status === 403));
    assert.equal((await organization.administrator.send("GET", "/v2/agents")).body.data.length, 10);
  });

  test("a plan in use cannot be deleted, and an unknown plan cannot be assigned", async () => {
    const { db } = service;
    const organization = await service.organization("Kept");
    await setPlan(db, operator, "kept", {});
    await assignPlan(db, operator, organization.id, "kept");
    await assert.rejects(deletePlan(db, operator, "kept"), /in use/);
    await assignPlan(db, operator, organization.id, null);
    await deletePlan(db, operator, "kept");
    await assert.rejects(assignPlan(db, operator, organization.id, "kept"), /no plan kept/);
    await assert.rejects(setDefaultPlan(db, operator, "kept"), /no plan kept/);
    await assert.rejects(deletePlan(db, operator, "kept"), /no plan kept/);
    for (const name of ["", "none", "Pro", "a:b", "a,b", "a b", "-a", "x".repeat(201)])
      await assert.rejects(setPlan(db, operator, name, {}), /name of a plan/, name);
  });

  test("changes of plans are in the audit log", async () => {
    const { db } = service;
    const { id } = await service.organization("Watched");
    await setPlan(db, operator, "watched", { max_agents: 2 });
    await setPlan(db, operator, "watched", { max_agents: 3 });
    await assignPlan(db, operator, id, "watched");
    const entries = await db
      .selectFrom("audit_entries")
      .select(["action", "organization_id", "detail", "operator"])
      .where("target", "=", "watched")
      .orderBy("sequence")
      .execute();
    assert.deepEqual(
      entries.map(({ action, organization_id, detail }) => [action, organization_id, JSON.parse(detail)]),
      [
        ["plan.created", null, { max_agents: 2 }],
        ["plan.changed", null, { max_agents: 3 }],
        ["plan.assigned", id, {}],
      ],
    );
  });

  test("a migration turns the limits of each organization into a plan", async () => {
    await using folder = await temporaryFolder();
    const database = await createDatabase(dialect);
    await using stack = new AsyncDisposableStack();
    stack.defer(() => database.drop());
    const records = openRecords(
      database.url === undefined
        ? { dialect: "sqlite", path: join(folder.path, "old.db") }
        : { dialect: "postgres", url: database.url, maxConnections: 2, onIdleError: () => {} },
    );
    stack.defer(() => records.close());
    const old = records.db as never;
    await foundation(old, columnTypes[dialect]);
    const at = "2026-11-21T00:00:00.001Z";
    for (const [id, agents, tokens] of [
      ["limited", 3, null],
      ["metered", null, 5_000_000_000],
      ["free", null, null],
    ])
      await sql`insert into organizations (id, name, slug, api_enabled, max_agents, included_api_tokens, created_at, updated_at)
        values (${id}, ${id}, ${`${id}-slug`}, true, ${agents}, ${tokens}, ${at}, ${at})`.execute(records.db);
    await plansAndSubscriptions(old, columnTypes[dialect]);
    const held = async (organizationId: string) => {
      const { name, max_agents, included_api_tokens } = await getLimits(records.db, { organizationId });
      return [name, max_agents, included_api_tokens];
    };
    assert.deepEqual(
      [await held("limited"), await held("metered"), await held("free")],
      [
        ["limited-slug", 3, null],
        ["metered-slug", null, 5_000_000_000],
        [null, null, null],
      ],
    );
  });
});

test("plans on the command line", async () => {
  await using folder = await temporaryFolder();
  const settings = { SHEAF_DATA_DIR: folder.path };
  const sheaf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, settings);
    return code === 0 ? stdout.trimEnd() : `${code} ${stderr.trimEnd()}`;
  };
  const words = (agents: string) =>
    `${agents} agents, unlimited documents per agent, 5 MB per upload, unlimited tokens per month included`;
  assert.equal(await sheaf("plan", "set", "pro", "--max-agents", "9", "--max-upload-mb", "5"), `pro: ${words("9")}`);
  await sheaf("organization", "create", "House", "--email", "a@example.com");
  assert.equal(await sheaf("plan", "default", "pro"), "");
  assert.equal(await sheaf("plan", "list"), `pro (default): ${words("9")}`);
  assert.equal(await sheaf("plan", "assign", "house", "pro"), "");
  assert.match(
    await sheaf("organization", "subscription", "house", "--customer", "cus_1"),
    /^plan {10}pro \(assigned\)\ncustomer {6}cus_1$/,
  );
});
