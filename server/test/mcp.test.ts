/** The MCP server over HTTP, with the client of the official SDK. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { corpusOf, sampleBase64, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { connectOverHttp, type McpCaller } from "./helpers/mcp.ts";
import { makeReport } from "./helpers/report-pages.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const report = makeReport(24);
const fields = [
  { name: "invoice_number", format: "text", description: "Number of the invoice", items: [] },
  { name: "gross_total", format: "number", description: "Total amount including tax", items: [] },
];

describeOverDatabases("the MCP server", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  let mcp: McpCaller;
  let agent: string;
  let extractor: string;
  let long: string;
  let invoice: string;

  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Mine");
    corpus = corpusOf(service, organization);
    agent = await corpus.makeAgent();
    extractor = await corpus.makeAgent("EXTRACTOR", { params: fields });
    const file = Buffer.from(report.pdfs[0] ?? "").toString("base64");
    long = await corpus.accepted(agent, { filename: "report.pdf", file, path: "reports/2026" });
    invoice = await corpus.accepted(agent, { filename: "invoice.pdf" });
    assert.ok((await corpus.settled(agent)).every(({ status }) => status === "ready"));
    mcp = await connectOverHttp(service.url, { "x-api-key": organization.administrator.token });
  });
  after(async () => {
    await mcp?.[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test("tools are listed with schemas and as read only", async () => {
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
      ["find", "map", "read", "extract", "verify"].map((name) => [name, true, false]),
    );
    for (const { inputSchema, outputSchema } of tools) {
      assert.equal(inputSchema.type, "object");
      assert.equal(outputSchema?.type, "object");
    }
  });

  test("map shows agents, documents and sections", async () => {
    const { corpora, extractors } = await mcp.use("map");
    const url = `${service.url}/corpora/${agent}/documents`;
    assert.deepEqual(corpora, [{ corpus: agent, name: "Corpus", description: "", documents: 2, pages: 25, url }]);
    assert.deepEqual(
      extractors.map((each: { agent: string }) => each.agent),
      [extractor],
    );
    const { documents } = await mcp.use("map", { corpus: agent });
    assert.deepEqual(documents, [
      { document: long, name: "reports/2026/report.pdf", status: "ready", pages: 24, url: `${url}/${long}` },
      { document: invoice, name: "invoice.pdf", status: "ready", pages: 1, url: `${url}/${invoice}` },
    ]);
    const { sections, total } = await mcp.use("map", { corpus: agent, document: long });
    assert.deepEqual(total, { pages: 24, sections: 24 });
    assert.deepEqual(
      sections.map(({ from, to }: { from: number; to: number }) => [from, to]),
      Array.from({ length: 24 }, (_, index) => [index + 1, index + 1]),
    );
    assert.match(sections[3].headings.at(-1), /^District 4:/);
  });

  test("the tool find quotes the page that states a fact, and returns further results page by page", async () => {
    const fact = report.facts[20];
    assert.ok(fact);
    const first = await mcp.use("find", { query: fact.question, limit: 2 });
    const [best] = first.results;
    assert.deepEqual([best.corpus, best.document, best.page], [agent, long, fact.page]);
    assert.ok(best.quote.includes(fact.answer), best.quote);
    assert.equal(best.url, `${service.url}/corpora/${agent}/documents/${long}?page=${fact.page}`);
    assert.equal(first.results.length, 2);
    const next = await mcp.use("find", { query: fact.question, limit: 2, cursor: first.next_cursor });
    assert.equal(next.left_off, first.left_off - 2);
    const quotes = [...first.results, ...next.results].map(({ quote }) => quote);
    assert.equal(new Set(quotes).size, 4);
    const within = await mcp.use("find", { query: fact.question, documents: [invoice] });
    assert.ok(within.results.every(({ document }: { document: string }) => document === invoice));
  });

  test("read returns whole pages in parts, and joining the parts yields the complete text", async () => {
    const texts = new Map<number, string>();
    let replies = 0;
    for (let cursor: string | null | undefined; cursor !== null; replies++) {
      const reply = await mcp.use("read", { corpus: agent, document: long, from: 2, to: 9, ...(cursor && { cursor }) });
      for (const { page, text, start } of reply.content) {
        assert.equal(start, texts.get(page)?.length ?? 0);
        texts.set(page, (texts.get(page) ?? "") + text);
      }
      cursor = reply.next_cursor;
      if (cursor) assert.ok(reply.left_off > 0);
    }
    assert.ok(replies > 1);
    assert.deepEqual([...texts.keys()], [2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [page, text] of texts) {
      const words = (await corpus.send("GET", `/v2/agents/${agent}/documents/${long}/pages/${page}/words`)).body.data;
      assert.deepEqual(text.split(/\s+/), words.words);
    }
  });

  test("extract returns values with evidence, from a document and from a file", async () => {
    const stored = await mcp.use("extract", { agent: extractor, corpus: agent, document: invoice });
    const file = { filename: "a.pdf", content: sampleBase64 };
    const given = await mcp.use("extract", { agent: extractor, file });
    for (const { status, values, next_cursor } of [stored, given]) {
      assert.deepEqual([status, next_cursor], ["done", null]);
      assert.deepEqual(
        values.map(({ path, value, page }: Record<string, unknown>) => [path, value, page]),
        [
          ["/invoice_number", "NL-2026-0417", 1],
          ["/gross_total", 1021.8, 1],
        ],
      );
    }
    for (const { page, quote, boxes } of stored.values) {
      const found = await mcp.use("verify", { corpus: agent, document: invoice, quote, page, boxes });
      assert.equal(found.verified, true, quote);
    }
    const recorded = await service.db.selectFrom("threads").select("id").execute();
    assert.deepEqual(recorded, [], "nothing is recorded");
    const refused = await mcp.fail("extract", { agent: extractor, corpus: agent, document: invoice, background: true });
    assert.match(refused, /not allowed\. \(forbidden\)$/);
  });

  test("extract reports the failed rules of the agent's fields", async () => {
    const [number, total] = fields;
    const plate = { name: "plate/no", format: "text", description: "Licence plate of the vehicle", items: [] };
    const params = [
      { ...number, rules: { required: true, pattern: "^NL-" } },
      { ...total, rules: { maximum: 1000 } },
      { ...plate, rules: { required: true } },
    ];
    const ruled = await corpus.makeAgent("EXTRACTOR", { params });
    const file = { filename: "a.pdf", content: sampleBase64 };
    for (const source of [{ corpus: agent, document: invoice }, { file }]) {
      const { values, rules_failed } = await mcp.use("extract", { agent: ruled, ...source });
      assert.equal(rules_failed, 2);
      assert.deepEqual(
        values.map(({ path, failed_rules }: Record<string, unknown>) => [path, failed_rules]),
        [
          ["/invoice_number", undefined],
          ["/gross_total", [{ rule: "maximum", message: "1021.8 is greater than 1000" }]],
          ["/plate~1no", [{ rule: "required", message: "is missing" }]],
        ],
      );
    }
    const satisfied = await corpus.makeAgent("EXTRACTOR", { params: params.slice(0, 1) });
    assert.equal((await mcp.use("extract", { agent: satisfied, file })).rules_failed, 0);
    assert.ok(!("rules_failed" in (await mcp.use("extract", { agent: extractor, file }))));
  });

  test("long messages of failed rules are shortened, and are paged together with their values", async () => {
    const pattern = `^${"x1-".repeat(60)}$`;
    // A request may contain at most 20 patterns.
    const params = Array.from({ length: 60 }, (_, index) => ({
      ...fields[0],
      name: `number_${index}`,
      rules: { one_of: ["none"], ...(index < 20 && { pattern }) },
    }));
    const ruled = await corpus.makeAgent("EXTRACTOR", { params });
    const seen: { path: string; failed_rules: { rule: string }[] }[] = [];
    let replies = 0;
    for (let cursor: string | null | undefined; cursor !== null; replies++) {
      const input = { agent: ruled, corpus: agent, document: invoice, ...(cursor && { cursor }) };
      const reply = await mcp.use("extract", input);
      assert.equal(reply.rules_failed, 80);
      seen.push(...reply.values);
      cursor = reply.next_cursor;
    }
    assert.ok(replies > 1);
    assert.deepEqual(
      seen.map(({ path, failed_rules }) => [path, failed_rules.map(({ rule }) => rule)]),
      params.map(({ name }, index) => [`/${name}`, index < 20 ? ["pattern", "one_of"] : ["one_of"]]),
    );
  });

  test("hostile arguments cause errors with a message and a code", async () => {
    const none = "00000000-0000-7000-8000-000000000000";
    for (const [tool, input, expected] of [
      ["find", {}, /query is required/],
      ["find", { query: "" }, /query must not be empty/],
      ["find", { query: "a", limit: 21 }, /limit .*\(?/],
      ["find", { query: "a", corpora: [none] }, /\(agent_not_found\)/],
      ["find", { query: "a", cursor: "-1" }, /cursor must be the next_cursor/],
      ["find", { query: "a", documents: ["' or 1=1"] }, /\(invalid_request\)/],
      ["map", { document: long }, /corpus is required with document/],
      ["map", { corpus: extractor }, /\(invalid_agent_type\)/],
      ["map", { corpus: agent, document: none }, /\(document_not_found\)/],
      ["map", { cursor: "AAAA" }, /\(invalid_request\)/],
      ["read", { corpus: agent, document: long, from: 25 }, /\(page_not_found\)/],
      ["read", { corpus: agent, document: long, from: 3, to: 2 }, /to must not be before from/],
      ["read", { corpus: agent, document: long, cursor: "999999999.0" }, /cursor/],
      ["verify", { corpus: agent, document: long, quote: "a", page: 25 }, /\(page_not_found\)/],
      ["extract", { agent: none, corpus: agent, document: long }, /\(agent_not_found\)/],
      ["extract", { agent: extractor, file: { filename: "a.exe", content: "AAAA" } }, /\(unsupported_file_type\)/],
      ["extract", { agent: extractor, file: { filename: "a.pdf", content: "####" } }, /must be base64/],
      ["extract", { agent: extractor, file: { filename: "a.pdf", content: "AAAA" } }, /\(extraction_failed\)/],
      ["extract", { extraction: none }, /\(not_found\)/],
    ] as const)
      assert.match(await mcp.fail(tool, input), expected, JSON.stringify(input));
    await assert.rejects(mcp.client.callTool({ name: "drop", arguments: {} }), /no such tool/);
  });

  test("the tools show a credential only what the API shows it", async () => {
    const other = await service.organization("Other");
    await using theirs = await connectOverHttp(service.url, { "x-api-key": other.administrator.token });
    assert.deepEqual(await theirs.use("map"), { corpora: [], extractors: [], total: {}, next_cursor: null });
    assert.deepEqual((await theirs.use("find", { query: "district" })).results, []);
    for (const [tool, input] of [
      ["find", { query: "district", corpora: [agent] }],
      ["map", { corpus: agent }],
      ["read", { corpus: agent, document: long }],
      ["verify", { corpus: agent, document: long, quote: "district" }],
      ["extract", { agent: extractor, corpus: agent, document: invoice }],
    ] as const)
      assert.match(await theirs.fail(tool, input), /\(agent_not_found\)/, tool);
    // A document of one corpus cannot be found through another corpus.
    const own = await corpusOf(service, other).makeAgent();
    assert.match(await theirs.fail("read", { corpus: own, document: long }), /\(document_not_found\)/);
    assert.deepEqual((await theirs.use("find", { query: "district", documents: [long] })).results, []);
  });

  test("the tools do not quote a corpus that hides its sources", async () => {
    const hiding = await corpus.makeAgent("DOCUMENTALIST", { sourceVisibility: false });
    await corpus.accepted(hiding);
    await corpus.settled(hiding);
    assert.match(await mcp.fail("find", { query: "invoice", corpora: [hiding] }), /\(forbidden\)/);
    const { results } = await mcp.use("find", { query: "invoice" });
    assert.ok(results.length > 0 && results.every((result: { corpus: string }) => result.corpus !== hiding));
    await corpus.send("DELETE", `/v2/agents/${hiding}`);
  });
});
