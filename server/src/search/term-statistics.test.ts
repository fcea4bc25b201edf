import assert from "node:assert/strict";
import { test } from "node:test";
import { TermStatistics } from "./term-statistics.ts";
import { termsColumn, withHit } from "./terms-column.ts";

test("a term counts once per passage, at any position", () => {
  const hit = { document: "d", page: 1, start: 0, end: 1, text: "wheat", headings: [], title: "", name: "", path: "" };
  const columns = [
    termsColumn("barn", "farm barn", "wheat in barn . wheat"),
    termsColumn("", "", "wheat"),
    termsColumn("rye", "", ""),
    termsColumn("ä", "面", "emoji 🌾"),
  ].map((terms) => Buffer.from(withHit(terms, hit)));
  const statistics = new TermStatistics(columns, ["en", "en", "de", "en"]);
  const shares = { wheat: 0.5, barn: 0.25, rye: 0.25, farm: 0.25, ä: 0.25, 面: 0.25, "🌾": 0.25, oats: 0, "|": 0 };
  for (const [term, share] of Object.entries(shares)) assert.equal(statistics.shareOf(term), share, term);
  assert.deepEqual(statistics.languages, ["en", "de"]);
  assert.equal(statistics.sampled, 4);
});

test("an empty sample has no statistics", () => {
  const statistics = new TermStatistics([], []);
  assert.equal(statistics.shareOf("wheat"), 0);
  assert.equal(statistics.meanLength, 1);
});
