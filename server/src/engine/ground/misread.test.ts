import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Page } from "../../reading/document.ts";
import { documentOf } from "../testing/document-builder.ts";
import { findMisread } from "./misread.ts";
import { openGround } from "./open-ground.ts";

function textOn(lines: readonly string[], quote: string, value = quote): string | undefined {
  const document = documentOf(lines.map((line) => [line]));
  const pages = document.pages.map((page): Page => ({ ...page, source: "ocr" }));
  const [page] = openGround({ ...document, pages }).index.pages;
  const start = quote.indexOf(value);
  const found = page && findMisread(page, quote, start, start + value.length);
  return found?.words.map((index) => pages[0]?.words[index]?.text).join(" ");
}
const receipt = ["HARB0UR STREFT BAKFRY", "lnvoice n0. 2O4l7", "Tots amount 22 95", "Rye hread 7.4O"];

test("misread words are found, and among them those of the value", () => {
  assert.equal(textOn(receipt, "Harbour Street Bakery"), "HARB0UR STREFT BAKFRY");
  assert.equal(textOn(receipt, "Invoice no. 20417", "20417"), "2O4l7");
  assert.equal(textOn(receipt, "Total amount 22.95", "22.95"), "22 95");
  assert.equal(textOn(receipt, "7.40"), undefined, "too short to be told from others");
});

test("digits must match exactly: none is replaced, missing or added", () => {
  for (const wrong of ["22.96", "22.9", "2.95", "122.95", "22.955", "22.45"])
    assert.equal(textOn(receipt, `Total amount ${wrong}`, wrong), undefined, wrong);
  assert.equal(textOn(receipt, "Invoice no. 20471", "20471"), undefined);
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 9 }).map((each) => each.join(""));
  fc.assert(
    fc.property(digits, digits, (own, other) => {
      fc.pre(own !== other);
      assert.equal(textOn([`Account ${own} of the holder`], `Account ${other} of the holder`, other), undefined);
    }),
  );
});

test("different words do not count as misread", () => {
  for (const other of ["Moonlight Trading Company", "Rye cake 7.40 Butter", "Invoice date", "Grand Hotel London"])
    assert.equal(textOn(receipt, other), undefined, other);
});

test("random pages and quotes return words of the page or none", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 80 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), text, fc.nat(80), fc.nat(80), (lines, quote, start, end) => {
      const document = documentOf(lines.map((line) => [line]));
      const [page] = openGround(document).index.pages;
      const found = page && findMisread(page, quote, start, end);
      for (const index of found?.words ?? []) assert.ok(document.pages[0]?.words[index]);
    }),
  );
});
