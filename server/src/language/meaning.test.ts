import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dot, meaningOf } from "./meaning.ts";
import { meaningFeatures, meaningRows } from "./meaning-features.ts";

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

test("features are rows of the table, and do not depend on case, accents or code style", () => {
  const { rows, weights } = meaningFeatures("Fälligkeit der Rechnung Nr. 12");
  assert.equal(rows.length, weights.length);
  assert.ok(rows.every((row) => row < meaningRows));
  assert.deepEqual(meaningFeatures("due_date"), meaningFeatures("Due date"));
  assert.deepEqual(meaningFeatures("ÉCHÉANCE"), meaningFeatures("echeance"));
});

test("a very long text costs no more than its beginning", () => {
  assert.deepEqual(meaningFeatures("a b ".repeat(100_000)), meaningFeatures("a b ".repeat(100)));
});
