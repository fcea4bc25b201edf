import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { type PlacedText, pageOf } from "../testing/document-builder.ts";
import { captionsBelow } from "./captions.ts";
import { textRunsOf } from "./text-runs.ts";

/** A form whose captions are in small print below its entries. */
const form: PlacedText[] = [
  { text: "Rosalind Castellane", x: 40, y: 40, size: 11 },
  { text: "4711-88", x: 300, y: 40, size: 11 },
  { text: "Tenant", x: 40, y: 52, size: 7 },
  { text: "Contract number", x: 300, y: 52, size: 7 },
  { text: "14.5", x: 40, y: 90, size: 11 },
  { text: "01/02/2026", x: 300, y: 90, size: 11 },
  { text: "Length in metres", x: 40, y: 102, size: 7 },
  { text: "Date of receipt", x: 300, y: 102, size: 7 },
];
const documentWith = (texts: readonly PlacedText[]) => ({
  mime: "application/pdf",
  metadata: {},
  pages: [pageOf(texts)],
});
const captionsOf = (texts: readonly PlacedText[]): [string, string][] =>
  textRunsOf(documentWith(texts)).pages.flatMap((page) =>
    [...captionsBelow(page).ofValue].map(([value, caption]): [string, string] => [value.text, caption.text]),
  );

test("small print below entries is their caption", () => {
  assert.deepEqual(captionsOf(form), [
    ["Rosalind Castellane", "Tenant"],
    ["4711-88", "Contract number"],
    ["14.5", "Length in metres"],
    ["01/02/2026", "Date of receipt"],
  ]);
  const params: ExtractionParam[] = [
    { name: "contract_number", format: "text", description: "Contract number" },
    { name: "length", format: "number", description: "Length in metres" },
  ];
  const { data } = extractBuiltin({ document: documentWith(form), params });
  assert.deepEqual({ ...data }, { contract_number: "4711-88", length: 14.5 });
});

test("small print above entries is not the caption of the entry above it", () => {
  const above = form.map((each) => (each.size === 7 ? { ...each, y: each.y - 24 } : each));
  assert.deepEqual(captionsOf(above), []);
});

test("one small line below a title is not a caption", () => {
  assert.deepEqual(
    captionsOf([
      { text: "Marlow Stores", x: 40, y: 40, size: 18 },
      { text: "Everything for the garden", x: 40, y: 62, size: 9 },
    ]),
    [],
  );
});
