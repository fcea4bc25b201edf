import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../testing/document-builder.ts";
import type { Candidate } from "./candidates/find-candidates.ts";
import { choose } from "./choose-values.ts";
import { readAskedFields } from "./labels/asked-fields.ts";
import { partyViewOf } from "./parties/party-view.ts";

const rows = [["Harbor Tools"], ["Mill Creek Farm"], ["Harbor Tools"]];
const asked = readAskedFields(
  ["seller name", "buyer name", "author"].map((name) => ({ name, format: "text", description: "" })),
);
const view = partyViewOf(documentOf(rows), asked);

function candidate(row: number, score: number): Candidate {
  const run = view.layout.pages[0]?.rows[row]?.[0];
  assert.ok(run);
  const span = { page: 0, words: run.words, run, start: 0, end: run.text.length };
  return { value: run.text, match: "exact", score, ...span };
}

/**
 * Chooses values for two fields whose most probable candidates are the same name, printed in two
 * places.
 */
function namesOf(first: string, second: string): unknown[] {
  const ranked = [
    { name: first, candidates: [candidate(0, 0.8)] },
    { name: second, candidates: [candidate(2, 0.5), candidate(1, 0.4)] },
  ].flatMap(({ name, candidates }) =>
    asked.filter((query) => query.name === name).map((query) => ({ query, candidates, byRules: [] })),
  );
  return [...choose(ranked, view).values()].map((choice) => choice.candidate.value);
}

test("the seller and the buyer do not get the same name", () => {
  assert.deepEqual(namesOf("seller name", "buyer name"), ["Harbor Tools", "Mill Creek Farm"]);
  assert.deepEqual(namesOf("buyer name", "seller name"), ["Harbor Tools", "Mill Creek Farm"]);
});

test("a seller and an author may have the same name, printed in two places", () => {
  assert.deepEqual(namesOf("seller name", "author"), ["Harbor Tools", "Harbor Tools"]);
});
