import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hitOf, maxIndexedBytes, termsColumn, termsEnd, withHit } from "./terms-column.ts";

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...' \t\n\u0001\u0085\u00a0\u2028\u3000\ufeff|\\"{'), fc.string()),
});

test("terms and hit are read back as written, and the hit is a single word that is not indexed", () => {
  fc.assert(
    fc.property(text, text, fc.array(text), (written, title, headings) => {
      const hit = { document: "d", page: 1, start: 0, end: 2, text: written, headings, title, name: "", path: "" };
      const terms = termsColumn("barn", "", "wheat in barn . wheat");
      const column = Buffer.from(withHit(terms, hit));
      assert.equal(termsEnd(column), terms.length);
      assert.deepEqual(hitOf(column), JSON.parse(JSON.stringify(hit)));
      const word = column.toString("utf8", terms.length + 1);
      assert.doesNotMatch(word, /[\p{White_Space}]/u);
      assert.ok(Buffer.byteLength(word) > maxIndexedBytes);
    }),
  );
});
