import assert from "node:assert/strict";
import { test } from "node:test";
import { precisions } from "@sheaf/contract/precision.ts";
import { mulberry32 } from "../../../../fit/random.ts";
import { type JudgedValue, levelOf, minimumValues, wilsonLowerBound } from "./precision.ts";

const values = (count: number, confidence: number, wrong = 0): JudgedValue[] =>
  Array.from({ length: count }, (_, index) => ({ confidence, isRight: index >= wrong }));

test("`wilsonLowerBound` returns Wilson's bound, and `minimumValues` correct values are just enough to reach the precision", () => {
  assert.ok(Math.abs(wilsonLowerBound(90, 100) - 0.8397) < 0.0005);
  assert.equal(wilsonLowerBound(0, 0), 0);
  assert.equal(wilsonLowerBound(0, 10), 0);
  assert.deepEqual(precisions.map(minimumValues), [52, 133, 268]);
  for (const precision of precisions) {
    const minimum = minimumValues(precision);
    assert.ok(wilsonLowerBound(minimum, minimum) >= precision);
    assert.ok(wilsonLowerBound(minimum - 1, minimum - 1) < precision);
  }
});

test("too few reviewed values yield no threshold; with enough correct values, the threshold is the lowest confidence", () => {
  const few = levelOf(values(51, 0.9), 0.95);
  assert.deepEqual([few.confidence, few.values, few.lower_bound, few.coverage], [null, 0, null, 0]);
  const enough = levelOf(values(52, 0.9), 0.95);
  assert.deepEqual([enough.confidence, enough.values, enough.right, enough.coverage], [0.9, 52, 52, 1]);
  const mixed = levelOf([...values(150, 0.9, 1), ...values(50, 0.4, 25)], 0.95);
  assert.deepEqual([mixed.confidence, mixed.values, mixed.right, mixed.coverage], [0.9, 150, 149, 0.75]);
  assert.equal(levelOf(values(200, 0.9, 30), 0.95).confidence, null);
  assert.equal(levelOf([], 0.99).confidence, null);
});

test("at most about 5 % of the fields whose values are wrong too often get a threshold", () => {
  const random = mulberry32(7);
  const tries = 2_000;
  let found = 0;
  for (let i = 0; i < tries; i++) {
    // The worst case: at every confidence, the share of correct values is just below the wanted
    // precision.
    const judged = Array.from({ length: 400 }, () => ({ confidence: random(), isRight: random() < 0.949 }));
    if (levelOf(judged, 0.95).confidence !== null) found++;
  }
  assert.ok(found / tries <= 0.06, `${found} of ${tries}`);
});
