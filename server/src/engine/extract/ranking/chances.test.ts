import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chancesOf } from "./chances.ts";

const near = (actual: number | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} instead of ${expected}`);

test("a value with a logit of 0 is as likely as no value", () => {
  near(chancesOf(["a"], [0])[0], 1 / 2);
  const [a, b] = chancesOf(["a", "b"], [0, 0]);
  near(a, 1 / 3);
  near(b, 1 / 3);
});

test("a value that is found twice gets the probability of both finds, at the likelier one", () => {
  const [first, second, other] = chancesOf(["ACME", "Acme", "b"], [0, Math.log(2), 0]);
  near(second, 3 / 5);
  near(first, 3 / 10);
  near(other, 1 / 5);
});

test("the probabilities of different values and of no value add up to one, in the order of the logits", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { maxLength: 20 }), (logits) => {
      const chances = chancesOf(
        logits.map((_, at) => String(at)),
        logits,
      );
      const none = 1 / logits.reduce((sum, logit) => sum + Math.exp(logit), 1);
      near(
        chances.reduce((sum, chance) => sum + chance, none),
        1,
      );
      for (const [at, logit] of logits.entries())
        for (const [other, otherLogit] of logits.entries())
          if (logit > otherLogit) assert.ok((chances[at] ?? 0) >= (chances[other] ?? 0));
    }),
  );
});

test("without values there are no probabilities", () => assert.deepEqual(chancesOf([], []), []));
