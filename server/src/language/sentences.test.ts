import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unitsOf } from "./sentences.ts";

const sentences = (text: string): string[] => unitsOf(text).map(({ start, end }) => text.slice(start, end));

test("sentence ends are found in every script", () => {
  const cases: string[][] = [
    ["Dr. Smith lives at No. 5 Mill St. in the U.S. since 1990.", "He likes it."],
    ["It was founded by H. G. Wells.", "Nobody knew."],
    ["Die 3. Oktober-Feier fand im 19. Jahrhundert statt.", "Danach z. B. nicht mehr."],
    ["Il a dit : « C'est fini. »", "Puis il est parti."],
    ["Vitamin C.", "The end."],
    ["公司成立于1998年。", "总部设在上海。"],
    ["تأسست الشركة عام 1994.", "هل هذا صحيح؟"],
    ["Это было в 1990 г. и т. д. до конца.", "Потом нет."],
  ];
  for (const parts of cases) assert.deepEqual(sentences(parts.join(" ")), parts);
});

test("lines of a paragraph are joined, and lines of a form, a list and a table are separate", () => {
  assert.deepEqual(
    sentences(
      "The quick brown fox jumps over the lazy dog and goes\non running through the forest until night comes.\nName: Ada\nTotal 1,200 1,350 1,410",
    ),
    [
      "The quick brown fox jumps over the lazy dog and goes\non running through the forest until night comes.",
      "Name: Ada",
      "Total 1,200 1,350 1,410",
    ],
  );
});

test("units of any text are ordered, disjoint and trimmed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      let last = 0;
      for (const { start, end } of unitsOf(text)) {
        assert.ok(start >= last && end > start && text.slice(start, end).trim() === text.slice(start, end));
        last = end;
      }
    }),
  );
});
