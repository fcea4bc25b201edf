/** Synchronous extraction over HTTP, on both databases. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ListLedgerJson } from "@sheaf/contract/extraction-result.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { kept } from "./helpers/stored-rows.ts";

const samplePath = join(import.meta.dirname, "../../examples/invoice.pdf");

const params = [
  { name: "invoice_number", format: "text", description: "Number of the invoice" },
  { name: "issue_date", format: "date", description: "Date of the invoice" },
  { name: "gross_total", format: "number", description: "Total amount including tax" },
  { name: "warranty_years", format: "number", description: "Years of warranty" },
  {
    name: "line_items",
    format: "list",
    description: "The invoiced items",
    items: [
      { name: "description", format: "text", description: "What was sold" },
      { name: "line_total", format: "number", description: "Amount of the line" },
    ],
  },
];

describeOverDatabases("extraction", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let file: string;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Extraction House");
    file = (await readFile(samplePath)).toString("base64");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (path: string, body: unknown, headers?: Record<string, string>) =>
    organization.administrator.send("POST", path, body, headers);

  test("the sample invoice yields data with evidence, and is recorded", async () => {
    const earlier = await kept(service);
    const answer = await send("/v2/extractor", { filename: "invoice.pdf", file, params, include: ["evidence"] });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data, metadata } = answer.body;
    assert.equal(data.length, 1);
    assert.deepEqual(
      Object.keys(data[0]),
      params.map((param) => param.name),
    );
    assert.equal(data[0].invoice_number, "NL-2026-0417");
    assert.equal(data[0].issue_date, "2026-10-12");
    assert.equal(data[0].gross_total, 1021.8);
    assert.equal(data[0].warranty_years, null);
    assert.deepEqual(
      data[0].line_items.map((item: { line_total: number }) => item.line_total),
      [408, 255, 150, 38.5],
    );
    const { invoice_number, warranty_years, line_items } = metadata.evidence[0];
    assert.equal(invoice_number.page, 1);
    assert.equal(invoice_number.quote, "NL-2026-0417");
    assert.equal(warranty_years, null);
    assert.equal(line_items.length, 4);
    assert.deepEqual(
      metadata.lists.map(({ path, rows_seen, rows_given, rows_unreadable, doubts }: ListLedgerJson) => [
        path,
        [rows_seen, rows_given],
        [...rows_unreadable, ...doubts],
      ]),
      [["/0/line_items", [4, 4], []]],
    );
    assert.deepEqual([metadata.filename, metadata.tokens_consumed], ["invoice.pdf", 0]);
    assert.ok(metadata.duration > 0 && metadata.duration < 60);

    const added = Object.entries(await kept(service)).map(([name, count]) => [name, count - (earlier[name] ?? 0)]);
    const expected = { threads: 1, messages: 2, extractions: 1 };
    assert.deepEqual(Object.fromEntries(added.filter(([, count]) => count !== 0)), expected);
    const thread = await service.db
      .selectFrom("threads")
      .selectAll()
      .where("id", "=", metadata.thread_id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([thread.organization_id, thread.agent_id], [organization.id, null]);
  });

  test("evidence is returned only on request, and the order of the body's members does not matter", async () => {
    const { body } = await send("/v2/extractor", { params, file, filename: "INVOICE.PDF" });
    assert.deepEqual(Object.keys(body.metadata), ["filename", "duration", "tokens_consumed", "thread_id"]);
    assert.equal(body.metadata.filename, "INVOICE.PDF");
  });

  test("an extraction with an agent uses the params of the agent", async () => {
    const administrator = organization.administrator;
    const agentParams = [{ name: "number", format: "text", description: "Invoice number", items: [] }];
    const agent = await administrator.send("POST", "/v2/agents", {
      name: "E",
      type: "EXTRACTOR",
      configuration: { params: agentParams },
    });
    const path = `/v2/extractor/${agent.body.data.reference}`;
    const answer = await send(path, { filename: "invoice.pdf", file });
    assert.deepEqual(answer.body.data, [{ number: "NL-2026-0417" }]);
    const thread = await service.db
      .selectFrom("threads")
      .selectAll()
      .where("id", "=", answer.body.metadata.thread_id)
      .executeTakeFirstOrThrow();
    assert.equal(thread.agent_id, agent.body.data.reference);

    const empty = await administrator.send("POST", "/v2/agents", { name: "Empty", type: "EXTRACTOR" });
    const library = await administrator.send("POST", "/v2/agents", { name: "Library", type: "DOCUMENTALIST" });
    const codes = async (reference: string) => {
      const { status, body } = await send(`/v2/extractor/${reference}`, { filename: "invoice.pdf", file });
      return [status, body.code];
    };
    assert.deepEqual(await codes(empty.body.data.reference), [422, "invalid_config"]);
    assert.deepEqual(await codes(library.body.data.reference), [404, "agent_not_found"]);
    assert.deepEqual(await codes("sync"), [404, "agent_not_found"]);
  });

  test("an unreadable file yields a clear extraction_failed and leaves nothing behind", async () => {
    const earlier = await kept(service);
    const bytes = await readFile(samplePath);
    const cases: [filename: string, content: Buffer, reason: string][] = [
      ["rubbish.pdf", Buffer.from("no pdf at all"), "corrupt"],
      ["program.pdf", Buffer.from("MZ\x90\x00".padEnd(2000, "x"), "latin1"), "corrupt"],
      ["cut.pdf", bytes.subarray(0, 900), "corrupt"],
      ["misnamed.docx", bytes, "corrupt"],
      ["misnamed.png", bytes, "corrupt"],
    ];
    for (const [filename, content, reason] of cases) {
      const answer = await send("/v2/extractor", { filename, file: content.toString("base64"), params });
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.detail?.reason],
        [502, "extraction_failed", reason],
        filename,
      );
    }
    assert.deepEqual(await kept(service), earlier);
  });

  test("invalid input is refused with its code and leaves nothing behind", async () => {
    const earlier = await kept(service);
    const valid = { filename: "a.pdf", file, params };
    const cases: [unknown, string, string?][] = [
      [{ ...valid, filename: undefined }, "invalid_request", "/filename"],
      [{ ...valid, filename: "a/b.pdf" }, "invalid_request", "/filename"],
      [{ ...valid, filename: "../a.pdf" }, "invalid_request", "/filename"],
      [{ ...valid, filename: "a\u202efdp.exe.pdf" }, "invalid_request", "/filename"],
      [{ ...valid, filename: "noextension" }, "invalid_request", "/filename"],
      [{ ...valid, filename: "a.txt" }, "unsupported_file_type"],
      [{ ...valid, filename: "a.heic" }, "unsupported_file_type"],
      [{ ...valid, filename: "a.pdf.exe" }, "unsupported_file_type"],
      [{ ...valid, file: undefined }, "invalid_request", "/file"],
      [{ ...valid, file: "" }, "invalid_request", "/file"],
      [{ ...valid, file: 1 }, "invalid_request", "/file"],
      [{ ...valid, file: `data:application/pdf;base64,${file}` }, "invalid_request", "/file"],
      [{ ...valid, file: `${file.slice(0, 400)}!${file.slice(401)}` }, "invalid_request", "/file"],
      [{ ...valid, params: undefined }, "invalid_request", "/params"],
      [{ ...valid, params: [] }, "invalid_request", "/params"],
      [{ ...valid, params: [{ name: "a", format: "money", description: "" }] }, "invalid_request", "/params/0/format"],
      [{ ...valid, include: ["everything"] }, "invalid_request", "/include/0"],
      [JSON.stringify(valid).replace("{", '{"filename":"b.pdf",'), "invalid_request"],
      [`${JSON.stringify(valid)}x`, "invalid_request"],
      [JSON.stringify(valid).slice(0, -1), "invalid_request"],
      ["[".repeat(100_000), "invalid_request"],
      [`\ufeff${JSON.stringify(valid)}`, "invalid_request"],
    ];
    for (const [body, code, issuePath] of cases) {
      const answer = await send("/v2/extractor", body);
      const shown = JSON.stringify(body).slice(0, 120);
      assert.deepEqual([answer.status, answer.body.code], [422, code], `${shown}: ${JSON.stringify(answer.body)}`);
      if (issuePath !== undefined) assert.equal(answer.body.detail.issues[0].path, issuePath, shown);
    }
    const { detail } = (await send("/v2/extractor", { ...valid, filename: "a.txt" })).body;
    assert.deepEqual(detail.supported.toSorted(), ["docx", "jpeg", "jpg", "pdf", "png", "xlsx"]);
    const otherTypes: Record<string, string>[] = [{ "content-type": "text/plain" }, { "content-encoding": "gzip" }];
    for (const headers of otherTypes)
      assert.equal((await send("/v2/extractor", valid, headers)).body.code, "invalid_request");
    assert.deepEqual(await kept(service), earlier);
  });

  test("a file of exactly the maximum size is read, and one byte more gets 413 with limit and size", async () => {
    const limit = limits.maxExtractionFileBytes;
    const post = (bytes: number) =>
      send("/v2/extractor", { filename: "big.pdf", file: Buffer.alloc(bytes, 1).toString("base64"), params });
    const exact = await post(limit);
    assert.deepEqual([exact.status, exact.body.detail], [502, { reason: "corrupt" }]);
    const over = await post(limit + 1);
    assert.deepEqual(
      [over.status, over.body.code, over.body.detail],
      [413, "file_too_large", { limit, size: limit + 1 }],
    );
  });
});
