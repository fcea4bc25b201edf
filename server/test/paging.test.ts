/** Paged lists over HTTP, on both databases. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("paging", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Pages");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (path: string) => organization.administrator.send("GET", path);
  /**
   * Returns all items of a list, fetched page by page, and the number of pages. Calls `between`
   * after each page.
   */
  const walk = async (path: string, limit: number, between: () => Promise<void> = async () => {}) => {
    const items: { reference?: string; event?: string }[] = [];
    for (let cursor: string | null = "", pages = 1; ; pages++) {
      const { status, body } = await send(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      assert.equal(status, 200);
      assert.ok(body.data.length <= limit);
      items.push(...body.data);
      cursor = body.metadata.next_cursor;
      if (cursor === null) return { items, pages };
      await between();
    }
  };

  test("pages of agents contain each agent once, in order, even while some are added and deleted", async () => {
    const corpus = corpusOf(service, organization);
    const made: string[] = [];
    for (let i = 0; i < 23; i++) made.push(await corpus.makeAgent());
    const whole = await send("/v2/agents");
    assert.deepEqual(Object.keys(whole.body), ["status", "data"]);
    const references = whole.body.data.map(({ reference }: { reference: string }) => reference);
    assert.deepEqual(references, made);
    for (const [limit, pages] of [
      [1, 23],
      [5, 5],
      [23, 1],
      [1_000, 1],
    ] as const) {
      const walked = await walk("/v2/agents", limit);
      assert.deepEqual([walked.items.map(({ reference }) => reference), walked.pages], [made, pages]);
    }
    const late: string[] = [];
    const { items } = await walk("/v2/agents", 10, async () => {
      await corpus.send("DELETE", `/v2/agents/${made.shift()}`);
      late.push(await corpus.makeAgent());
    });
    const seen = items.map(({ reference }) => reference);
    assert.equal(new Set(seen).size, seen.length);
    for (const reference of [...made, ...late]) assert.ok(seen.includes(reference));
  });

  test("documents and webhooks are listed in pages, too", async () => {
    const corpus = corpusOf(service, organization);
    const agent = await corpus.makeAgent();
    for (let i = 0; i < 4; i++) await corpus.accepted(agent, { filename: `${i}.pdf` });
    assert.deepEqual((await walk(`/v2/agents/${agent}/documents`, 3)).pages, 2);
    for (const event of ["extraction.completed", "classification.completed", "document.ingestion_completed"])
      await organization.administrator.send("PUT", `/v2/organization/webhooks/${event}`, {
        url: "https://example.com/",
      });
    const { items, pages } = await walk("/v2/organization/webhooks", 2);
    assert.deepEqual([new Set(items.map(({ event }) => event)).size, pages], [3, 2]);
    await corpus.settled(agent);
  });

  test("an invalid limit or cursor is refused", async () => {
    const wrong = ["limit=0", "limit=1001", "limit=-1", "limit=1.5", "limit=x", "limit=", "limit=1&limit=2"];
    const cursors = ["", "x", "AAAA", Buffer.from("2026\n'; drop table agents").toString("base64url"), "a".repeat(500)];
    for (const query of [...wrong, ...cursors.map((cursor) => `cursor=${cursor}`), "cursor=a&cursor=b"]) {
      const { status, body } = await send(`/v2/agents?${query}`);
      assert.deepEqual([query, status, body.code], [query, 422, "invalid_request"]);
    }
  });
});
