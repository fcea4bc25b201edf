import assert from "node:assert/strict";
import test from "node:test";
import { findNumberWords } from "./number-words.ts";

const valuesIn = (...[text, language]: Parameters<typeof findNumberWords>): [string, number][] =>
  findNumberWords(text, language).map(({ start, end, value }) => [text.slice(start, end), value]);

test("small numbers are read as words of the document's language", () => {
  assert.deepEqual(valuesIn("a notice period of three months", "en"), [["three", 3]]);
  assert.deepEqual(valuesIn("Zwölf Schlüssel und dreißig Tage", "de"), [
    ["Zwölf", 12],
    ["dreißig", 30],
  ]);
  assert.deepEqual(valuesIn("dix-sept jours", "fr"), [["dix-sept", 17]]);
});

test("articles and parts of words are not numbers", () => {
  assert.deepEqual(valuesIn("one of the tenants weighs often", "en"), []);
  assert.deepEqual(valuesIn("Dreizimmerwohnung", "de"), []);
});
