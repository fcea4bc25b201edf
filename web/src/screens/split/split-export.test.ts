import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOfSegments, exportNameOf, jsonOfSegments } from "./split-export.ts";

const segments = [
  { start: 1, end: 3, label: "invoice", title: 'Invoice "A", 2026', confidence: 0.93 },
  { start: 4, end: 4, label: "=1+1", title: "", confidence: null },
];

test("the CSV has one line per segment, and no cell is run as a formula", () => {
  assert.equal(
    csvOfSegments("scans.pdf", segments),
    "\uFEFFfile,first_page,last_page,pages,label,title,confidence\r\n" +
      'scans.pdf,1,3,3,invoice,"Invoice ""A"", 2026",0.93\r\n' +
      `scans.pdf,4,4,1,"'=1+1",,\r\n`,
  );
});

test("the JSON has the same members as the API", () => {
  assert.deepEqual(JSON.parse(jsonOfSegments("scans.pdf", segments)), {
    source_name: "scans.pdf",
    pages_count: 4,
    segments,
  });
});

test("exported files are named after the source file", () => {
  assert.equal(exportNameOf("scans 2026.03.pdf", "csv"), "scans 2026.03-segments.csv");
  assert.equal(exportNameOf("scans", "json"), "scans-segments.json");
});
