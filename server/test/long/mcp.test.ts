/**
 * The MCP server over a corpus of 3,000 pages and over every transport. Tests the size of replies,
 * the verification of quotes, the command, and the package as it is published.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "../../src/features/mcp/tokens.ts";
import { corpusOf, type TestCorpus } from "../helpers/corpus.ts";
import { connect, connectOverHttp, type McpCaller, maxTokens } from "../helpers/mcp.ts";
import { makeReport } from "../helpers/report-pages.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const run = promisify(execFile);
const main = resolve(import.meta.dirname, "../../src/main.ts");
const parts = 6;
const pagesOfPart = 500;
const pages = parts * pagesOfPart;
const report = makeReport(pages, parts);

describe("the MCP server over a large corpus", { timeout: 900_000 }, () => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  let mcp: McpCaller;
  let agent: string;
  let documents: string[];

  before(async () => {
    service = await openTestService("sqlite", { SHEAF_RATE_LIMIT: "0" });
    organization = await service.organization("Mine");
    corpus = corpusOf(service, organization);
    agent = await corpus.makeAgent();
    documents = [];
    for (const [index, pdf] of report.pdfs.entries()) {
      const file = Buffer.from(pdf).toString("base64");
      documents.push(await corpus.accepted(agent, { filename: `report-${index}.pdf`, file }));
    }
    for (;;) {
      const states = await corpus.list(agent);
      if (states.every(({ status }) => status === "ready")) break;
      assert.ok(!states.some(({ status }) => status === "error"));
      await new Promise((wait) => setTimeout(wait, 500));
    }
    mcp = await connectOverHttp(service.url, { "x-api-key": organization.administrator.token });
  });
  after(async () => {
    await mcp?.[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test("a whole document can be read and mapped in replies of limited size", async () => {
    const [document] = documents;
    let words = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { content, next_cursor } = await mcp.use("read", { corpus: agent, document, ...(cursor && { cursor }) });
      for (const { text } of content) words += text.split(/\s+/).filter(Boolean).length;
      cursor = next_cursor;
    }
    let sections = 0;
    let counted = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const reply = await mcp.use("map", { corpus: agent, document, ...(cursor && { cursor }) });
      for (const section of reply.sections) counted += section.words;
      sections += reply.sections.length;
      cursor = reply.next_cursor;
      if (cursor === null) assert.equal(sections, reply.total.sections);
    }
    assert.equal(counted, words);
    const largest = await mcp.client.callTool({ name: "find", arguments: { query: "district register", limit: 20 } });
    assert.ok(countTokens(JSON.stringify(largest)) <= maxTokens);
  });

  test("quotes returned by the server are verified, and 1,000 altered ones are not", async () => {
    interface Quote {
      document: string;
      page: number;
      quote: string;
    }
    const quotes: Quote[] = [];
    const stride = Math.max(1, Math.floor(report.facts.length / 62));
    for (let at = 0; at < report.facts.length && quotes.length < 250; at += stride) {
      const { question } = report.facts[at] as { question: string };
      quotes.push(...(await mcp.use("find", { query: question, limit: 5 })).results);
    }
    assert.ok(quotes.length >= 250, `${quotes.length} quotes`);
    const check = async ({ document, page, quote }: Quote, withPage = true) =>
      (await mcp.use("verify", { corpus: agent, document, quote, ...(withPage && { page }) })).verified as boolean;
    for (const quote of quotes) assert.equal(await check(quote), true, JSON.stringify(quote));
    for (const quote of quotes.slice(0, 40)) assert.equal(await check(quote, false), true, JSON.stringify(quote));
    let changed = 0;
    const wrong: string[] = [];
    const expectFalse = async (how: string, quote: Quote) => {
      changed++;
      if (await check(quote)) wrong.push(`${how}: ${JSON.stringify(quote)}`);
    };
    for (const [index, quote] of quotes.entries()) {
      const words = quote.quote.split(" ");
      const middle = 1 + (index % (words.length - 2));
      const digits = [...quote.quote.matchAll(/\d/g)].map((match) => match.index);
      const digit = digits[index % digits.length] ?? -1;
      assert.ok(digit >= 0);
      const other = String((Number(quote.quote[digit]) + 1 + (index % 8)) % 10);
      await expectFalse("a digit", {
        ...quote,
        quote: quote.quote.slice(0, digit) + other + quote.quote.slice(digit + 1),
      });
      await expectFalse("a word", { ...quote, quote: words.toSpliced(middle, 1).join(" ") });
      await expectFalse("negated", { ...quote, quote: words.toSpliced(middle, 0, "not").join(" ") });
      await expectFalse("a page", { ...quote, page: (quote.page % pagesOfPart) + 1 });
    }
    assert.ok(changed >= 1_000);
    assert.deepEqual(wrong, []);
  });

  test("20 tasks need less than a tenth of the tokens that reading all documents would", async (context) => {
    let whole = 0;
    for (const document of documents)
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { content, next_cursor } = await mcp.use("read", { corpus: agent, document, ...(cursor && { cursor }) });
        for (const { text } of content) whole += countTokens(text);
        cursor = next_cursor;
      }
    const listed = countTokens(JSON.stringify((await mcp.client.listTools()).tools));
    const tasks = Array.from({ length: 20 }, (_, task) => report.facts[Math.floor((task * report.facts.length) / 20)]);
    const needed: number[] = [];
    let answered = 0;
    for (const fact of tasks) {
      assert.ok(fact);
      const before = mcp.tokens;
      const { results } = await mcp.use("find", { query: fact.question, limit: 3 });
      const found = results.find(({ quote }: { quote: string }) => quote.includes(fact.sentence));
      if (found) {
        const { document, page } = found;
        const { verified } = await mcp.use("verify", { corpus: agent, document, page, quote: fact.sentence });
        if (verified) answered++;
      }
      needed.push(listed + mcp.tokens - before);
    }
    const most = Math.max(...needed);
    context.diagnostic(
      `${answered} of 20 answered and verified; texts ${whole} tokens, tools ${listed}, most for a task ${most}`,
    );
    assert.ok(answered >= 19, `${answered} answered`);
    assert.ok(most * 10 <= whole, `${most} of ${whole} tokens`);
  });

  const stdio = (args: string[], settings: Record<string, string>, command = process.execPath) =>
    connect(
      new StdioClientTransport({
        command,
        args,
        env: { PATH: process.env.PATH ?? "", ...settings },
        stderr: "inherit",
      }),
    );
  const fact = report.facts[Math.floor(report.facts.length / 3)];

  /** Finds a fact, verifies its quote, and reads a page that does not exist. */
  async function finds(caller: McpCaller): Promise<void> {
    assert.ok(fact);
    const [best] = (await caller.use("find", { query: fact.question })).results;
    assert.ok(best.quote.includes(fact.answer), best.quote);
    const { document, page, quote } = best;
    assert.equal((await caller.use("verify", { corpus: agent, document, page, quote })).verified, true);
    assert.match(await caller.fail("read", { corpus: agent, document, from: 999_999 }), /page_not_found/);
  }

  test("the command serves the local installation, and a running service", async () => {
    const { dataDir } = service.config;
    await using local = await stdio([main, "mcp", "--organization", organization.id], { SHEAF_DATA_DIR: dataDir });
    await finds(local);
    const { clientId, clientSecret } = organization.administrator;
    const access = { SHEAF_CLIENT_ID: clientId, SHEAF_CLIENT_SECRET: clientSecret };
    await using remote = await stdio([main, "mcp", "--url", service.url], access);
    await finds(remote);
  });

  test("the package, installed on its own, connects on Node 20 and on this one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-mcp-"));
    try {
      const dist = join(folder, "dist");
      await run(process.execPath, [resolve(import.meta.dirname, "../../../mcp/build.ts"), dist]);
      const { stdout } = await run("npm", ["pack", dist, "--pack-destination", folder, "--json"], { cwd: folder });
      const [{ filename }] = JSON.parse(stdout);
      await writeFile(join(folder, "package.json"), '{"name":"consumer","private":true}');
      await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
      const program = join(folder, "node_modules/@sheaf/mcp/main.js");
      const { clientId, clientSecret, token } = organization.administrator;
      const access = { SHEAF_URL: service.url, SHEAF_CLIENT_ID: clientId, SHEAF_CLIENT_SECRET: clientSecret };
      // npm runs on the oldest supported Node, and the tests on the newest, so both are used.
      for (const node of new Set([process.env.npm_node_execpath ?? process.execPath, process.execPath])) {
        await using caller = await stdio([program], access, node);
        await finds(caller);
      }
      await using byToken = await stdio([program], { SHEAF_URL: `${service.url}/mcp`, SHEAF_TOKEN: token });
      await finds(byToken);
      const lines = (input: string, settings: Record<string, string>) =>
        new Promise<string>((done, fail) => {
          const child = execFile(process.execPath, [program], { env: settings }, (error, output, problems) =>
            error && problems === "" ? fail(error) : done(output + problems),
          );
          child.stdin?.end(input);
        });
      assert.match(await lines("", {}), /set SHEAF_URL/);
      const list = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n`;
      assert.match(await lines(`x\n`, access), /"code":-32700/);
      assert.match(await lines(list, { ...access, SHEAF_CLIENT_SECRET: "wrong" }), /"id":7,.*\(invalid_client\)/);
      assert.match(await lines(list, { ...access, SHEAF_URL: "http://127.0.0.1:1" }), /"id":7,.*cannot be reached/);
      assert.match(await lines(list, access), /"id":7,?.*"name":"find"|"name":"find".*"id":7/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
