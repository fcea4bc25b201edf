/** Visibility of agents, threads and operations, over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, join, peopleOver } from "./helpers/people.ts";

describeOverDatabases("visibility", (dialect) => {
  const parts = peopleOver(dialect);

  test("visibility of an agent in lists, by reference and in questions", async () => {
    const inGroup = await join(parts.service, parts.organization, "member");
    const group = await parts.ada.send("POST", "/v2/organization/groups", {
      name: "Few",
      member_ids: [inGroup.memberId],
    });
    const api = parts.organization.administrator;
    const agent = (await parts.ada.send("POST", "/v2/agents", { name: "Shown", type: "DOCUMENTALIST" })).body.data
      .reference;
    const sees = async (by: Pick<Browser, "send">) => {
      const list = (await by.send("GET", "/v2/agents")).body.data as { reference: string }[];
      const one = (await by.send("GET", `/v2/agents/${agent}`)).status;
      const asked = (await by.send("POST", `/v2/knowledge/${agent}`, { query: "What?" })).status;
      assert.equal(
        list.some(({ reference }) => reference === agent),
        one === 200,
      );
      return [one, asked];
    };
    const asked = async () =>
      (await parts.service.client("").send("POST", `/v2/public/${agent}`, { query: "What?" })).status;
    const set = async (access: object) => (await parts.ada.send("PUT", `/v2/agents/${agent}/access`, access)).status;
    const table = async () => [
      await sees(api),
      await sees(parts.ada),
      await sees(parts.bob),
      await sees(inGroup),
      await asked(),
    ];
    const [yes, no] = [
      [200, 200],
      [404, 404],
    ];
    assert.deepEqual(await table(), [yes, yes, yes, yes, 404]);
    assert.equal(await set({ visibility: "public" }), 200);
    assert.deepEqual(await table(), [yes, yes, yes, yes, 200]);
    assert.equal(await set({ visibility: "group", group_id: group.body.data.id }), 200);
    // Through the API, an agent that is visible to a group is listed, but cannot be asked.
    assert.deepEqual(await table(), [[200, 404], yes, no, yes, 404]);
    assert.equal(await set({ visibility: "private" }), 200);
    assert.deepEqual(await table(), [no, yes, no, no, 404]);
    assert.equal((await parts.bob.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" })).status, 404);
    assert.equal((await parts.ada.send("GET", `/v2/agents/${agent}/access`)).body.data.visibility, "private");

    assert.equal(await set({ visibility: "organization" }), 200);
    assert.equal((await parts.bob.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" })).status, 403);
    for (const refused of [{ visibility: "group" }, { visibility: "public", group_id: group.body.data.id }])
      assert.equal(await set(refused), 422);
    assert.equal(await set({ visibility: "group", group_id: newId() }), 404);
    for (const [method, path, body] of [
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/documents", { filename: "a.pdf", file: "AAAA" }],
      ["DELETE", `/documents/${newId()}`, undefined],
    ] as const)
      assert.equal((await parts.bob.send(method, `/v2/agents/${agent}${path}`, body)).status, 403, method + path);
    assert.equal((await parts.bob.send("GET", `/v2/agents/${agent}/documents`)).status, 200);
    assert.equal((await parts.bob.send("POST", "/v2/agents", { name: "No", type: "EXTRACTOR" })).status, 403);
    await parts.ada.send("DELETE", `/v2/agents/${agent}`);
  });

  test("only the owner can use a personal agent, and only in the web application; uploads there emit no event", async () => {
    const made = await parts.bob.send("POST", "/v2/agents", { name: "Bob's own", type: "PERSONAL" });
    assert.deepEqual([made.status, made.body.data.type], [201, "PERSONAL"]);
    const path = `/v2/agents/${made.body.data.reference}`;
    for (const other of [parts.ada, parts.organization.administrator]) {
      assert.equal((await other.send("GET", path)).status, 404);
      assert.equal((await other.send("DELETE", path)).status, 404);
    }
    const uploaded = await parts.bob.send("POST", `${path}/documents`, { filename: "a.pdf", file: "AAAA" });
    assert.equal(uploaded.status, 202);
    const row = await parts.service.db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
    assert.equal(row.channel, "app");
    const asked = await parts.bob.send("POST", `/v2/knowledge/${made.body.data.reference}`, { query: "What?" });
    assert.equal(asked.status, 200);
    assert.equal((await parts.bob.send("PATCH", path, { name: "Renamed" })).body.data.name, "Renamed");
    // An agent visible to the organization can be read through the API, but only its owner can
    // change it.
    assert.equal((await parts.bob.send("PUT", `${path}/access`, { visibility: "organization" })).status, 200);
    const api = parts.organization.administrator;
    assert.equal((await api.send("GET", path)).body.data.type, "PERSONAL");
    assert.equal((await api.send("PATCH", path, { name: "Taken" })).body.code, "invalid_agent_type");
    assert.equal((await parts.ada.send("DELETE", path)).status, 403);
    assert.equal(
      (await api.send("POST", "/v2/agents", { name: "P", type: "PERSONAL" })).body.code,
      "invalid_agent_type",
    );
    assert.equal((await parts.bob.send("DELETE", path)).status, 200);
  });

  test("threads and operations are visible only to their user, and usage is counted by channel", async () => {
    const agent = (await parts.ada.send("POST", "/v2/agents", { name: "Shared", type: "DOCUMENTALIST" })).body.data
      .reference;
    await parts.ada.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" });
    const api = parts.organization.administrator;
    const anybody = parts.service.client("");
    const ask = (by: Pick<Browser, "send">, thread_id?: string) =>
      by.send("POST", `/v2/${by === anybody ? "public" : "knowledge"}/${agent}`, {
        query: "What?",
        ...(thread_id && { thread_id }),
      });
    const askers = [api, parts.ada, parts.bob, anybody];
    for (const [first, asker] of askers.entries()) {
      const { thread_id } = (await ask(asker)).body.metadata;
      for (const [second, other] of askers.entries())
        assert.equal((await ask(other, thread_id)).status, first === second ? 200 : 404, `${first} ${second}`);
    }
    const channels = await parts.service.db
      .selectFrom("threads")
      .select("channel")
      .where("organization_id", "=", parts.organization.id)
      .distinct()
      .execute();
    assert.deepEqual(channels.map(({ channel }) => channel).sort(), ["api", "app", "public"]);
    const file = { filename: "a.pdf", file: "AAAA" };
    const { classification_id } = (await parts.bob.send("POST", "/v2/classification/async", file)).body;
    const found = async (by: Pick<Browser, "send">) =>
      (await by.send("GET", `/v2/classification/async/${classification_id}`)).status;
    assert.deepEqual([await found(parts.bob), await found(parts.ada), await found(api)], [200, 404, 404]);
  });

  test("changes of visibility are in the audit log", async () => {
    const rows = await parts.service.db
      .selectFrom("audit_entries")
      .select(["action", "address", "user_id"])
      .where("organization_id", "=", parts.organization.id)
      .where("action", "=", "agent.access_changed")
      .execute();
    assert.ok(rows.length > 0);
    for (const { address, user_id } of rows) assert.ok(address === "127.0.0.1" && user_id);
  });
});
