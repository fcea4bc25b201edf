import assert from "node:assert/strict";
import { test } from "node:test";
import type { ValueRecord } from "../../engine/engine.ts";
import { alignRows, cellsOf, isSame } from "./cells.ts";

const all = () => true;
const row = (label: string, amount: number | null): ValueRecord => ({ label, amount });

test("equal values have the same key, however they are written", () => {
  for (const [one, other] of [
    ["NL-2026 0417", "nl-20260417."],
    ["“Müller”", "MÜLLER"],
    [0.1 + 0.2, 0.3],
    ["...", "..."],
    [null, null],
  ] as const)
    assert.ok(isSame(one, other), `${one} and ${other}`);
  for (const [one, other] of [
    ["12.5", "125"],
    ["-5", "5"],
    [1240.5, "1240.5"],
    [true, "true"],
    [null, ""],
    [null, "null"],
    [1.01, 1.02],
  ] as const)
    assert.ok(!isSame(one, other), `${one} and ${other}`);
});

test("values are compared by field, and rows after they are aligned", () => {
  const truth = { number: "7", lines: [row("paper", 10), row("ink", 20), row("glue", 5)] };
  const given = { number: null, lines: [row("header", null), row("paper", 10), row("glue", 6), row("sum", 35)] };
  const cells = cellsOf(truth, given, all);
  const told = cells.map(({ path, truth, given }) => `${path} ${truth} ${given}`);
  assert.deepEqual(told, [
    "/number 7 null",
    "/lines/0/label paper paper",
    "/lines/0/amount 10 10",
    "/lines/1/label ink null",
    "/lines/1/amount 20 null",
    "/lines/2/label glue glue",
    "/lines/2/amount 5 6",
    "/lines/3/label null header",
    "/lines/3/amount null null",
    "/lines/4/label null sum",
    "/lines/4/amount null 35",
  ]);
  assert.ok(cells.slice(1).every(({ field }) => field === "/lines/label" || field === "/lines/amount"));
});

test("fields that are not part of the truth are left out, and lists may nest or be missing", () => {
  const truth = { days: [{ date: "1", shifts: [{ from: 8 }] }], none: [] };
  const given = { days: [{ date: "1", shifts: [{ from: 8 }, { from: 9 }], other: 1 }], none: null, other: "x" };
  const known = new Set(["/days", "/days/date", "/days/shifts", "/days/shifts/from", "/none"]);
  const cells = cellsOf(truth, given, (field) => known.has(field));
  assert.deepEqual(
    cells.map(({ path, given }) => [path, given]),
    [
      ["/days/0/date", "1"],
      ["/days/0/shifts/0/from", 8],
      ["/days/0/shifts/1/from", 9],
    ],
  );
  assert.deepEqual(cellsOf({ total: 1 }, { total: [{ a: 1 }] }, all), [
    { path: "/total", field: "/total", truth: 1, given: null },
  ]);
});

test("thousands of rows are aligned in time linear in their number", () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => row(`row ${index}`, index % 7));
  const shifted = [row("first", 1), row("second", 2), ...rows.filter((_, index) => index !== 2_500)];
  const startedAt = performance.now();
  const pairs = alignRows(rows, shifted);
  assert.ok(performance.now() - startedAt < 3_000);
  assert.deepEqual([pairs.get(0), pairs.get(2_499), pairs.get(2_500), pairs.get(4_999)], [2, 2_501, undefined, 5_000]);
});
