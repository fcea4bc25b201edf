/** The endpoints for versions of agent configurations over HTTP, on both databases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "@sheaf/contract/limits.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { peopleOver } from "./helpers/people.ts";

const field = (name: string, description = `The ${name}`, format = "text") => ({
  name,
  format,
  description,
  items: [],
});
const lines = (...items: object[]) => ({ name: "lines", format: "list", description: "The lines", items });

describeOverDatabases("versions of agents", (dialect) => {
  const at = peopleOver(dialect);

  const make = async (configuration: object = { params: [field("number")] }, type = "EXTRACTOR"): Promise<string> => {
    const made = await at.ada.send("POST", "/v2/agents", { name: "Invoices", type, configuration });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data.reference;
  };
  const set = async (agent: string, configuration: object) => {
    const changed = await at.ada.send("PATCH", `/v2/agents/${agent}`, { configuration });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
  };
  const versions = async (agent: string): Promise<{ number: number; name: string | null; is_current: boolean }[]> =>
    (await at.ada.send("GET", `/v2/agents/${agent}/versions`)).body.data;
  const of = async (agent: string, rest: string) =>
    (await at.ada.send("GET", `/v2/agents/${agent}/versions/${rest}`)).body;

  test("each change of the configuration creates a version with number, time and user", async () => {
    const agent = await make();
    await set(agent, { params: [field("number", "The number at the top")] });
    await set(agent, { params: [field("number", "The number at the top")] });
    assert.equal((await at.ada.send("PATCH", `/v2/agents/${agent}`, { name: "Bills" })).status, 200);
    const listed = await versions(agent);
    assert.deepEqual(
      listed.map(({ number, name, is_current }) => [number, name, is_current]),
      [
        [1, null, false],
        [2, null, true],
      ],
    );
    const { data: first } = await of(agent, "1");
    assert.deepEqual(first.configuration, { params: [field("number")] });
    const user = await at.service.db
      .selectFrom("members")
      .select("user_id")
      .where("id", "=", at.ada.memberId)
      .executeTakeFirstOrThrow();
    assert.deepEqual([first.created_by, first.restored_from], [user.user_id, null]);
    const { body } = await at.ada.send("GET", `/v2/agents/${agent}/versions?limit=1`);
    assert.deepEqual([body.data.length, typeof body.metadata.next_cursor], [1, "string"]);
    const next = await at.ada.send("GET", `/v2/agents/${agent}/versions?limit=1&cursor=${body.metadata.next_cursor}`);
    assert.deepEqual([next.body.data[0].number, next.body.metadata.next_cursor], [2, null]);
  });

  test("two versions are compared field by field", async () => {
    const agent = await make({ params: [field("number"), lines(field("label"), field("amount")), field("gone")] });
    await set(agent, {
      params: [lines(field("amount", "The net amount", "number"), field("label")), field("number"), field("a/b")],
      engine: "builtin",
    });
    await set(agent, { params: [field("number")] });
    const { data: changes } = await of(agent, "2/changes");
    assert.deepEqual([changes.from, changes.to, changes.reordered], [1, 2, true]);
    assert.deepEqual(
      changes.fields.map(({ path, change }: { path: string; change: string }) => `${change} ${path}`),
      ["changed /lines/amount", "added /a~1b", "removed /gone"],
    );
    assert.deepEqual(changes.fields[0].before, { format: "text", description: "The amount" });
    assert.deepEqual(changes.fields[0].after, { format: "number", description: "The net amount" });
    assert.deepEqual(changes.settings, [{ name: "engine", before: null, after: "builtin" }]);
    const { data: since } = await of(agent, "3/changes?from=1");
    assert.deepEqual([since.from, since.to, since.reordered, since.settings], [1, 3, false, changes.settings]);
    assert.equal((await of(agent, "1/changes")).data.from, null);
    for (const bad of ["0", "x", "-1"])
      assert.equal((await of(agent, `1/changes?from=${bad}`)).code, "invalid_request");
    for (const unknown of ["9", "0", "1e0", "%2B1"]) assert.equal((await of(agent, unknown)).code, "not_found");
  });

  test("a version is restored as a new version", async () => {
    const agent = await make({ params: [field("number")], engine: "builtin" });
    await set(agent, { params: [field("total")], engine: null });
    const key = { "idempotency-key": newId() };
    const restore = () => at.ada.send("POST", `/v2/agents/${agent}/versions/1/restore`, undefined, key);
    const { body } = await restore();
    assert.deepEqual([body.data.number, body.data.restored_from, body.data.is_current], [3, 1, true]);
    assert.deepEqual((await restore()).body, body);
    const { data } = (await at.ada.send("GET", `/v2/agents/${agent}`)).body;
    assert.deepEqual(data.configuration, { params: [field("number")], engine: "builtin" });
    const again = await at.ada.send("POST", `/v2/agents/${agent}/versions/3/restore`);
    assert.deepEqual([again.status, again.body.data.number, (await versions(agent)).length], [200, 3, 3]);
    const audited = await at.service.db
      .selectFrom("audit_entries")
      .select(["action", "detail"])
      .where("target", "=", agent)
      .where("action", "=", "agent.version_restored")
      .execute();
    assert.deepEqual(
      audited.map(({ detail }) => JSON.parse(detail)),
      [{ version: 1 }],
    );
  });

  test("beyond the limit, the oldest versions without a name are removed first, then the oldest with a name", async () => {
    const agent = await make();
    const named = await at.ada.send("PATCH", `/v2/agents/${agent}/versions/1`, { name: "as delivered" });
    assert.deepEqual([named.status, named.body.data.name], [200, "as delivered"]);
    const { number: _, ...row } = await at.service.db
      .selectFrom("agent_versions")
      .selectAll()
      .where("agent_id", "=", agent)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: limits.maxAgentVersions - 1 }, (_, index) => ({
      ...row,
      id: newId(),
      name: null,
      number: index + 2,
    }));
    await at.service.db.insertInto("agent_versions").values(more).execute();
    await set(agent, { params: [field("total")] });
    await set(agent, { params: [field("date")] });
    const left = await versions(agent);
    assert.equal(left.length, limits.maxAgentVersions);
    const numbers = left.map(({ number }) => number).sort((a, b) => a - b);
    assert.deepEqual(numbers.slice(0, 2), [1, 4]);
    assert.equal(numbers.at(-1), limits.maxAgentVersions + 2);
    await at.service.db.updateTable("agent_versions").set({ name: "kept" }).where("agent_id", "=", agent).execute();
    await set(agent, { params: [field("place")] });
    assert.ok(!(await versions(agent)).some(({ number }) => number === 1));
    const unnamed = await at.ada.send("PATCH", `/v2/agents/${agent}/versions/4`, { name: null });
    assert.equal(unnamed.body.data.name, null);
  });

  test("members can read versions and administrators can change them; for a personal agent, only its owner can do either", async () => {
    const agent = await make();
    assert.equal((await at.bob.send("GET", `/v2/agents/${agent}/versions/1`)).status, 200);
    for (const answer of [
      await at.bob.send("PATCH", `/v2/agents/${agent}/versions/1`, { name: "mine" }),
      await at.bob.send("POST", `/v2/agents/${agent}/versions/1/restore`),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, "forbidden"]);
    const made = await at.bob.send("POST", "/v2/agents", { name: "Mine", type: "PERSONAL" });
    const own = made.body.data.reference;
    await at.bob.send("PATCH", `/v2/agents/${own}`, { configuration: { instructions: ["Be brief."] } });
    const { body } = await at.bob.send("POST", `/v2/agents/${own}/versions/1/restore`);
    assert.deepEqual([body.data.number, body.data.configuration.instructions], [3, []]);
    for (const path of ["", "/1", "/1/changes"])
      assert.equal((await at.ada.send("GET", `/v2/agents/${own}/versions${path}`)).body.code, "agent_not_found");
    await at.bob.send("PUT", `/v2/agents/${own}/access`, { visibility: "organization" });
    assert.equal((await at.ada.send("GET", `/v2/agents/${own}/versions`)).body.code, "invalid_agent_type");
    assert.equal((await at.ada.send("DELETE", `/v2/agents/${agent}`)).status, 200);
    const rows = at.service.db.selectFrom("agent_versions").select("id").where("agent_id", "=", agent);
    assert.deepEqual(await rows.execute(), []);
  });
});
