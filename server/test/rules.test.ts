/** Rules of fields over HTTP: in a request, in an agent, and in the review of a kept extraction. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldRules } from "@sheaf/contract/rules.ts";
import { onePage } from "../src/reading/testing/make-pdf.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { peopleOver } from "./helpers/people.ts";

const file = Buffer.from(
  onePage(
    { text: "INVOICE", x: 72, y: 760 },
    { text: "Invoice number:", x: 72, y: 700 },
    { text: "R-2026-0417", x: 220, y: 700 },
    { text: "Total amount:", x: 72, y: 640 },
    { text: "EUR 1,240.50", x: 220, y: 640 },
  ),
).toString("base64");

const paramsWith = (number: FieldRules, total: FieldRules) => [
  { name: "invoice_number", format: "text", description: "Number of the invoice", items: [], rules: number },
  { name: "total", format: "number", description: "Total amount", items: [], rules: total },
  { name: "vat_id", format: "text", description: "VAT id of the buyer", items: [], rules: { required: true } },
];
const params = paramsWith({ pattern: "^R-\\d{4}-\\d{4}$" }, { maximum: 1000 });

describeOverDatabases("rules of fields", (dialect) => {
  const at = peopleOver(dialect);

  const extract = (body: object, path = "") =>
    at.ada.send("POST", `/v2/extractor${path}`, { filename: "invoice.pdf", file, ...body });

  test("a failed rule is reported, and the value is returned unchanged", async () => {
    const { status, body } = await extract({ params });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.data, [{ invoice_number: "R-2026-0417", total: 1240.5, vat_id: null }]);
    assert.deepEqual(body.metadata.failed_rules, [
      { path: "/0/total", rule: "maximum", message: "1240.5 is greater than 1000" },
      { path: "/0/vat_id", rule: "required", message: "is missing" },
    ]);
  });

  test("failed rules contain evidence if the request asks for evidence", async () => {
    const { body } = await extract({ params, include: ["evidence"] });
    const [total, missing] = body.metadata.failed_rules;
    assert.deepEqual(total.evidence, [body.metadata.evidence[0].total]);
    assert.deepEqual(missing.evidence, []);
  });

  test("without rules the response has no failed_rules", async () => {
    const plain = params.map(({ rules: _, ...param }) => param);
    const { body } = await extract({ params: plain });
    assert.equal("failed_rules" in body.metadata, false);
  });

  test("rules of an agent are checked, and a correction that satisfies them removes their failure", async () => {
    const made = await at.ada.send("POST", "/v2/agents", {
      name: "Invoices",
      type: "EXTRACTOR",
      configuration: { params },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.body.data.configuration.params, params);
    const { body } = await extract({ keep: true }, `/${made.body.data.reference}`);
    assert.equal(body.metadata.failed_rules.length, 2);
    const path = `/v2/extractions/${body.metadata.extraction_id}`;
    const { data: kept } = (await at.ada.send("GET", path)).body;
    assert.deepEqual(kept.failed_rules, body.metadata.failed_rules);
    const corrections = [
      { path: "/0/total", value: 240.5 },
      { path: "/0/vat_id", value: "DE123456789" },
    ];
    const corrected = await at.ada.send("PUT", `${path}/corrections`, { version: kept.version, corrections });
    assert.deepEqual(corrected.body.data.failed_rules, []);
  });

  test("invalid rules are refused", async () => {
    const { status, body } = await extract({ params: paramsWith({ pattern: "(?=a)" }, { sum_of: "/lines/amount" }) });
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual(
      body.detail.issues.map(({ path }: { path: string }) => path),
      ["/params/0/rules/pattern", "/params/1/rules/sum_of"],
    );
    const changed = await at.ada.send("POST", "/v2/agents", {
      name: "Broken",
      type: "EXTRACTOR",
      configuration: { params: paramsWith({ minimum: 1 }, {}) },
    });
    assert.equal(changed.status, 422, JSON.stringify(changed.body));
  });
});
