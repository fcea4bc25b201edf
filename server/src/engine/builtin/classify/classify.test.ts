import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../testing/document-builder.ts";
import { classifyBuiltin } from "./classify.ts";

const invoice = [["Invoice"], ["Invoice No:", "4711-A"], ["Amount due", "12.00"], ["Page 1 of 1"]];
const contract = [
  ["Employment contract"],
  ["between the employer and the employee"],
  ["probation period"],
  ["Page 1 of 1"],
];
const classes = [{ label: "Rechnung" }, { label: "Arbeitsvertrag", description: "Vertrag mit Angestellten" }];

test("parts two documents and labels them by classes in another language", () => {
  const document = documentOf(invoice, contract);
  const { segments, discoveredClasses } = classifyBuiltin({ document, filename: "a.pdf", classes, mode: "auto" });
  assert.deepEqual(
    segments.map(({ start, end, label, title }) => ({ start, end, label, title })),
    [
      { start: 1, end: 1, label: "Rechnung", title: "Invoice" },
      { start: 2, end: 2, label: "Arbeitsvertrag", title: "Employment contract" },
    ],
  );
  assert.deepEqual(discoveredClasses, []);
});

test("discovers the class of what no given class stands for", () => {
  const document = documentOf([["Delivery note"], ["Goods received"], ["Page 1 of 1"]], invoice);
  const { segments, discoveredClasses } = classifyBuiltin({ document, filename: "a.pdf", classes, mode: "auto" });
  assert.deepEqual(
    segments.map(({ label }) => label),
    ["delivery note", "Rechnung"],
  );
  assert.deepEqual(
    discoveredClasses.map(({ label, pages }) => ({ label, pages })),
    [{ label: "delivery note", pages: [1] }],
  );
});
