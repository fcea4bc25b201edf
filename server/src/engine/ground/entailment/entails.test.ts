import assert from "node:assert/strict";
import { test } from "node:test";
import { entails } from "./entails.ts";

const germanPairs = [
  ["Der Vertrag wurde von Anna Berg gekündigt.", "Der Vertrag würde von Anna Berg gekündigt."],
  ["Der Mieter hatte gezahlt.", "Der Mieter hätte gezahlt."],
] as const;

for (const [fact, conditional] of germanPairs)
  test(`"${conditional}" does not support the fact`, () => {
    assert.equal(entails(conditional, fact, "de", "dmy"), false);
    assert.equal(entails(fact, fact, "de", "dmy"), true);
  });
