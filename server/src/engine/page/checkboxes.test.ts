import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import type { Value } from "../engine.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { documentOf, pageOf } from "../testing/document-builder.ts";

const answer = (document: Document, name: string, format: ExtractionParam["format"], description = ""): Value =>
  extractBuiltin({ document, params: [{ name, format, description }] }).data[name] ?? null;

test("the ticked option behind a label is the value", () => {
  const document = documentOf([
    ["Ship via: [ ] Air [X] Road [ ] Sea"],
    ["Priority"],
    ["☐ Urgent ☒ Normal"],
    ["Colour: [ ] red [ ] blue"],
    ["Sizes: [x] small [x] large"],
  ]);
  assert.equal(answer(document, "ship via", "text"), "Road");
  assert.equal(answer(document, "priority", "text"), "Normal");
  assert.equal(answer(document, "colour", "text"), null);
  assert.equal(answer(document, "sizes", "text"), null);
});

test("options may be in separate cells", () => {
  const document = documentOf([["Sex:", "☐ M", "☒ F"]]);
  assert.equal(answer(document, "sex", "text"), "F");
});

test("a ticked answer to a question is the value", () => {
  const document = documentOf([["Was the damage insured elsewhere? [ ] yes [X] no"], ["Fasting:", "☒ Yes ☐ No"]]);
  assert.equal(answer(document, "damage insured elsewhere", "boolean"), false);
  assert.equal(answer(document, "fasting", "boolean"), true);
});

test("a cross marks the nearest printed answer, and printed answers without a cross have no value", () => {
  const crossed = (x: number): Document => ({
    mime: "application/pdf",
    metadata: {},
    pages: [
      pageOf([
        { text: "Smoker?", x: 40, y: 40 },
        { text: "Yes", x: 120, y: 40 },
        { text: "X", x, y: 40 },
        { text: "No", x: 200, y: 40 },
      ]),
    ],
  });
  assert.equal(answer(crossed(190), "smoker", "boolean"), false);
  assert.equal(answer(crossed(138), "smoker", "boolean"), true);
  assert.equal(answer(documentOf([["Smoker?", "Yes", "No"]]), "smoker", "boolean"), null);
});
