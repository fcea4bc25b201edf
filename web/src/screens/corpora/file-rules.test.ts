import assert from "node:assert/strict";
import test from "node:test";
import { documentExtensions as accepted, limits } from "../../../../contract/src/limits.ts";
import {
  documentExtensions,
  isSystemFile,
  joinPath,
  maxDocumentBytes,
  maxPathLength,
  maxSegmentLength,
  refusalOf,
} from "./file-rules.ts";

test("the limits are the same as in the contract", () => {
  assert.deepEqual(documentExtensions, accepted);
  assert.equal(maxDocumentBytes, limits.maxDocumentFileBytes);
  assert.equal(maxPathLength, limits.documentPathMaxLength);
  assert.equal(maxSegmentLength, limits.documentPathSegmentMaxLength);
  assert.equal(maxSegmentLength, limits.filenameMaxLength);
});

test("names and paths that the service would refuse are refused", () => {
  const refusal = (name: string, path = "") => refusalOf({ name, path, size: 1 }, maxDocumentBytes);
  assert.equal(refusal("Scan.2024.PDF", "contracts/2026"), undefined);
  assert.equal(refusal(".pdf"), "unsupported_file_type");
  assert.equal(refusal("a\\b.pdf"), "invalid_name");
  assert.equal(refusal("cod\u202Efdp.pdf"), "invalid_name");
  assert.equal(refusal("a.pdf", "x/../y"), "invalid_name");
  assert.equal(refusal("a.pdf", "x//y"), "invalid_name");
  assert.equal(refusal(`${"a".repeat(252)}.pdf`), "name_too_long");
  assert.equal(refusal("a.pdf", "a".repeat(256)), "name_too_long");
  assert.equal(refusal("a.pdf", Array(6).fill("a".repeat(100)).join("/")), "name_too_long");
  // A letter and its combining accent count as one character.
  assert.equal(refusal(`${"e\u0301".repeat(251)}.pdf`), undefined);
});

test("a file of exactly the maximum size is accepted", () => {
  assert.equal(refusalOf({ name: "a.pdf", path: "", size: maxDocumentBytes }, maxDocumentBytes), undefined);
  assert.equal(refusalOf({ name: "a.pdf", path: "", size: maxDocumentBytes + 1 }, maxDocumentBytes), "file_too_large");
});

test("paths are joined without empty folders, and normalized to composed characters", () => {
  assert.equal(joinPath("", "a/", "/b//c"), "a/b/c");
  assert.equal(joinPath("e\u0301"), "\u00e9");
  assert.equal(joinPath("", ""), "");
});

test("files that operating systems and office programs add to folders, such as .DS_Store, are recognized", () => {
  assert.deepEqual([".DS_Store", "Thumbs.db", "._scan.pdf", "~$letter.docx", "scan.pdf"].map(isSystemFile), [
    true,
    true,
    true,
    true,
    false,
  ]);
});
