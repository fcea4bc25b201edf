import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { currencyCodes } from "./currencies.ts";
import { type DecimalMark, findNumbers, markVotes } from "./numbers.ts";

const valuesIn = (text: string, mark: DecimalMark): number[] =>
  findNumbers(text, mark, currencyCodes).map((found) => found.value);

const groupings: readonly (readonly [string, DecimalMark])[] = [
  [",", "."],
  [".", ","],
  ["'", "."],
  [" ", ","],
];

function written(cents: number, group: string, mark: DecimalMark): string {
  const whole = Math.trunc(cents / 100).toString();
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, group);
  return `${grouped}${mark}${String(cents % 100).padStart(2, "0")}`;
}

test("an amount is read in every locale, with a currency before or after it", () => {
  const amount = fc.integer({ min: 0, max: 99_999_999_99 });
  const locale = fc.constantFrom(...groupings);
  const around = fc.constantFrom<[string, string]>(
    ["", ""],
    ["€ ", ""],
    ["", " €"],
    ["$", ""],
    ["EUR ", ""],
    ["", " CHF"],
  );
  fc.assert(
    fc.property(amount, locale, around, (cents, [group, mark], [before, after]) => {
      const text = `${before}${written(cents, group, mark)}${after}`;
      const found = findNumbers(text, mark, currencyCodes);
      assert.deepEqual(
        found.map((one) => one.value),
        [cents / 100],
        text,
      );
      assert.equal(text.slice(found[0]?.start, found[0]?.end), text);
    }),
  );
});

test("signs before, after and around a number are read", () => {
  assert.deepEqual(valuesIn("-5,00", ","), [-5]);
  assert.deepEqual(valuesIn("5.00-", "."), [-5]);
  assert.deepEqual(valuesIn("(5.00)", "."), [-5]);
  assert.deepEqual(valuesIn("- 5,00 €", ","), [-5]);
  assert.deepEqual(valuesIn("CHF 12.–", "."), [12]);
});

test("three digits after a separator are thousands, unless it is the document's decimal mark", () => {
  assert.deepEqual(valuesIn("1.234", ","), [1234]);
  assert.deepEqual(valuesIn("1.234", "."), [1.234]);
  assert.deepEqual(valuesIn("0.025 €", ","), [0.025]);
  assert.deepEqual(valuesIn("1,00,000.00", "."), [100_000]);
});

test("digits in words, codes and broken groups are not numbers", () => {
  for (const text of ["RE-2017", "A4", "1.2.3.4", "5x", "DE12", "12/34"])
    assert.deepEqual(valuesIn(text, "."), text === "12/34" ? [12] : [], text);
});

test("percentages are distinguished from amounts", () => {
  assert.equal(findNumbers("19 %", ",", currencyCodes)[0]?.percent, true);
  assert.equal(findNumbers("19 €", ",", currencyCodes)[0]?.percent, false);
});

test("only unambiguous numbers vote for a decimal mark", () => {
  assert.ok(markVotes("1.234,56")[","] > 0);
  assert.equal(markVotes("1.234,56")["."], 0);
  assert.ok(markVotes("12.50 13.75")["."] > 0);
  assert.deepEqual(markVotes("10.000"), { ",": 0, ".": 0 });
});

test("spans of any text are within the text", () => {
  const hostile = fc.string({
    unit: fc.constantFrom("1", "2", ".", ",", " ", "'", "-", "(", "€", "A"),
    maxLength: 400,
  });
  fc.assert(
    fc.property(hostile, fc.constantFrom<DecimalMark>(".", ","), (text, mark) => {
      for (const { start, end, value } of findNumbers(text, mark, currencyCodes)) {
        assert.ok(start >= 0 && start < end && end <= text.length);
        assert.ok(Number.isFinite(value));
        assert.match(text.slice(start, end), /\d/);
      }
    }),
  );
});

test("digit groups separated by spaces are one number", () => {
  const values = (text: string): number[] => findNumbers(text, ",", new Set(["EUR"])).map((found) => found.value);
  assert.deepEqual(values("1 253,79"), [1253.79]);
  assert.deepEqual(values("7\u00a0607,15 EUR"), [7607.15]);
  assert.deepEqual(values("Soit un total de 1 150 €"), [1150]);
  assert.deepEqual(values("Poids brut : 1 250 kg"), [1250]);
});
