import assert from "node:assert/strict";
import test from "node:test";
import { textRunsOf } from "../page/text-runs.ts";
import { documentOf } from "../testing/document-builder.ts";
import { wrappedIban } from "./wrapped-iban.ts";

function wrappedIn(first: string, second: string): { text: string; words: string[] } | undefined {
  const [page] = textRunsOf(documentOf([[first], [second]])).pages;
  const run = page?.runs[0];
  assert.ok(page && run);
  const found = wrappedIban(page, run);
  return found && { text: found.text, words: found.words.map((word) => page.page.words[word]?.text ?? "") };
}

test("an IBAN that goes on in the next line is found with the words of both lines", () => {
  assert.deepEqual(wrappedIn("Account DE89 3704 0044", "0532 0130 00 Sparkasse"), {
    text: "DE89 3704 0044 0532 0130 00",
    words: ["DE89", "3704", "0044", "0532", "0130", "00"],
  });
});

test("an IBAN may begin inside a word", () => {
  const found = wrappedIn("please pay to account(IBAN:DE893704", "0044 0532 0130 00");
  assert.equal(found?.text, "DE893704 0044 0532 0130 00");
  assert.deepEqual(found?.words, ["account(IBAN:DE893704", "0044", "0532", "0130", "00"]);
});

test("pieces with wrong check digits are no IBAN", () => {
  assert.equal(wrappedIn("Account DE89 3704 0044", "0532 0130 01"), undefined);
});
