/**
 * Questions over HTTP, on both databases: answers with citations, threads and the stream. Also
 * searches for a canary, a made-up word that other organizations must never find.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

/** Returns a PDF with one page for each list of lines. */
const pdfOf = (...pages: string[][]): string =>
  Buffer.from(
    makePdf({
      pages: pages.map((lines) => ({ marks: lines.map((text, row) => ({ text, x: 72, y: 760 - 20 * row })) })),
    }),
  ).toString("base64");

const contract = pdfOf(
  ["Service agreement", "This agreement was signed by Ada Marlow on 3 March 2019."],
  [
    "Termination",
    "The notice period of this agreement is three months to the end of a quarter.",
    "The provider may terminate the agreement at once for good cause.",
  ],
);
const report = pdfOf([
  "Annual report",
  "In 2018 the harbour of Velden handled 412,000 containers.",
  "In 2019 the harbour of Velden handled 455,300 containers.",
]);

interface CitationJson {
  document_reference: string;
  name: string;
  path: string;
  page: number;
  quote: string;
  boxes: number[][];
}

describeOverDatabases("knowledge", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let agent: string;
  let contractReference: string;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Reading Room");
    agent = await makeAgent(organization);
    contractReference = await upload(organization, agent, { filename: "agreement.pdf", file: contract, path: "legal" });
    await upload(organization, agent, { filename: "report.pdf", file: report });
    await settled(organization, agent);
  });
  after(() => service[Symbol.asyncDispose]());

  const makeAgent = (who: TestOrganization, configuration?: object) =>
    corpusOf(service, who).makeAgent("DOCUMENTALIST", configuration);
  const upload = (who: TestOrganization, to: string, body: object) => corpusOf(service, who).accepted(to, body);
  const settled = async (who: TestOrganization, of: string): Promise<void> => {
    for (const { status } of await corpusOf(service, who).settled(of)) assert.equal(status, "ready");
  };
  const ask = (body: object, to = agent, who = organization) =>
    who.administrator.send("POST", `/v2/knowledge/${to}`, { include: ["citations"], ...body });
  const stream = (body: object, to = agent) =>
    fetch(`${service.url}/v2/documentalist/${to}`, {
      method: "POST",
      headers: { "x-api-key": organization.administrator.token, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test("an answer contains its quote, and the citation names the page", async () => {
    const { status, body } = await ask({ query: "What is the notice period?" });
    assert.equal(status, 200);
    assert.match(body.data.answer, /three months to the end of a quarter/);
    const [citation] = body.data.citations as CitationJson[];
    assert.equal(citation?.document_reference, contractReference);
    assert.deepEqual([citation?.name, citation?.path, citation?.page], ["agreement.pdf", "legal", 2]);
    assert.ok(body.data.answer.includes(citation?.quote));
    assert.ok(citation && citation.boxes.length > 0 && citation.boxes.every((box) => box.length === 4));
    assert.equal(body.metadata.thread_id.length, 36);
  });

  test("citations are returned only on request, and not for an agent that hides its sources", async () => {
    const { body } = await ask({ query: "What is the notice period?", include: undefined });
    assert.deepEqual(Object.keys(body.data), ["answer"]);
    const hiding = await makeAgent(organization, { sourceVisibility: false });
    await upload(organization, hiding, { filename: "agreement.pdf", file: contract });
    await settled(organization, hiding);
    const hidden = await ask({ query: "What is the notice period?" }, hiding);
    assert.match(hidden.body.data.answer, /three months/);
    assert.deepEqual(Object.keys(hidden.body.data), ["answer"]);
  });

  test("questions that the corpus does not answer get no answer", async () => {
    const { status, body } = await ask({ query: "Who won the football world cup in Brazil?" });
    assert.equal(status, 200);
    assert.deepEqual(body.data.citations, []);
    assert.doesNotMatch(body.data.answer, /\d/);
    const empty = await ask({ query: "What is the notice period?" }, await makeAgent(organization));
    assert.deepEqual(empty.body.data.citations, []);
  });

  test("a follow-up question is understood from its thread, or from the history that the request contains", async () => {
    const first = await ask({ query: "How many containers did the harbour of Velden handle in 2018?" });
    assert.match(first.body.data.answer, /412,000/);
    const { thread_id } = first.body.metadata;
    const second = await ask({ query: "And in 2019?", thread_id });
    assert.match(second.body.data.answer, /455,300/);
    assert.equal(second.body.metadata.thread_id, thread_id);
    const historic = [
      { role: "user", content: "How many containers did the harbour of Velden handle in 2018?" },
      { role: "assistant", content: "In 2018 the harbour of Velden handled 412,000 containers." },
    ];
    const third = await ask({ query: "And in 2019?", historic });
    assert.match(third.body.data.answer, /455,300/);
    const messages = await service.db
      .selectFrom("messages")
      .select(["role", "content"])
      .where("thread_id", "=", third.body.metadata.thread_id)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user", "assistant"],
    );
    assert.equal(JSON.parse(messages[2]?.content ?? "").query, "And in 2019?");
  });

  test("agents and threads that do not exist or belong to others are 404", async () => {
    const other = await service.organization(`Other ${dialect}`);
    const otherAgent = await makeAgent(other);
    const mine = await ask({ query: "What is the notice period?" });
    const extractor = await organization.administrator.send("POST", "/v2/agents", { name: "x", type: "EXTRACTOR" });
    const closed = await makeAgent(organization);
    const thread = { query: "What?", thread_id: mine.body.metadata.thread_id };
    const cases: [string, Promise<{ status: number; body: { code: string } }>][] = [
      ["agent_not_found", ask({ query: "What?" }, "nothing")],
      ["agent_not_found", ask({ query: "What?" }, otherAgent)],
      ["agent_not_found", ask({ query: "What?" }, agent, other)],
      ["agent_not_found", ask({ query: "What?" }, extractor.body.data.reference)],
      ["thread_not_found", ask(thread, closed)],
      ["thread_not_found", ask({ query: "What?", thread_id: "01a1fc58-e004-7135-9ba7-32d1b9761eb7" })],
    ];
    for (const [code, answer] of cases) {
      const { status, body } = await answer;
      assert.deepEqual([status, body.code], [404, code]);
    }
    await service.db.updateTable("agents").set({ visibility: "group" }).where("id", "=", closed).execute();
    assert.equal((await ask({ query: "What?" }, closed)).body.code, "agent_not_found");
    for (const body of [
      {},
      { query: "" },
      { query: "x".repeat(8001) },
      { query: "x", thread_id: "1" },
      { ...thread, historic: [] },
    ])
      assert.deepEqual((await ask(body)).body.code, "invalid_request");
  });

  test("the deprecated stream sends text, announces the date of its removal in headers, and records the thread", async () => {
    const answer = await stream({ query: "How many containers did the harbour of Velden handle in 2018?" });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("deprecation"), "@1780272000");
    assert.equal(answer.headers.get("sunset"), "Mon, 30 Nov 2026 23:59:59 GMT");
    assert.equal(answer.headers.get("link"), `</v2/knowledge/${agent}>; rel="successor-version"`);
    const thread_id = answer.headers.get("x-thread-id");
    assert.match(await answer.text(), /412,000/);
    const next = await stream({ query: "And in 2019?", thread_id });
    assert.equal(next.headers.get("x-thread-id"), thread_id);
    assert.match(await next.text(), /455,300/);
    const missing = await stream({ query: "What?" }, "nothing");
    assert.deepEqual([missing.status, await missing.text()], [404, "agent_not_found"]);
    assert.equal(missing.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(missing.headers.get("deprecation"), "@1780272000");
    assert.equal(missing.headers.get("sunset"), "Mon, 30 Nov 2026 23:59:59 GMT");
    assert.equal(missing.headers.get("link"), '</v2/knowledge/nothing>; rel="successor-version"');
    const noThread = await stream({ query: "What?", thread_id: "01a1fc58-e004-7135-9ba7-32d1b9761eb7" });
    assert.deepEqual([noThread.status, await noThread.text()], [404, "thread_not_found"]);
    assert.equal((await stream({ query: 1 })).status, 422);
  });

  test("only the organization that uploaded a canary finds it, and nobody does after its deletion", async () => {
    const other = await service.organization(`Stranger ${dialect}`);
    const otherAgent = await makeAgent(other);
    const query = "What is the code word of the vault?";
    const canary = pdfOf(["The code word of the vault is ZEBRAQUARTZ."]);
    const reference = await upload(organization, agent, { filename: "canary.pdf", file: canary });
    await upload(other, otherAgent, { filename: "report.pdf", file: report });
    await Promise.all([settled(organization, agent), settled(other, otherAgent)]);
    const said = await ask({ query });
    assert.match(said.body.data.answer, /ZEBRAQUARTZ/);
    const strange = await ask({ query }, otherAgent, other);
    assert.doesNotMatch(JSON.stringify(strange.body), /ZEBRAQUARTZ/);
    const asking = Array.from({ length: 10 }, () => ask({ query }));
    const gone = await organization.administrator.send("DELETE", `/v2/agents/${agent}/documents/${reference}`);
    assert.equal(gone.status, 200);
    assert.doesNotMatch(JSON.stringify((await ask({ query })).body), /ZEBRAQUARTZ/);
    for (const { status } of await Promise.all(asking)) assert.ok(status === 200 || status === 503);
    assert.doesNotMatch(JSON.stringify((await ask({ query })).body), /ZEBRAQUARTZ/);
    const { thread_id } = said.body.metadata;
    const next = await ask({ query: "What did you say before?", thread_id });
    assert.equal(next.status, 200);
    assert.doesNotMatch(JSON.stringify(next.body), /ZEBRAQUARTZ/);
    const kept = await service.db.selectFrom("messages").select("content").execute();
    assert.doesNotMatch(JSON.stringify(kept), /ZEBRAQUARTZ/);
    // Makes the delayed purge job due. The purge rewrites the index files and removes the previous
    // ones.
    const purges = async () => {
      const jobs = await service.db.selectFrom("jobs").select("payload").where("name", "=", "index.purge").execute();
      return jobs.map(({ payload }) => JSON.parse(payload));
    };
    assert.deepEqual(await purges(), [{ agent, what: "rows" }]);
    await service.db
      .updateTable("jobs")
      .set({ run_at: new Date(0).toISOString() })
      .where("name", "=", "index.purge")
      .execute();
    for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50))
      if ((await purges())[0]?.what === "versions") break;
    assert.deepEqual(await purges(), [{ agent, what: "versions" }]);
    assert.match((await ask({ query: "What is the notice period?" })).body.data.answer, /three months/);
  });

  test("a question in a thread of a deleted agent gets 404", async () => {
    const short = await makeAgent(organization);
    const { thread_id } = (await ask({ query: "What is the notice period?" }, short)).body.metadata;
    await organization.administrator.send("DELETE", `/v2/agents/${short}`);
    assert.equal((await ask({ query: "And then?", thread_id }, short)).body.code, "agent_not_found");
    const { archived_at } = await service.db
      .selectFrom("threads")
      .select("archived_at")
      .where("id", "=", thread_id)
      .executeTakeFirstOrThrow();
    assert.notEqual(archived_at, null);
  });
});

test("the operator can disable the deprecated stream, and a question that exceeds the queue gets Retry-After", async () => {
  await using service = await openTestService("sqlite", {
    SHEAF_DOCUMENTALIST_STREAM: "off",
    SHEAF_QUESTION_QUEUE: "1",
  });
  const { administrator } = await service.organization("Quiet House");
  const agent = (await administrator.send("POST", "/v2/agents", { name: "Corpus", type: "DOCUMENTALIST" })).body.data
    .reference;
  const off = await administrator.send("POST", `/v2/documentalist/${agent}`, { query: "What?" });
  assert.deepEqual([off.status, off.body.code], [410, "gone"]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => administrator.send("POST", `/v2/knowledge/${agent}`, { query: "What is it?" })),
  );
  for (const { status, body, headers } of answers) {
    if (status === 200) continue;
    assert.deepEqual([status, body.code], [503, "agent_unavailable"]);
    assert.ok(headers.get("retry-after"));
  }
  assert.ok(answers.some(({ status }) => status === 200));
});
