/** Threads over HTTP, on both databases: lists, turns, titles, archiving and visibility. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ThreadDetailJson, ThreadJson } from "@sheaf/contract/threads.ts";
import { newId } from "../src/lib/ids.ts";
import { onePage } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { allEventsOf, dataOf } from "./helpers/events.ts";
import { type Browser, join, peopleOver } from "./helpers/people.ts";
import type { TestClient } from "./helpers/service.ts";

const line = "The code word of the vault is ZEBRAQUARTZ.";
const query = "What is the code word of the vault?";
type Sender = Pick<Browser | TestClient, "send">;

describeOverDatabases("threads", (dialect) => {
  const parts = peopleOver(dialect);
  let agent: string;
  let document: string;
  before(async () => {
    const corpus = corpusOf(parts.service, parts.organization);
    agent = await corpus.makeAgent();
    const file = Buffer.from(onePage({ text: line, x: 72, y: 700 })).toString("base64");
    document = await corpus.accepted(agent, { filename: "vault.pdf", file });
    await corpus.settled(agent);
  });
  const threadsOf = (of = agent) => `/v2/agents/${of}/threads`;
  const ask = async (by: Sender, body: object = {}, to = agent): Promise<string> => {
    const answer = await by.send("POST", `/v2/knowledge/${to}`, { query, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.metadata.thread_id;
  };
  const list = async (by: Sender, search = "", of = agent): Promise<ThreadJson[]> => {
    const answer = await by.send("GET", `${threadsOf(of)}${search}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const idsOf = async (...listed: Parameters<typeof list>) => (await list(...listed)).map(({ thread_id }) => thread_id);
  const get = async (by: Sender, thread: string): Promise<ThreadDetailJson> =>
    (await by.send("GET", `${threadsOf()}/${thread}`)).body.data;
  const change = (by: Sender, thread: string, body: unknown, of = agent) =>
    by.send("PATCH", `${threadsOf(of)}/${thread}`, body);
  const someone = () => join(parts.service, parts.organization, "member");

  test("threads are listed in the order of their last use, in pages", async () => {
    const by = await someone();
    const made: string[] = [];
    for (let number = 0; number < 5; number++) made.unshift(await ask(by, { query: `Question ${number}?` }));
    assert.deepEqual(await idsOf(by), made);
    const [last, ...others] = [...made].reverse() as [string, ...string[]];
    assert.equal(await ask(by, { query: "And now?", thread_id: last }), last);
    const ordered = [last, ...others.reverse()];
    assert.deepEqual(await idsOf(by), ordered);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const search: string = `?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await by.send("GET", threadsOf() + search);
      paged.push(...body.data.map((thread: ThreadJson) => thread.thread_id));
      cursor = body.metadata.next_cursor;
    }
    assert.deepEqual(paged, ordered);
    assert.equal((await list(by))[0]?.title, "Question 0?");
  });

  test("a thread has its questions and answers, with citations found verbatim on the page, until the document is deleted", async () => {
    const by = await someone();
    const historic = [
      { role: "user", content: "Hello?" },
      { role: "assistant", content: "Good day." },
      { role: "user", content: "Are you there?" },
    ];
    await by.send("POST", `/v2/knowledge/${agent}`, { query, historic });
    const [listed] = await list(by);
    const { turns, ...thread } = await get(by, listed?.thread_id ?? "");
    assert.deepEqual(thread, listed);
    assert.equal(thread.title, "Hello?");
    assert.deepEqual(
      turns.map(({ query, answer }) => [query, answer]),
      [
        ["Hello?", "Good day."],
        ["Are you there?", null],
        [query, "ZEBRAQUARTZ"],
      ],
    );
    const [citation, ...more] = turns[2]?.citations ?? [];
    assert.deepEqual(more, []);
    assert.deepEqual([citation?.document_reference, citation?.page], [document, 1]);
    assert.ok(citation && citation.boxes.length > 0 && line.endsWith(citation.quote));
    assert.deepEqual(citation.ranges, [{ start: 0, end: "ZEBRAQUARTZ".length }]);

    const hide = (sourceVisibility: boolean) =>
      parts.ada.send("PATCH", `/v2/agents/${agent}`, { configuration: { sourceVisibility } });
    await hide(false);
    assert.deepEqual((await get(by, thread.thread_id)).turns[2]?.citations, []);
    await hide(true);

    const file = Buffer.from(onePage({ text: "The lamp of the tower is GREENLAMP.", x: 72, y: 700 })).toString(
      "base64",
    );
    const corpus = corpusOf(parts.service, parts.organization);
    const lamp = await corpus.accepted(agent, { filename: "lamp.pdf", file });
    await corpus.settled(agent);
    const about = await ask(by, { query: "What is the lamp of the tower?" });
    assert.match((await get(by, about)).turns[0]?.answer ?? "", /GREENLAMP/);
    assert.equal((await parts.ada.send("DELETE", `/v2/agents/${agent}/documents/${lamp}`)).status, 200);
    const [cleared] = (await get(by, about)).turns;
    assert.deepEqual([cleared?.answer, cleared?.citations], ["", []]);
  });

  test("a thread can be renamed, archived and unarchived", async () => {
    const by = await someone();
    const [first, second] = [await ask(by), await ask(by)];
    const before = await get(by, first);
    const renamed = await change(by, first, { title: "Vault" });
    assert.equal(renamed.status, 200);
    assert.deepEqual(renamed.body.data, { ...(await list(by))[1], title: "Vault" });
    assert.equal(renamed.body.data.updated_at, before.updated_at);
    const { archived_at } = (await change(by, first, { archived: true })).body.data;
    assert.ok(archived_at);
    assert.equal((await change(by, first, { archived: true })).body.data.archived_at, archived_at);
    assert.deepEqual([await idsOf(by), await idsOf(by, "?archived=true")], [[second], [first]]);
    assert.deepEqual(await idsOf(by, "?archived=false"), [second]);
    assert.deepEqual([(await get(by, first)).title, (await get(by, first)).turns.length], ["Vault", 1]);
    const refused = await by.send("POST", `/v2/knowledge/${agent}`, { query, thread_id: first });
    assert.deepEqual([refused.status, refused.body.code], [404, "thread_not_found"]);
    assert.equal((await change(by, first, { archived: false })).body.data.archived_at, null);
    await ask(by, { thread_id: first });
    assert.deepEqual(await idsOf(by), [first, second]);
    assert.equal((await get(by, first)).title, "Vault");
    assert.equal((await change(by, first, {})).body.data.title, "Vault");
    assert.equal((await change(by, first, { title: null, archived: null })).body.data.title, "Vault");
  });

  test("the title of a thread is the beginning of its first question, on one line", async () => {
    const by = await someone();
    const titled = async (query: string) => (await get(by, await ask(by, { query }))).title;
    assert.equal(await titled("  What \n is\u202e\tthis\u0007? "), "What is this ?");
    assert.equal(await titled(" \u0001 "), "…");
    const long = await titled(`Which ${"long words ".repeat(20)}?`);
    assert.match(long, /^Which (long words )*long( words)?…$/);
    assert.ok(long.length <= 80, long);
    assert.equal([...(await titled("😀".repeat(100)))].length, 80);
  });

  test("titles that are too long or cannot be stored are refused, and all others are returned unchanged", async () => {
    const by = await someone();
    const thread = await ask(by);
    for (const title of ["", "x".repeat(201), "a\u0000b", "\ud800", 7, {}, []])
      assert.equal((await change(by, thread, { title })).body.code, "invalid_request", JSON.stringify(title));
    for (const body of [{ archived: "yes" }, { archived: 1 }, [], "x"])
      assert.equal((await change(by, thread, body)).status, 422, JSON.stringify(body));
    for (const title of ["😀".repeat(200), "<script>alert(1)</script>", "'; drop table threads; --", "a\nb\u202e"]) {
      assert.equal((await change(by, thread, { title })).body.data.title, title);
      assert.equal((await list(by))[0]?.title, title);
    }
    for (const search of ["?archived=yes", "?archived=true&archived=false", "?limit=0", "?cursor=x"])
      assert.equal((await by.send("GET", threadsOf() + search)).body.code, "invalid_request", search);
  });

  test("only the user who asked sees a thread: no other member, administrator, token or organization does", async () => {
    const public_ = (await parts.ada.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" })).status;
    assert.equal(public_, 200);
    const by = await someone();
    const stranger = await parts.service.organization(`Strangers ${dialect}`);
    const api = parts.organization.administrator;
    const anybody = parts.service.client("");
    const asked = await anybody.send("POST", `/v2/public/${agent}`, { query });
    const publicThread = asked.body.metadata.thread_id;
    const own = new Map<Sender, string>();
    for (const each of [by, parts.ada, parts.bob, api]) own.set(each, await ask(each));
    for (const [viewer, mine] of own) {
      const seen = await idsOf(viewer);
      assert.ok(seen.includes(mine));
      for (const thread of [...own.values(), publicThread]) {
        if (thread === mine) continue;
        assert.ok(!seen.includes(thread));
        for (const answer of [
          await viewer.send("GET", `${threadsOf()}/${thread}`),
          await change(viewer, thread, { title: "Mine", archived: true }),
        ])
          assert.deepEqual([answer.status, answer.body.code], [404, "thread_not_found"]);
      }
    }
    for (const thread of own.values())
      for (const answer of [
        await stranger.administrator.send("GET", threadsOf()),
        await stranger.administrator.send("GET", `${threadsOf()}/${thread}`),
        await change(stranger.administrator, thread, { title: "Mine" }),
      ])
        assert.deepEqual([answer.status, answer.body.code], [404, "agent_not_found"]);
    const titles = await parts.service.db.selectFrom("threads").select("title").execute();
    assert.ok(!titles.some(({ title }) => title === "Mine"));
    await parts.ada.send("PUT", `/v2/agents/${agent}/access`, { visibility: "organization" });
  });

  test("a thread belongs to one agent; agents without a corpus have no threads", async () => {
    const thread = await ask(parts.ada);
    const other = await corpusOf(parts.service, parts.organization).makeAgent();
    assert.deepEqual(await list(parts.ada, "", other), []);
    for (const id of [thread, newId(), "nothing"])
      assert.equal((await change(parts.ada, id, { title: "x" }, other)).body.code, "thread_not_found");
    const extractor = (await parts.ada.send("POST", "/v2/agents", { name: "x", type: "EXTRACTOR" })).body.data
      .reference;
    assert.equal((await parts.ada.send("GET", threadsOf(extractor))).body.code, "invalid_agent_type");
    assert.equal((await parts.ada.send("GET", threadsOf(newId()))).body.code, "agent_not_found");
  });

  test("a thread is listed as soon as it has a question, even if the answer is streamed", async () => {
    const by = await someone();
    const post = (path: string, body: object) =>
      fetch(parts.service.url + path, {
        method: "POST",
        headers: { cookie: by.cookie, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const events = await allEventsOf(await post(`/v2/knowledge/${agent}/stream`, { query }));
    const { thread_id } = dataOf(events, "thread");
    assert.deepEqual((await get(by, thread_id)).turns[0]?.answer, dataOf(events, "done").answer);
    const plain = await post(`/v2/documentalist/${agent}`, { query });
    assert.match(await plain.text(), /ZEBRAQUARTZ/);
    const old = plain.headers.get("x-thread-id") ?? "";
    assert.deepEqual(
      (await list(by)).map((thread) => [thread.thread_id, thread.title]),
      [
        [old, query],
        [thread_id, query],
      ],
    );
    // The deprecated stream creates a thread before it has an answer. If the answer then fails, the
    // thread has no title.
    await parts.service.db.updateTable("threads").set({ title: null }).where("id", "=", old).execute();
    assert.deepEqual(await idsOf(by), [thread_id]);
    await ask(by, { query: "Again?", thread_id: old });
    assert.equal((await list(by))[0]?.title, "Again?");
  });
});
