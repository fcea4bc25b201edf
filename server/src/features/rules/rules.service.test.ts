/** Tests which rules fail for which values. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EvidenceJson, ExtractedRecordJson } from "@sheaf/contract/extraction-result.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { FieldRules } from "@sheaf/contract/rules.ts";
import { failedRules } from "./rules.service.ts";

const field = (name: string, format: ExtractionParam["format"], rules?: FieldRules): ExtractionParam => ({
  name,
  format,
  description: "",
  ...(rules && { rules }),
});
const listOf = (items: ExtractionParam[], rules?: FieldRules): ExtractionParam => ({
  ...field("lines", "list", rules),
  items,
});

async function failedOf(params: ExtractionParam[], data: ExtractedRecordJson): Promise<string[]> {
  const failed = await failedRules(params, data, undefined);
  return (failed ?? []).map(({ path, rule }) => `${path} ${rule}`);
}

describe("failed rules", () => {
  test("the result is undefined if no field has rules", async () => {
    assert.equal(
      await failedRules([field("a", "text"), listOf([field("b", "text")])], { a: null, lines: [] }, {}),
      undefined,
    );
  });

  test("a missing value fails only `required`", async () => {
    const rules = { required: true, pattern: "x", one_of: ["y"] };
    assert.deepEqual(await failedOf([field("a", "text", rules)], { a: null }), ["/0/a required"]);
    assert.deepEqual(await failedOf([field("a", "text", { ...rules, required: false })], { a: null }), []);
    assert.deepEqual(await failedOf([listOf([], { required: true })], { lines: [] }), ["/0/lines required"]);
  });

  test("texts are compared with patterns and allowed values", async () => {
    const params = [
      field("vat", "text", { pattern: "^DE\\d{9}$" }),
      field("seller", "text", { one_of: ["Müller & Co. KG"] }),
    ];
    assert.deepEqual(await failedOf(params, { vat: "DE123456789", seller: "MULLER & CO KG" }), []);
    assert.deepEqual(await failedOf(params, { vat: "DE12345678", seller: "Muller AG" }), [
      "/0/vat pattern",
      "/0/seller one_of",
    ]);
    assert.deepEqual(await failedOf(params, { vat: `DE123456789${" ".repeat(3_000)}`, seller: null }), [
      "/0/vat pattern",
    ]);
    assert.deepEqual(await failedOf([field("sign", "text", { one_of: ["+"] })], { sign: "-" }), ["/0/sign one_of"]);
  });

  test("numbers and dates are compared with inclusive bounds", async () => {
    const params = [
      field("total", "number", { minimum: 0, maximum: 100 }),
      field("date", "date", { minimum: "2026-01-01", maximum: "2026-12-31" }),
    ];
    assert.deepEqual(await failedOf(params, { total: 100, date: "2026-01-01" }), []);
    assert.deepEqual(await failedOf(params, { total: -0.01, date: "2027-01-01" }), [
      "/0/total minimum",
      "/0/date maximum",
    ]);
  });

  test("a value must equal the sum in every decimal place", async () => {
    const params = [field("total", "number", { sum_of: "/lines/amount" }), listOf([field("amount", "number")])];
    const rows = (...amounts: (number | null)[]): ExtractedRecordJson[] => amounts.map((amount) => ({ amount }));
    assert.deepEqual(await failedOf(params, { total: 0.3, lines: rows(0.1, 0.2) }), []);
    assert.deepEqual(await failedOf(params, { total: 30, lines: rows(10, null, 20) }), []);
    assert.deepEqual(await failedOf(params, { total: 30.01, lines: rows(10, 20) }), ["/0/total sum_of"]);
    assert.deepEqual(await failedOf(params, { total: 1, lines: [] }), ["/0/total sum_of"]);
    assert.deepEqual(await failedOf(params, { total: null, lines: rows(1) }), []);
  });

  test("each row of a list is checked", async () => {
    const params = [listOf([field("amount", "number", { minimum: 0, required: true })])];
    const lines = [{ amount: 1 }, { amount: -1 }, { amount: null }];
    assert.deepEqual(await failedOf(params, { lines }), ["/0/lines/1/amount minimum", "/0/lines/2/amount required"]);
  });

  test("a failed sum is reported with the evidence of the value and of its summands", async () => {
    const at = (page: number): EvidenceJson => ({
      page,
      boxes: [],
      quote: String(page),
      match: "exact",
      confidence: 1,
    });
    const params = [field("total", "number", { sum_of: "/lines/amount" }), listOf([field("amount", "number")])];
    const data = { total: 5, lines: [{ amount: 1 }, { amount: 2 }] };
    const [failed] =
      (await failedRules(params, data, { total: at(1), lines: [{ amount: at(2) }, { amount: null }] })) ?? [];
    assert.equal(failed?.message, "5 is not the sum of lines/amount, which is 3");
    assert.deepEqual(
      failed?.evidence?.map(({ page }) => page),
      [1, 2],
    );
  });

  test("a field may have the name of a member that every object has, such as constructor", async () => {
    const params = [field("constructor", "text", { required: true }), field("toString", "text", { required: true })];
    const failed = await failedRules(params, {}, {});
    assert.deepEqual(
      failed?.map(({ path, evidence }) => [path, evidence]),
      [
        ["/0/constructor", []],
        ["/0/toString", []],
      ],
    );
  });

  test("the number of failed rules is limited", async () => {
    const lines = Array.from({ length: 2_000 }, () => ({ amount: null }));
    const failed = await failedRules([listOf([field("amount", "number", { required: true })])], { lines }, undefined);
    assert.equal(failed?.length, limits.maxFailedRules);
  });
});
