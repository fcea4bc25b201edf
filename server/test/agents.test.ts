/** The agent endpoints over HTTP, on both databases. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import type { AgentType, AgentVisibility } from "../src/records/agent-tables.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { limit } from "./helpers/plans.ts";
import { refuseWrites } from "./helpers/refused-writes.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const param = (name: string, format = "text", items: unknown[] = []) => ({
  name,
  format,
  description: `The ${name}`,
  items,
});

describeOverDatabases("agents", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Agents House");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown) => organization.administrator.send(method, path, body);
  const create = async (body: object) => {
    const answer = await send("POST", "/v2/agents", body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const failure = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    return [answer.status, answer.body.code];
  };
  /** Inserts agents that cannot be created through the API. */
  const insert = async (type: AgentType, visibility: AgentVisibility, organizationId = organization.id) => {
    const at = new Date().toISOString();
    const id = newId();
    await service.db
      .insertInto("agents")
      .values({
        id,
        organization_id: organizationId,
        type,
        visibility,
        name: type,
        configuration: "{}",
        created_at: at,
        updated_at: at,
      })
      .execute();
    return id;
  };

  test("an extractor is created, read, listed, changed and deleted", async () => {
    const configuration = { params: [param("number"), param("lines", "list", [param("label")])] };
    const made = await create({ name: "Invoices", type: "EXTRACTOR", description: "Reads invoices", configuration });
    assert.deepEqual(made.configuration, configuration);
    assert.deepEqual((await send("GET", `/v2/agents/${made.reference}`)).body.data, made);
    const listed = (await send("GET", "/v2/agents")).body.data.find(
      (each: { reference: string }) => each.reference === made.reference,
    );
    const { configuration: _, ...summary } = made;
    assert.deepEqual(listed, summary);

    const renamed = (await send("PATCH", `/v2/agents/${made.reference}`, { name: "Bills", description: null })).body
      .data;
    assert.deepEqual([renamed.name, renamed.description, renamed.configuration], ["Bills", null, configuration]);
    const replaced = (
      await send("PATCH", `/v2/agents/${made.reference}`, { configuration: { params: [param("total", "number")] } })
    ).body.data;
    assert.deepEqual(replaced.configuration, { params: [param("total", "number")] });
    assert.ok(replaced.updated_at >= made.updated_at);
    assert.deepEqual((await send("PATCH", `/v2/agents/${made.reference}`, {})).body.data, replaced);

    const deleted = await send("DELETE", `/v2/agents/${made.reference}`);
    assert.deepEqual(deleted.body, { status: "success", data: { reference: made.reference, warnings: [] } });
    assert.deepEqual(await failure("GET", `/v2/agents/${made.reference}`), [404, "agent_not_found"]);
    assert.deepEqual(await failure("DELETE", `/v2/agents/${made.reference}`), [404, "agent_not_found"]);
  });

  test("a PATCH changes the given members of a documentalist's configuration and keeps the others", async () => {
    const made = await create({
      name: "Library",
      type: "DOCUMENTALIST",
      configuration: { consignes: ["Be brief.", { content: "Cite.", weight: 2 }] },
    });
    assert.deepEqual(made.configuration, {
      consignes: ["Be brief.", { content: "Cite.", weight: 2 }],
      sourceVisibility: true,
    });
    const path = `/v2/agents/${made.reference}`;
    const once = (await send("PATCH", path, { configuration: { sourceVisibility: false } })).body.data;
    assert.deepEqual(once.configuration, { ...made.configuration, sourceVisibility: false });
    const twice = (await send("PATCH", path, { configuration: { consignes: [], domains: ["law"] } })).body.data;
    assert.deepEqual(twice.configuration, { consignes: [], sourceVisibility: false, domains: ["law"] });
  });

  test("concurrent PATCHes of different members of a configuration are all applied", async () => {
    const { reference } = await create({ name: "Merged", type: "DOCUMENTALIST" });
    const patches = [{ sourceVisibility: false }, { domains: ["a"] }, { consignes: ["b"] }];
    await Promise.all(patches.map((configuration) => send("PATCH", `/v2/agents/${reference}`, { configuration })));
    const { configuration } = (await send("GET", `/v2/agents/${reference}`)).body.data;
    assert.deepEqual(configuration, { sourceVisibility: false, domains: ["a"], consignes: ["b"] });
  });

  test("invalid input is refused with its code and issues", async () => {
    const { reference } = await create({ name: "Kept", type: "EXTRACTOR", configuration: { params: [param("a")] } });
    const path = `/v2/agents/${reference}`;
    const extractor = (params: unknown) => ({ name: "n", type: "EXTRACTOR", configuration: { params } });
    const cases: [unknown, string, string?][] = [
      [{ type: "EXTRACTOR" }, "invalid_request", "/name"],
      [{ name: "", type: "EXTRACTOR" }, "invalid_request", "/name"],
      [{ name: "x".repeat(201), type: "EXTRACTOR" }, "invalid_request", "/name"],
      [{ name: 1, type: "EXTRACTOR" }, "invalid_request", "/name"],
      [{ name: "n" }, "invalid_request", "/type"],
      [{ name: "n", type: "ORACLE" }, "invalid_request", "/type"],
      [{ name: "n", type: "EXTRACTOR", description: 1 }, "invalid_request", "/description"],
      [{ name: "n", type: "EXTRACTOR", description: "x".repeat(2001) }, "invalid_request", "/description"],
      [[], "invalid_request", ""],
      ["{", "invalid_request", ""],
      ["", "invalid_request", ""],
      [{ name: "n", type: "PERSONAL" }, "invalid_agent_type"],
      [extractor("no array"), "invalid_config", "/configuration/params"],
      [extractor([{ name: "a", format: "text", description: "d" }]), "invalid_config", "/configuration/params/0/items"],
      [extractor([param("a", "date")]), "invalid_config", "/configuration/params/0/format"],
      [extractor([param("a", "list")]), "invalid_config", "/configuration/params/0/items"],
      [extractor([param("a", "text", [param("b")])]), "invalid_config", "/configuration/params/0/items"],
      [extractor([param("a"), param("a")]), "invalid_config", "/configuration/params/1/name"],
      [
        { name: "n", type: "EXTRACTOR", configuration: { params: [], extra: 1 } },
        "invalid_config",
        "/configuration/extra",
      ],
      [
        { name: "n", type: "DOCUMENTALIST", configuration: { sourceVisibilty: true } },
        "invalid_config",
        "/configuration/sourceVisibilty",
      ],
      [{ name: "n", type: "DOCUMENTALIST", configuration: { consignes: [{ text: "" }] } }, "invalid_config"],
      [{ name: "n", type: "DOCUMENTALIST", configuration: { params: [] } }, "invalid_config", "/configuration/params"],
    ];
    const before = (await send("GET", "/v2/agents")).body.data.length;
    for (const [body, code, issuePath] of cases) {
      const answer = await send("POST", "/v2/agents", body);
      assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(body));
      if (issuePath !== undefined)
        assert.equal(answer.body.detail.issues[0].path, issuePath, JSON.stringify(answer.body));
    }
    assert.equal((await send("GET", "/v2/agents")).body.data.length, before);
    assert.deepEqual(await failure("PATCH", path, { configuration: {} }), [422, "invalid_config"]);
    assert.deepEqual(await failure("PATCH", path, { configuration: { consignes: [] } }), [422, "invalid_config"]);
    assert.deepEqual(await failure("PATCH", path, { name: 5 }), [422, "invalid_request"]);
    assert.deepEqual((await send("GET", path)).body.data.configuration, { params: [param("a")] });
  });

  test("unknown fields are ignored and never stored", async () => {
    const other = await service.organization("Someone Else");
    const made = await create({
      name: "Plain",
      type: "EXTRACTOR",
      organization_id: other.id,
      reference: newId(),
      visibility: "private",
      created_at: "1999-01-01T00:00:00.000Z",
      ["__proto__"]: { name: "polluted" },
    });
    const row = await service.db
      .selectFrom("agents")
      .selectAll()
      .where("id", "=", made.reference)
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.organization_id, row.visibility, row.name], [organization.id, "organization", "Plain"]);
    const patched = (
      await send("PATCH", `/v2/agents/${made.reference}`, { type: "DOCUMENTALIST", visibility: "private" })
    ).body.data;
    assert.equal(patched.type, "EXTRACTOR");
  });

  test("private agents are hidden from API tokens, and personal ones can only be read", async () => {
    const hidden = await insert("EXTRACTOR", "private");
    const personal = await insert("PERSONAL", "organization");
    const references = (await send("GET", "/v2/agents")).body.data.map((each: { reference: string }) => each.reference);
    assert.ok(!references.includes(hidden) && references.includes(personal));
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "mine" } : undefined;
      assert.deepEqual(await failure(method, `/v2/agents/${hidden}`, body), [404, "agent_not_found"]);
      if (method !== "GET")
        assert.deepEqual(await failure(method, `/v2/agents/${personal}`, body), [422, "invalid_agent_type"]);
    }
    assert.equal((await send("GET", `/v2/agents/${personal}`)).body.data.configuration, undefined);
    for (const reference of [newId(), "no-uuid", "%00", "a%2Fb", "x".repeat(900)])
      assert.deepEqual(await failure("GET", `/v2/agents/${reference}`), [404, "agent_not_found"], reference);
  });

  test("50 concurrent creations do not exceed the quota", async () => {
    const limited = await service.organization("Limited House");
    await limit(service, limited, { max_agents: 10 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        limited.administrator.send("POST", "/v2/agents", { name: `Agent ${i}`, type: "EXTRACTOR" }),
      ),
    );
    const refused = answers.filter((answer) => answer.status !== 201);
    assert.equal(answers.length - refused.length, 10);
    for (const { status, body } of refused)
      assert.deepEqual([status, body.code, body.detail], [403, "quota_exceeded", { limit: 10, current: 10 }]);
    assert.equal((await limited.administrator.send("GET", "/v2/agents")).body.data.length, 10);
  });

  test("deletion archives the threads, and returns a warning if that fails", async () => {
    const thread = async (agentId: string) => {
      const id = newId();
      await service.db
        .insertInto("threads")
        .values({
          id,
          organization_id: organization.id,
          agent_id: agentId,
          channel: "api",
          title: null,
          created_at: new Date().toISOString(),
          updated_at: new Date().toISOString(),
        })
        .execute();
      return async () =>
        (await service.db.selectFrom("threads").select("archived_at").where("id", "=", id).executeTakeFirstOrThrow())
          .archived_at;
    };
    const first = await create({ name: "Talkative", type: "EXTRACTOR" });
    const archivedAt = await thread(first.reference);
    assert.deepEqual((await send("DELETE", `/v2/agents/${first.reference}`)).body.data.warnings, []);
    assert.match((await archivedAt()) ?? "", /^\d{4}-/);

    const second = await create({ name: "Stuck", type: "EXTRACTOR" });
    await thread(second.reference);
    await using _blocked = await refuseWrites(service.db, dialect, "update", "threads");
    const answer = await send("DELETE", `/v2/agents/${second.reference}`);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.body.data.warnings.map((warning: { code: string }) => warning.code),
      ["threads_not_archived"],
    );
    assert.deepEqual(await failure("GET", `/v2/agents/${second.reference}`), [404, "agent_not_found"]);
  });
});
