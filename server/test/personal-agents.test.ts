/**
 * Personal agents over HTTP, on both databases: their configuration, the corpora they search, and
 * who may use them.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { CitationJson } from "@sheaf/contract/knowledge.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { newId } from "../src/lib/ids.ts";
import { onePage } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { allEventsOf, dataOf } from "./helpers/events.ts";
import { join, type Person, peopleOver } from "./helpers/people.ts";
import type { TestOrganization } from "./helpers/service.ts";

const fileOf = (text: string) => Buffer.from(onePage({ text, x: 72, y: 700 })).toString("base64");
const vault = "The code word of the vault is ZEBRAQUARTZ.";
const tower = "The lamp of the tower was lit by Ada Marlow in 1906.";
const vaultQuery = "What is the code word of the vault?";
const towerQuery = "When was the lamp of the tower lit?";

describeOverDatabases("personal agents", (dialect) => {
  const parts = peopleOver(dialect);
  let vaults: string;
  let towers: string;
  before(async () => {
    vaults = await corpusWith(parts.organization, "vault.pdf", vault);
    towers = await corpusWith(parts.organization, "tower.pdf", tower);
  });
  async function corpusWith(organization: TestOrganization, filename: string, text: string): Promise<string> {
    const corpus = corpusOf(parts.service, organization);
    const agent = await corpus.makeAgent();
    await corpus.accepted(agent, { filename, file: fileOf(text) });
    await corpus.settled(agent);
    return agent;
  }
  const create = (by: Pick<Person, "send">, configuration?: unknown) =>
    by.send("POST", "/v2/agents", {
      name: "My own",
      type: "PERSONAL",
      ...(configuration !== undefined && { configuration }),
    });
  const made = async (by: Pick<Person, "send">, corpora: string[]): Promise<string> => {
    const answer = await create(by, { corpora });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.reference;
  };
  const ask = async (by: Pick<Person, "send">, agent: string, query: string, more: object = {}) => {
    const answer = await by.send("POST", `/v2/knowledge/${agent}`, { query, include: ["citations"], ...more });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as { data: { answer: string; citations: CitationJson[] }; metadata: { thread_id: string } };
  };
  const access = async (agent: string, body: object) =>
    assert.equal((await parts.ada.send("PUT", `/v2/agents/${agent}/access`, body)).status, 200);
  const someone = () => join(parts.service, parts.organization, "member");

  test("the owner of a personal agent can create, read, change and delete it; callers with a token cannot", async () => {
    const created = await create(parts.bob, { instructions: ["Be brief."], corpora: [vaults.toUpperCase()] });
    assert.equal(created.status, 201);
    const { reference, configuration, unavailable_corpora } = created.body.data;
    assert.deepEqual(configuration, { instructions: ["Be brief."], corpora: [vaults] });
    assert.deepEqual(unavailable_corpora, []);
    const path = `/v2/agents/${reference}`;
    const changed = await parts.bob.send("PATCH", path, { configuration: { corpora: [towers, vaults] } });
    assert.deepEqual(changed.body.data.configuration, { instructions: ["Be brief."], corpora: [towers, vaults] });
    assert.deepEqual((await parts.bob.send("GET", path)).body.data, changed.body.data);
    assert.deepEqual((await create(parts.bob)).body.data.configuration, { instructions: [], corpora: [] });

    const api = parts.organization.administrator;
    assert.deepEqual([(await create(api)).status, (await create(api)).body.code], [422, "invalid_agent_type"]);
    const mine = (await parts.bob.send("GET", "/v2/agents")).body.data as { reference: string }[];
    assert.ok(mine.some((agent) => agent.reference === reference));
    for (const other of [parts.ada, api, await someone()]) {
      const listed = (await other.send("GET", "/v2/agents")).body.data as { reference: string }[];
      assert.ok(!listed.some((agent) => agent.reference === reference));
      for (const [method, url, body] of [
        ["GET", path, undefined],
        ["PATCH", path, { name: "Taken" }],
        ["DELETE", path, undefined],
        ["POST", `/v2/knowledge/${reference}`, { query: vaultQuery }],
        ["GET", `${path}/threads`, undefined],
        ["GET", `${path}/documents`, undefined],
      ] as const) {
        const refused = await other.send(method, url, body);
        assert.deepEqual([refused.status, refused.body.code], [404, "agent_not_found"], `${method} ${url}`);
      }
    }
    // If the agent is visible to the organization, the API returns it without its configuration.
    await parts.bob.send("PUT", `${path}/access`, { visibility: "organization" });
    for (const other of [parts.ada, api]) {
      const { data } = (await other.send("GET", path)).body;
      assert.deepEqual([data.name, data.configuration, data.unavailable_corpora], ["My own", undefined, undefined]);
    }
    for (const method of ["PATCH", "DELETE"])
      assert.equal((await api.send(method, path, method === "PATCH" ? {} : undefined)).body.code, "invalid_agent_type");
    assert.equal((await parts.bob.send("DELETE", path)).status, 200);
    assert.equal((await parts.bob.send("GET", path)).status, 404);
  });

  test("an invalid configuration is refused, both at creation and in a change", async () => {
    const agent = await made(parts.bob, [vaults]);
    const stranger = await parts.service.organization(`Strangers ${dialect}`);
    const theirs = await corpusOf(parts.service, stranger).makeAgent();
    const hidden = await corpusOf(parts.service, parts.organization).makeAgent();
    await access(hidden, { visibility: "private" });
    const extractor = (await parts.ada.send("POST", "/v2/agents", { name: "x", type: "EXTRACTOR" })).body.data
      .reference;
    const wrong: [configuration: unknown, path: string][] = [
      [{ corpora: [vaults, theirs] }, "/configuration/corpora/1"],
      [{ corpora: [hidden] }, "/configuration/corpora/0"],
      [{ corpora: [extractor] }, "/configuration/corpora/0"],
      [{ corpora: [agent] }, "/configuration/corpora/0"],
      [{ corpora: [newId()] }, "/configuration/corpora/0"],
      [{ corpora: ["' or 1=1 --"] }, "/configuration/corpora/0"],
      [{ corpora: ["\u0000"] }, "/configuration/corpora/0"],
      [{ corpora: [7] }, "/configuration/corpora/0"],
      [{ corpora: [vaults, vaults.toUpperCase()] }, "/configuration/corpora/1"],
      [{ corpora: Array.from({ length: limits.maxCorpora + 1 }, newId) }, "/configuration/corpora"],
      [{ corpora: vaults }, "/configuration/corpora"],
      [{ instructions: ["a\u0000"] }, "/configuration/instructions/0"],
      [{ instructions: "Be brief." }, "/configuration/instructions"],
      [{ instructions: ["x".repeat(4_001)] }, "/configuration/instructions/0"],
      [{ consignes: [] }, "/configuration/consignes"],
      [{ params: [] }, "/configuration/params"],
      [[], "/configuration"],
    ];
    for (const [configuration, path] of wrong)
      for (const answer of [
        await create(parts.bob, configuration),
        await parts.bob.send("PATCH", `/v2/agents/${agent}`, { configuration }),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [422, "invalid_config"], JSON.stringify(configuration));
        assert.equal(answer.body.detail.issues[0].path, path);
      }
    assert.deepEqual((await parts.bob.send("GET", `/v2/agents/${agent}`)).body.data.configuration.corpora, [vaults]);
  });

  test("a personal agent answers from all its corpora, and each citation names the corpus that it is from", async () => {
    const own = await made(parts.bob, [vaults, towers]);
    for (const [query, line, corpus, word] of [
      [vaultQuery, vault, vaults, "ZEBRAQUARTZ"],
      [towerQuery, tower, towers, "1906"],
    ] as const) {
      const { data } = await ask(parts.bob, own, query);
      assert.ok(data.answer.includes(word), data.answer);
      const [citation] = data.citations;
      assert.deepEqual([citation?.agent_reference, citation?.page], [corpus, 1]);
      assert.ok(citation && line.includes(citation.quote), citation?.quote);
      const documents = (await parts.bob.send("GET", `/v2/agents/${corpus}/documents`)).body.data;
      assert.equal(documents[0].reference, citation.document_reference);
    }
    const response = await fetch(`${parts.service.url}/v2/knowledge/${own}/stream`, {
      method: "POST",
      headers: { cookie: parts.bob.cookie, "content-type": "application/json" },
      body: JSON.stringify({ query: towerQuery, include: ["citations"] }),
    });
    const events = await allEventsOf(response);
    assert.match(dataOf(events, "done").answer, /1906/);
    assert.equal(dataOf(events, "citations").citations[0]?.agent_reference, towers);
    const threads = (await parts.bob.send("GET", `/v2/agents/${own}/threads`)).body.data;
    assert.deepEqual(
      threads.map(({ title }: { title: string }) => title),
      [towerQuery, towerQuery, vaultQuery],
    );
    // If a documentalist is asked directly, the citations name the documentalist itself.
    assert.equal((await ask(parts.bob, vaults, vaultQuery)).data.citations[0]?.agent_reference, vaults);
  });

  test("documents uploaded to a personal agent are searched in addition to its corpora", async () => {
    const own = await made(parts.bob, [towers]);
    const file = fileOf("The password of the cellar is GREENLAMP.");
    const uploaded = await parts.bob.send("POST", `/v2/agents/${own}/documents`, { filename: "cellar.pdf", file });
    assert.equal(uploaded.status, 202);
    await corpusOf(parts.service, parts.organization).idle();
    const { data } = await ask(parts.bob, own, "What is the password of the cellar?");
    assert.deepEqual(
      data.citations.map(({ agent_reference, name }) => [agent_reference, name]),
      [[own, "cellar.pdf"]],
    );
  });

  test("permission is checked for each question: a corpus that was hidden or deleted is not searched", async () => {
    const corpus = await corpusWith(parts.organization, "canary.pdf", "The bird of the mine is YELLOWCANARY.");
    const query = "What is the bird of the mine?";
    const by = await someone();
    const own = await made(by, [corpus, towers]);
    const unavailable = async () => {
      const { configuration, unavailable_corpora } = (await by.send("GET", `/v2/agents/${own}`)).body.data;
      assert.deepEqual(configuration.corpora, [corpus, towers]);
      return unavailable_corpora;
    };
    const first = await ask(by, own, query);
    assert.match(first.data.answer, /YELLOWCANARY/);
    const thread = async () =>
      (await by.send("GET", `/v2/agents/${own}/threads/${first.metadata.thread_id}`)).body.data.turns[0];
    assert.equal((await thread()).citations.length, 1);
    assert.deepEqual(await unavailable(), []);

    const group = await parts.ada.send("POST", "/v2/organization/groups", { name: newId(), member_ids: [by.memberId] });
    await access(corpus, { visibility: "group", group_id: group.body.data.id });
    assert.match((await ask(by, own, query)).data.answer, /YELLOWCANARY/);
    await parts.ada.send("PATCH", `/v2/organization/groups/${group.body.data.id}`, { member_ids: [] });
    const left = await ask(by, own, query);
    assert.doesNotMatch(JSON.stringify(left), /YELLOWCANARY/);
    assert.deepEqual(await unavailable(), [corpus]);
    assert.deepEqual((await thread()).citations, []);
    assert.match((await ask(by, own, towerQuery)).data.answer, /1906/);
    // A configuration may keep a corpus that the owner can no longer see, but such a corpus cannot
    // be added.
    const kept = await by.send("PATCH", `/v2/agents/${own}`, { configuration: { corpora: [corpus, towers] } });
    assert.equal(kept.status, 200);
    assert.equal((await create(by, { corpora: [corpus] })).body.code, "invalid_config");

    await access(corpus, { visibility: "organization" });
    assert.deepEqual(await unavailable(), []);
    assert.match((await ask(by, own, query)).data.answer, /YELLOWCANARY/);
    assert.equal((await parts.ada.send("DELETE", `/v2/agents/${corpus}`)).status, 200);
    assert.deepEqual(await unavailable(), [corpus]);
    assert.doesNotMatch(JSON.stringify(await ask(by, own, query)), /YELLOWCANARY/);
  });

  test("a corpus that hides its sources is used for answers, but never cited", async () => {
    const corpus = await corpusWith(parts.organization, "hidden.pdf", "The colour of the seal is DARKVIOLET.");
    const own = await made(parts.bob, [towers, corpus]);
    const query = "What is the colour of the seal?";
    const shown = await ask(parts.bob, own, query);
    assert.equal(shown.data.citations.length, 1);
    const { status } = await parts.ada.send("PATCH", `/v2/agents/${corpus}`, {
      configuration: { sourceVisibility: false },
    });
    assert.equal(status, 200);
    const hidden = await ask(parts.bob, own, query);
    assert.match(hidden.data.answer, /DARKVIOLET/);
    assert.deepEqual(hidden.data.citations, []);
    const path = `/v2/agents/${own}/threads/${shown.metadata.thread_id}`;
    assert.deepEqual((await parts.bob.send("GET", path)).body.data.turns[0].citations, []);
  });

  test("after a document of a corpus is deleted, threads of personal agents no longer contain answers from it", async () => {
    const corpus = await corpusWith(parts.organization, "secret.pdf", "The name of the ship is SILVERSWAN.");
    const own = await made(parts.bob, [towers, corpus]);
    const query = "What is the name of the ship?";
    const { data, metadata } = await ask(parts.bob, own, query);
    assert.match(data.answer, /SILVERSWAN/);
    const deleted = await made(parts.bob, [corpus]);
    await ask(parts.bob, deleted, query);
    await parts.bob.send("DELETE", `/v2/agents/${deleted}`);
    const document = data.citations[0]?.document_reference;
    const gone = await parts.ada.send("DELETE", `/v2/agents/${corpus}/documents/${document}`);
    assert.equal(gone.status, 200);
    const { turns } = (await parts.bob.send("GET", `/v2/agents/${own}/threads/${metadata.thread_id}`)).body.data;
    assert.deepEqual([turns[0].answer, turns[0].citations], ["", []]);
    assert.doesNotMatch(JSON.stringify(await ask(parts.bob, own, query)), /SILVERSWAN/);
    const messages = await parts.service.db.selectFrom("messages").select("content").execute();
    assert.doesNotMatch(JSON.stringify(messages), /SILVERSWAN/);
  });

  test("a shared personal agent searches only the corpora that the asking member may see", async () => {
    const corpus = await corpusWith(parts.organization, "few.pdf", "The key of the garden is REDWILLOW.");
    const by = await someone();
    const group = await parts.ada.send("POST", "/v2/organization/groups", { name: newId(), member_ids: [by.memberId] });
    await access(corpus, { visibility: "group", group_id: group.body.data.id });
    const own = await made(by, [corpus]);
    await by.send("PUT", `/v2/agents/${own}/access`, { visibility: "organization" });
    const query = "What is the key of the garden?";
    assert.match((await ask(by, own, query)).data.answer, /REDWILLOW/);
    assert.doesNotMatch(JSON.stringify(await ask(parts.bob, own, query)), /REDWILLOW/);
  });

  test("an agent that an earlier version configured keeps its instructions", async () => {
    const own = await made(parts.bob, []);
    const configuration = JSON.stringify({
      consignes: ["Be brief.", { content: "In French." }],
      sourceVisibility: true,
    });
    await parts.service.db.updateTable("agents").set({ configuration }).where("id", "=", own).execute();
    const path = `/v2/agents/${own}`;
    const before = (await parts.bob.send("GET", path)).body.data.configuration;
    assert.deepEqual(before, { instructions: ["Be brief.", "In French."], corpora: [] });
    assert.equal((await parts.bob.send("POST", `/v2/knowledge/${own}`, { query: towerQuery })).status, 200);
    const after = await parts.bob.send("PATCH", path, { configuration: { corpora: [towers] } });
    assert.deepEqual(after.body.data.configuration, { ...before, corpora: [towers] });
  });
});
