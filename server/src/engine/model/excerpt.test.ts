import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { documentOf, pageOf } from "../testing/document-builder.ts";
import { excerptOf, systemOf, withQuotes } from "./excerpt.ts";

const receipt = documentOf(
  [["Marlow Stores"], ["Lot 4"], ["Tea", "4.00"], ["Rice", "5.00"], ["Total:", "9.00"]],
  [["Thank you"], ["Come again"]],
);
const wordsOf = (page: number, ...texts: string[]) => ({
  page,
  words: texts.map((text) => receipt.pages[page]?.words.findIndex((word) => word.text === text) ?? -1),
});

test("lines with hint words are numbered in reading order, and omitted lines are marked", () => {
  const { text, lines } = excerptOf(receipt, [wordsOf(1, "again"), wordsOf(0, "9.00", "Total:"), wordsOf(0, "Marlow")]);
  assert.equal(text, "1|Marlow Stores\n…\n2|Total: 9.00\n…\n3|Come again");
  assert.deepEqual(
    lines.map(({ page }) => page),
    [1, 1, 2],
  );
});

test("text runs side by side are one line if both are shown", () => {
  assert.equal(excerptOf(receipt, [wordsOf(0, "Tea", "4.00", "Rice")]).text, "1|Tea 4.00\n2|Rice");
});

test("no text of a document can imitate a numbered line", () => {
  const hostile = fc.array(fc.oneof(fc.string(), fc.constantFrom("2|x", "\n3|9.00", "…", "a\u2028b", "\r4|y")), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(hostile, (texts) => {
      const page = pageOf(texts.map((_, row) => ({ text: `w${row}`, x: 40, y: 40 + 20 * row })));
      for (const [at, word] of page.words.entries()) word.text = texts[at] ?? "";
      const document = { mime: "", metadata: {}, pages: [page] };
      const { text, lines } = excerptOf(document, [{ page: 0, words: [...page.words.keys()] }]);
      assert.equal(lines.length, texts.length);
      const shown = text.split(/[\r\n\u2028\u2029]/u);
      assert.deepEqual(
        shown.map((line) => line.split("|")[0]),
        texts.length === 0 ? [""] : texts.map((_, at) => String(at + 1)),
      );
    }),
  );
});

test("line numbers become quotes: a text may continue on following lines, a number may not", () => {
  const lines = ["Marlow Stores", "Lot 4, Jalan Sagu", "81100 Johor", "Total: 9.00"].map((text) => ({ page: 2, text }));
  const text = { format: "text" as const, description: "" };
  const number = { format: "number" as const, description: "" };
  const params = [
    { name: "address", ...text },
    { name: "total", ...number },
    { name: "other", ...number },
    { name: "none", ...text },
    { name: "elsewhere", ...text },
  ];
  const answer = {
    address: { value: "Lot 4, Jalan Sagu, 81100 Johor", line: 2 },
    total: { value: 9, line: 4 },
    other: { value: 9, line: 40 },
    none: null,
    elsewhere: { value: "Marlow", line: 3 },
  };
  assert.deepEqual(withQuotes(params, answer, { lines, text: "" }), {
    address: { value: "Lot 4, Jalan Sagu, 81100 Johor", quote: "Lot 4, Jalan Sagu\n81100 Johor", page: 2 },
    total: { value: 9, quote: "Total: 9.00", page: 2 },
    other: { value: 9, quote: null, page: null },
    none: null,
    // The line number is wrong, so the value must occur verbatim elsewhere in the document.
    elsewhere: { value: "Marlow", quote: null, page: 2 },
  });
});

test("for any line number, the quote consists of shown lines or is absent", () => {
  const lines = ["Marlow", "Stores", "9.00"].map((text) => ({ page: 1, text }));
  const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(2 ** 53, -(2 ** 53), 1e300));
  fc.assert(
    fc.property(number, fc.constantFrom("text" as const, "date" as const), (line, format) => {
      const params = [{ name: "__proto__", format, description: "" }];
      const answer = Object.fromEntries([["__proto__", { value: "Marlow Stores", line }]]);
      const { quote } = Object.values(withQuotes(params, answer, { lines, text: "" }))[0] as { quote: string | null };
      const isAllowed = quote === null || quote === "Marlow\nStores" || lines.some(({ text }) => text === quote);
      assert.ok(isAllowed, String(quote));
    }),
  );
});

test("each field is described by name and description on its own line", () => {
  const params = [{ name: "total", format: "number" as const, description: "Total amount\n\nto pay" }];
  assert.equal(systemOf(params).split("\n").at(-1), "total: Total amount to pay");
});
