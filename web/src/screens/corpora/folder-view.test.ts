import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "@sheaf/client";
import { crumbsOf, rowsOf } from "./folder-view.ts";

const document = (path: string, name: string, more: Partial<Document> = {}): Document => ({
  reference: `${path}/${name}`,
  name,
  path,
  status: "ready",
  size: 1,
  mime: "application/pdf",
  created_at: "2026-11-24T12:00:00.000Z",
  updated_at: "2026-11-24T12:00:00.000Z",
  ...more,
});

const documents = [
  document("", "b10.pdf"),
  document("", "b9.pdf"),
  document("a", "one.pdf"),
  document("a/x", "two.pdf", { status: "pending" }),
  document("a/x/y", "Café.pdf", { status: "error" }),
  document("ab", "three.pdf", { status: "pending", pages_done: 3 }),
];
const collator = new Intl.Collator("en", { numeric: true });
const rows = (filter: Partial<Parameters<typeof rowsOf>[1]>) =>
  rowsOf(documents, { folder: "", name: "", state: undefined, ...filter }, collator).map((row) =>
    row.kind === "folder" ? [row.path, row.documents, row.pending, row.failed] : row.document.name,
  );

test("the top lists its folders first, then its documents, with numbers in numeric order", () => {
  assert.deepEqual(rows({}), [["a", 3, 1, 1], ["ab", 1, 1, 0], "b9.pdf", "b10.pdf"]);
});

test("a folder lists its own subfolders, and not those of a folder with a longer name, such as a and ab", () => {
  assert.deepEqual(rows({ folder: "a" }), [["a/x", 2, 1, 1], "one.pdf"]);
  assert.deepEqual(rows({ folder: "a/x" }), [["a/x/y", 1, 0, 1], "two.pdf"]);
});

test("a filter also finds documents in subfolders, and ignores case and accents", () => {
  assert.deepEqual(rows({ name: "CAFE" }), ["Café.pdf"]);
  assert.deepEqual(rows({ state: "waiting" }), ["two.pdf"]);
  assert.deepEqual(rows({ state: "reading" }), ["three.pdf"]);
  assert.deepEqual(rows({ folder: "ab", state: "waiting" }), []);
});

test("ten thousand documents are filtered within 200 ms", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => document(`f${i % 100}`, `n${i}.pdf`));
  const start = performance.now();
  assert.equal(rowsOf(many, { folder: "", name: "n99", state: undefined }, collator).length, 111);
  assert.equal(rowsOf(many, { folder: "", name: "", state: undefined }, collator).length, 100);
  assert.ok(performance.now() - start < 200);
});

test("the breadcrumbs link to each folder above", () => {
  assert.deepEqual(crumbsOf(""), []);
  assert.deepEqual(crumbsOf("a/b"), [
    { name: "a", path: "a" },
    { name: "b", path: "a/b" },
  ]);
});
