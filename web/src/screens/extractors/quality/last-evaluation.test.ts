import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { lastEvaluationOf, readLastEvaluation, storeLastEvaluation } from "./last-evaluation.ts";

const score = { f1: 0.5, right: 1, wrong: 1, missing: 1 };
const evaluation = {
  documents: 3,
  reviewed: 5,
  before: { ...score, right: 0 },
  after: score,
  fields: [{ path: "/total", before: { ...score, right: 0 }, after: score }],
  lost: [],
  without_truth: ["/discount"],
  changes: [],
  changes_left_off: 0,
  duration: 1,
  tokens_consumed: 0,
};

beforeEach(() => {
  const stored = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
});

test("an evaluation is stored for each organization and extractor, without values", () => {
  const last = lastEvaluationOf(evaluation, 4);
  storeLastEvaluation("one", "agent", last);
  assert.deepEqual(readLastEvaluation("one", "agent"), last);
  assert.deepEqual([readLastEvaluation("two", "agent"), readLastEvaluation("one", "other")], [undefined, undefined]);
  assert.deepEqual(last.fields, [{ path: "/total", score }]);
});

test("what is stored in another form is ignored", () => {
  for (const text of ["", "{", "3", "null", "{}", JSON.stringify({ at: "never", fields: [] })]) {
    localStorage.setItem("sheaf.evaluation.one.agent", text);
    assert.equal(readLastEvaluation("one", "agent"), undefined);
  }
});
