import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOfPassage } from "./detection.ts";

const german =
  "Die Kündigung muss schriftlich erfolgen und ist nur wirksam, wenn sie dem anderen Teil vor dem Ablauf der Frist zugegangen ist.";
const english =
  "The notice has to be in writing and is only valid if it has been received by the other party before the end of the period.";

test("a passage has its own language, whatever language is expected", () => {
  for (const expected of ["", "de", "en", "xx"]) {
    assert.equal(languageOfPassage(german, 300, expected), "de");
    assert.equal(languageOfPassage(english, 300, expected), "en");
  }
});

test("a text whose language can't be determined gets the expected language", () => {
  for (const text of ["", "Vertrag", "12,50 ".repeat(40)]) assert.equal(languageOfPassage(text, 300, "fr"), "fr");
});
