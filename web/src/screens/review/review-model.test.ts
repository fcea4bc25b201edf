import assert from "node:assert/strict";
import { test } from "node:test";
import { addCorrection, changed, type History, undone } from "./correction-history.ts";
import { sequenceOf, sortedFields } from "./field-order.ts";
import { countsOf, lookOf, nextToLook } from "./looks.ts";
import {
  type CorrectionJson,
  dataOf,
  type ExtractionJson,
  fieldAt,
  reviewOf,
  rowAt,
  valueOfWord,
} from "./review-model.ts";

const at = (top: number, confidence = 1, page = 1) => ({
  page,
  boxes: [[10, top, 60, top + 10] as const],
  quote: "x",
  match: "exact" as const,
  confidence,
});

const extraction: ExtractionJson = {
  params: [
    { name: "total", format: "number", description: "" },
    { name: "number", format: "text", description: "" },
    { name: "a/b~c", format: "date", description: "" },
    {
      name: "lines",
      format: "list",
      description: "",
      items: [
        { name: "label", format: "text", description: "" },
        { name: "amount", format: "number", description: "" },
      ],
    },
  ],
  data: [
    {
      total: 12,
      number: "F-1",
      "a/b~c": null,
      lines: [
        { label: "Paper", amount: 10 },
        { label: "Ink", amount: null },
      ],
    },
  ],
  evidence: [
    {
      total: at(500, 0.5),
      number: at(20),
      "a/b~c": null,
      lines: [
        { label: at(100), amount: at(100, 0.8) },
        { label: at(120), amount: null },
      ],
    },
  ],
};

const review = (...corrections: CorrectionJson[]) => reviewOf(extraction, corrections);
const look = (path: string, ...corrections: CorrectionJson[]) => {
  const node = fieldAt(review(...corrections), path);
  return node && lookOf(node);
};

test("each value has a reason why it needs a check or needs none", () => {
  assert.equal(look("/0/total"), "low_confidence");
  assert.equal(look("/0/number"), "sure");
  assert.equal(look("/0/a~1b~0c"), "not_found");
  assert.equal(look("/0/lines/0/amount"), "low_confidence");
  assert.equal(look("/0/lines/1/amount"), "empty");
  assert.equal(look("/0/lines"), "low_confidence");
  assert.equal(look("/0/nothing"), undefined);
  assert.deepEqual(countsOf(review()), { toLook: 3, corrected: 0, confirmed: 0 });
});

test("a correction changes the value, its state and its boxes", () => {
  const [record] = review(
    { path: "/0/total", value: 13, reason: "misread digit", page: 2, boxes: [[1, 2, 3, 4]] },
    { path: "/0/number", value: null, reason: "not there" },
    { path: "/0/a~1b~0c", confirmed: true },
  );
  const [total, number, date] = record?.fields ?? [];
  assert.partialDeepStrictEqual(total, {
    value: 13,
    original: 12,
    state: "corrected",
    reason: "misread digit",
    marks: { page: 2, boxes: [[1, 2, 3, 4]] },
  });
  assert.partialDeepStrictEqual(number, { value: null, state: "nulled", reason: "not there" });
  assert.equal(number?.kind === "value" ? number.marks : null, undefined);
  assert.partialDeepStrictEqual(date, { value: null, state: "confirmed" });
});

test("a value that is typed exactly as it was extracted counts as confirmed", () => {
  assert.equal(look("/0/total", { path: "/0/total", value: 12 }), "confirmed");
});

test("when rows are inserted or removed, the others keep their keys and evidence", () => {
  const records = review(
    { path: "/0/lines/0", op: "insert", value: { label: "Glue" } },
    { path: "/0/lines/2", op: "remove" },
    { path: "/0/lines/1/amount", value: 11 },
  );
  assert.deepEqual(dataOf(records)[0]?.lines, [
    { label: "Glue", amount: null },
    { label: "Paper", amount: 11 },
  ]);
  const lines = fieldAt(records, "/0/lines");
  assert.ok(lines?.kind === "list");
  assert.equal(lines.rows[1]?.key, "0");
  const amount = fieldAt(records, "/0/lines/1/amount");
  assert.partialDeepStrictEqual(amount, { original: 10, path: "/0/lines/1/amount", marks: { page: 1 } });
});

test("confirming a list confirms all its values, and an empty list can be confirmed", () => {
  assert.equal(look("/0/lines/0/amount", { path: "/0/lines", confirmed: true }), "confirmed");
  assert.equal(look("/0/lines/0/amount", { path: "/0/lines/0", confirmed: true }), "confirmed");
  const emptied: CorrectionJson[] = [
    { path: "/0/lines/0", op: "remove" },
    { path: "/0/lines/0", op: "remove" },
  ];
  assert.equal(look("/0/lines", ...emptied), "confirmed");
  const empty = { ...extraction, data: [{ ...extraction.data[0], lines: [] }], evidence: [{ lines: [] }] };
  const lines = fieldAt(reviewOf(empty as ExtractionJson, []), "/0/lines");
  assert.equal(lines && lookOf(lines), "not_found");
});

test("corrections with a path that does not exist change nothing", () => {
  const odd = ["/0/lines/x", "/7/total", "", "/0/lines/0/amount/1", "total"].map((path) => ({ path, value: 1 }));
  assert.deepEqual(dataOf(review(...odd)), extraction.data);
});

test("a later correction of a value replaces the earlier one, unless a row was inserted or removed in between", () => {
  const first = { path: "/0/lines/0/amount", value: 1 };
  const second = { path: "/0/lines/0/amount", value: 2 };
  const removal: CorrectionJson = { path: "/0/lines/0", op: "remove" };
  assert.deepEqual(addCorrection([first], second), [second]);
  assert.deepEqual(addCorrection([first, removal], second), [first, removal, second]);
  const confirmed: CorrectionJson = { path: first.path, confirmed: true };
  assert.deepEqual(addCorrection([first], confirmed), [first, confirmed]);
  assert.deepEqual(addCorrection([confirmed], second), [second]);
  assert.deepEqual(addCorrection([first, removal], removal), [first, removal, removal]);
});

test("undo reverts one change at a time, and stops at the first", () => {
  const start: History = { corrections: [], past: [] };
  const one = changed(start, { path: "/0/total", value: 1 });
  const two = changed(one, { path: "/0/total", value: 2 });
  assert.deepEqual(two.corrections, [{ path: "/0/total", value: 2 }]);
  assert.deepEqual(undone(two).corrections, one.corrections);
  assert.deepEqual(undone(undone(two)), start);
  assert.equal(undone(start), start);
});

test("fields are sorted by their position in the document or by confidence", () => {
  const [record] = review();
  assert.ok(record);
  const names = (order: "document" | "confidence") => sortedFields(record, order).map(({ param }) => param.name);
  assert.deepEqual(names("document"), ["number", "lines", "total", "a/b~c"]);
  assert.deepEqual(names("confidence"), ["a/b~c", "total", "lines", "number"]);
});

test("next and previous go to values that need a check, and continue at the other end", () => {
  const sequence = [...sequenceOf(review(), "document")];
  const next = (path: string | undefined, direction: 1 | -1) => nextToLook(sequence, path, direction)?.path;
  assert.equal(next(undefined, 1), "/0/lines/0/amount");
  assert.equal(next("/0/lines/0/amount", 1), "/0/total");
  assert.equal(next("/0/total", 1), "/0/a~1b~0c");
  assert.equal(next("/0/a~1b~0c", 1), "/0/lines/0/amount");
  assert.equal(next(undefined, -1), "/0/a~1b~0c");
  assert.equal(next("/0/lines/0/amount", -1), "/0/a~1b~0c");
  assert.equal(nextToLook([], undefined, 1), undefined);
});

test("a clicked word selects the value with the smallest box around it, on the same page", () => {
  assert.equal(valueOfWord(review(), 1, [12, 501, 20, 509])?.path, "/0/total");
  assert.equal(valueOfWord(review(), 2, [12, 501, 20, 509]), undefined);
  const moved = review({ path: "/0/total", value: 1, page: 2, boxes: [[0, 0, 50, 50]] });
  assert.equal(valueOfWord(moved, 2, [10, 10, 20, 20])?.path, "/0/total");
  assert.equal(valueOfWord(moved, 1, [12, 501, 20, 509]), undefined);
});

test("the row at a path is found", () => {
  const records = review();
  assert.equal(rowAt(records, "/0/lines/1/amount")?.index, 1);
  assert.equal(rowAt(records, "/0/lines/1")?.index, 1);
  assert.equal(rowAt(records, "/0/lines"), undefined);
  assert.equal(rowAt(records, "/0/total"), undefined);
});

test("values that were learned name their document, in lists every cell", () => {
  const from = { filename: "first.pdf", learned_at: "2026-11-02T10:00:00.000Z" };
  const learned = {
    ...extraction,
    from_memory: [
      { path: "/0/a~1b~0c", ...from },
      { path: "/0/lines", ...from },
    ],
  };
  const inserted: CorrectionJson = { path: "/0/lines/0", op: "insert", value: {} };
  const records = reviewOf(learned, [inserted]);
  const fromOf = (path: string) => fieldAt(records, path)?.learnedFrom;
  assert.deepEqual([fromOf("/0/a~1b~0c"), fromOf("/0/lines"), fromOf("/0/lines/1/label")], [from, from, from]);
  assert.deepEqual([fromOf("/0/total"), fromOf("/0/lines/0/label")], [undefined, undefined]);
});
