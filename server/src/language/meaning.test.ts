import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dot, meaningOf } from "./meaning.ts";
import { gramFeatures, meaningWords, pairFeature, wordFeature } from "./meaning-features.ts";

const nearest = (ask: string, labels: readonly string[]): string => {
  const vector = meaningOf(ask) ?? assert.fail(ask);
  const scores = labels.map((label) => dot(vector, meaningOf(label) ?? assert.fail(label)));
  return labels[scores.indexOf(Math.max(...scores))] ?? "";
};

test("a label is found by meaning, in another language and without a common word", () => {
  const labels = ["Fällig am", "Rechnungsdatum", "Nettobetrag", "Kundennummer", "Mieter"];
  assert.equal(nearest("until when we have to pay", labels), "Fällig am");
  assert.equal(nearest("amount before tax", labels), "Nettobetrag");
  assert.equal(nearest("who rents the flat", labels), "Mieter");
});

test("vectors have length one, whatever the text; a text without letters has no vector", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
      const vector = meaningOf(text);
      if (vector) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-3);
      if (!/\p{L}/u.test(text)) assert.equal(vector, undefined);
    }),
  );
});

test("words do not depend on case, accents or code style", () => {
  assert.deepEqual(meaningWords("due_date"), meaningWords("Due date"));
  assert.deepEqual(meaningWords("ÉCHÉANCE"), meaningWords("echeance"));
  assert.equal(meaningOf("Due date"), meaningOf("due_date"), "the same object, so that results can be cached by it");
});

test("features differ by type, and those of a pair by the order of its words", () => {
  const features = [wordFeature("net"), ...gramFeatures("net"), pairFeature("net", "date"), pairFeature("date", "net")];
  assert.equal(new Set(features).size, features.length);
  assert.equal(gramFeatures("net").length, 5, "<ne, net, et>, <net, net>");
});

test("the order of words counts", () => {
  const [first, second] = [meaningOf("date of invoice"), meaningOf("invoice of date")];
  assert.ok(first && second && dot(first, second) < 0.999);
});

test("a very long text costs no more than its beginning", () => {
  assert.deepEqual(meaningWords("a b ".repeat(100_000)), meaningWords("a b ".repeat(100)));
});
