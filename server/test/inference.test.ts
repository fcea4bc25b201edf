/** Inference over HTTP, on both databases: proposes fields for sample files. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { InferredFieldsJson } from "@sheaf/contract/inference.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { paramIssues, requestParamRules } from "@sheaf/contract/params.ts";
import { newId } from "../src/lib/ids.ts";
import { onePage } from "../src/reading/testing/make-pdf.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { everyRow } from "./helpers/stored-rows.ts";

const lines = (number: string, total: string): [string, number, number][] => [
  ["INVOICE", 72, 760],
  ["Invoice number:", 72, 700],
  [number, 220, 700],
  ["Invoice date:", 72, 680],
  ["3 February 2026", 220, 680],
  ["Wagon colour:", 72, 660],
  ["dark green", 220, 660],
  ["Total amount:", 72, 640],
  [total, 220, 640],
];
const invoice = (number: string, total: string) =>
  Buffer.from(onePage(...lines(number, total).map(([text, x, y]) => ({ text, x, y })))).toString("base64");

describeOverDatabases("inference of fields", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Samples");
  });
  after(() => service[Symbol.asyncDispose]());

  const infer = (body: object, headers: Record<string, string> = {}) =>
    organization.administrator.send("POST", "/v2/extractor/infer", body, headers);
  const samples = () => [
    { filename: "one.pdf", file: invoice("R-2026-0417", "EUR 1,240.50") },
    { filename: "two.pdf", file: invoice("R-2026-0533", "EUR 310.00") },
  ];

  test("fields of several files are merged, with their values and evidence", async () => {
    const before = await everyRow(service.db);
    const { status, body } = await infer({ files: samples() });
    assert.equal(status, 200, JSON.stringify(body));
    const { nearest_template, fields } = body.data as InferredFieldsJson;
    assert.equal(nearest_template, "invoice");
    assert.deepEqual(
      paramIssues(
        fields.map(({ param }) => param),
        requestParamRules,
      ),
      [],
    );
    const named = (name: string) => fields.find(({ param }) => param.name === name);
    const number = named("invoice_number");
    assert.deepEqual(
      [number?.found_in, number?.values.map(({ file, value }) => [file, value])],
      [
        2,
        [
          [0, "R-2026-0417"],
          [1, "R-2026-0533"],
        ],
      ],
    );
    const evidence = number?.values[0]?.evidence;
    assert.ok(evidence && !Array.isArray(evidence));
    assert.deepEqual([evidence.page, evidence.quote], [1, "R-2026-0417"]);
    assert.deepEqual(
      [named("invoice_date")?.param.format, named("invoice_date")?.values[0]?.value],
      ["date", "2026-02-03"],
    );
    assert.ok(fields.some(({ param, values }) => param.format === "number" && values[0]?.value === 1240.5));
    // No template has a field for this label, so the proposed field is named after the label.
    const colour = named("wagon_colour");
    assert.deepEqual(
      [colour?.param.format, colour?.param.description, colour?.values.map(({ value }) => value)],
      ["text", "Wagon colour", ["dark green", "dark green"]],
    );
    assert.deepEqual(
      fields.map(({ usefulness }) => usefulness),
      fields.map(({ usefulness }) => usefulness).toSorted((a, b) => b - a),
    );
    assert.deepEqual([body.metadata.filenames, body.metadata.pages], [["one.pdf", "two.pdf"], 2]);
    assert.deepEqual(await everyRow(service.db), before);
  });

  test("an extraction with the proposed fields returns their values, and descriptions are in the requested language", async () => {
    const files = samples().slice(0, 1);
    const { body } = await infer({ files, lang: "de" });
    const { fields } = body.data as InferredFieldsJson;
    const number = fields.find(({ param }) => param.name === "invoice_number");
    assert.match(number?.param.description ?? "", /Rechnungsnummer/);
    const params = fields.map(({ param }) => param);
    const extracted = await organization.administrator.send("POST", "/v2/extractor", { ...files[0], params });
    assert.equal(extracted.status, 200);
    assert.equal(extracted.body.data[0].invoice_number, "R-2026-0417");
    assert.equal(extracted.body.data[0].wagon_colour, "dark green");
  });

  test("a repeated request with the same key and files gets the same response, and one with other files is refused", async () => {
    const headers = { "idempotency-key": newId() };
    const [one, two] = samples();
    const first = await infer({ files: [one, two] }, headers);
    const again = await infer({ files: [one, two] }, headers);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.deepEqual(again.body, first.body);
    const other = await infer({ files: [one, { ...two, file: one?.file }] }, headers);
    assert.deepEqual([other.status, other.body.code], [422, "invalid_request"]);
  });

  test("invalid files are refused with the errors of an extraction", async () => {
    const [one] = samples();
    const cases: [object, number, string, string | undefined][] = [
      [{ files: [] }, 422, "invalid_request", "/files"],
      [{}, 422, "invalid_request", "/files"],
      [{ files: Array.from({ length: limits.maxSampleFiles + 1 }, () => one) }, 422, "invalid_request", "/files"],
      [{ files: [{ filename: "a.pdf" }] }, 422, "invalid_request", "/files/0/file"],
      [{ files: [one, { filename: "a.pdf", file: "%%%" }] }, 422, "invalid_request", "/files/1/file"],
      [{ files: [one, { filename: "a.pdf", file: "" }] }, 422, "invalid_request", "/files/1/file"],
      [{ files: [one, { filename: "a.pdf", file: 7 }] }, 422, "invalid_request", "/files/1/file"],
      [{ files: [{ ...one, filename: "a/b.pdf" }] }, 422, "invalid_request", "/files/0/filename"],
      [{ files: [one], lang: "xx" }, 422, "invalid_request", "/lang"],
      [{ files: [{ ...one, filename: "a.exe" }] }, 422, "unsupported_file_type", undefined],
      [{ files: [one, { filename: "a.pdf", file: "AAAA" }] }, 502, "extraction_failed", undefined],
    ];
    for (const [body, status, code, path] of cases) {
      const answer = await infer(body);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));
      if (path !== undefined) assert.equal(answer.body.detail.issues[0].path, path);
    }
  });

  test("a file beyond the limit is refused", async () => {
    const large = randomBytes(limits.maxExtractionFileBytes + 3).toString("base64");
    const { status, body } = await infer({ files: [{ filename: "large.pdf", file: large }] });
    assert.deepEqual([status, body.code, body.detail.limit], [413, "file_too_large", limits.maxExtractionFileBytes]);
  });
});
