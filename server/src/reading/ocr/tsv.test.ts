import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wordsOfTsv } from "./tsv.ts";

test("each word has the box of its ink, a confidence and a line number", () => {
  const tsv = [
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
    "4\t1\t1\t1\t1\t0\t10\t20\t90\t12\t-1\t",
    "5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.25\tTotal",
    "5\t1\t1\t1\t1\t2\t55\t20\t45\t12\t120\t9.00",
    "5\t1\t1\t1\t2\t1\t10\t40\t45\t12\t50\t ",
    "5\t1\t2\t1\t1\t1\t10\t60\t30\t12\t31\tend",
  ].join("\n");
  assert.deepEqual(wordsOfTsv(tsv), [
    { text: "Total", box: [10, 20, 50, 32], confidence: 0.9625, line: 0 },
    { text: "9.00", box: [55, 20, 100, 32], confidence: 1, line: 0 },
    { text: "end", box: [10, 60, 40, 72], confidence: 0.31, line: 1 },
  ]);
});

test("random input gives only valid words", () => {
  const field = fc.oneof(fc.string(), fc.constantFrom("5", "1", "nan", "-3", "1e999"));
  const row = fc.array(field, { maxLength: 14 }).map((fields) => ["5", ...fields]);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 9 }), (rows) => {
      for (const { text, box, confidence } of wordsOfTsv(rows.map((row) => row.join("\t")).join("\n"))) {
        assert.ok(text !== "" && box.every(Number.isFinite) && confidence >= 0 && confidence <= 1);
      }
    }),
  );
});
