import assert from "node:assert/strict";
import test from "node:test";
import { spanText } from "../../page/run-spans.ts";
import { type PageRuns, type TextRun, textRunsOf } from "../../page/text-runs.ts";
import { documentOf } from "../../testing/document-builder.ts";
import { phrasesIn, wrappedPhrases } from "./phrases.ts";

function linesOf(...lines: string[]): { page: PageRuns; runs: TextRun[] } {
  const [page] = textRunsOf(documentOf(lines.map((line) => [line]))).pages;
  assert.ok(page);
  return { page, runs: page.runs };
}

function phrasesOf(line: string): string[] {
  const { page, runs } = linesOf(line);
  return runs.flatMap((run) => [...phrasesIn(page, run)].map(spanText));
}

function includes(line: string, ...expected: string[]): void {
  const phrases = phrasesOf(line);
  for (const phrase of expected) assert.ok(phrases.includes(phrase), `${phrase} in ${phrases.join(" / ")}`);
}

test("the parts between separators are phrases, and so are several parts joined by commas", () => {
  includes(
    "512 Harvester Street, Cedar Prairie, IA 52999 • (555) 016-2290 • q.lindholm@inbox.example",
    "512 Harvester Street, Cedar Prairie, IA 52999",
    "512 Harvester Street",
    "q.lindholm@inbox.example",
  );
  includes("Paid on 5 April with TWINT. Customer: Jane Miller. Work is guaranteed", "Jane Miller");
  includes("He is allergic to penicillin (hives).", "hives");
});

test("a name ends where its sentence ends, and does not include the job title before it", () => {
  includes("reporting to Lars Petrowski. The company may", "Lars Petrowski");
  includes("Handover with caretaker Beat Kammer and", "Beat Kammer");
  includes("Hauswart Beat Kammer", "Beat Kammer");
});

test("each phrase is yielded once, and the whole line is never yielded", () => {
  const line = "Jane Miller, Elm Street 4, Jane Miller";
  const phrases = phrasesOf(line);
  assert.ok(!phrases.includes(line));
  // "Jane Miller" occurs twice in the line, at different positions.
  assert.equal(phrases.filter((phrase) => phrase === "Jane Miller").length, 2);
});

test("a name or an address may continue on the next line of a paragraph", () => {
  const { page, runs } = linesOf(
    "This agreement is made between the landlord, Mr Alaric",
    "Penhaligon-Shaw, of 12 Weir Lane, Lowick, and the tenant",
  );
  const wrapped = runs.flatMap((run) => [...wrappedPhrases(page, run)].map((spans) => spans.map(spanText).join(" ")));
  assert.ok(wrapped.includes("Mr Alaric Penhaligon-Shaw"), wrapped.join(" / "));
});

test("a line that ends with a colon does not continue on the next line", () => {
  const { page, runs } = linesOf("The Landlord John Brown:", "Miller Street 5");
  assert.deepEqual(
    runs.flatMap((run) => [...wrappedPhrases(page, run)]),
    [],
  );
});
