import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { documentPathIssues, extensionOf, filenameIssues, normalizeFilename } from "./filename.ts";

describe("file names", () => {
  for (const name of ["a.pdf", "Ärger – №7 (2).PDF", "契約書.docx", "..pdf.pdf", "a b.pdf", ".hidden.pdf", "a.pdf.exe"])
    test(`${name} is accepted`, () => assert.deepEqual(filenameIssues(name), []));

  for (const [why, name] of [
    ["empty", ""],
    ["dot", "."],
    ["two dots", ".."],
    ["no extension", "README"],
    ["nothing before the dot", ".pdf"],
    ["nothing after the dot", "name."],
    ["slash", "a/b.pdf"],
    ["backslash", "..\\b.pdf"],
    ["absolute", "/etc/passwd.pdf"],
    ["NUL", "a\0.pdf"],
    ["line break", "a\r\nSet-Cookie: x.pdf"],
    ["C1 control", "a\u0085.pdf"],
    ["right-to-left override", "invoice\u202efdp.exe"],
    ["isolate", "a\u2066.pdf"],
    ["half of a surrogate pair", "a\ud800.pdf"],
    ["no string", 7],
    ["null", null],
  ] as const)
    test(`refused: ${why}`, () => assert.equal(filenameIssues(name).length, 1));

  test("the limit of 255 characters applies after NFC", () => {
    assert.deepEqual(filenameIssues(`${"e\u0301".repeat(251)}.pdf`), []);
    assert.equal(filenameIssues(`${"e\u0301".repeat(252)}.pdf`).length, 1);
    assert.deepEqual(filenameIssues(`${"😀".repeat(251)}.pdf`), []);
  });

  test("a name of 100 MB is refused without being normalized", () => {
    assert.deepEqual(filenameIssues(`${"\u0344".repeat(50_000_000)}.pdf`), [
      { path: "/filename", message: "must have at most 255 characters" },
    ]);
  });

  test("both Unicode spellings of a name are normalized to the same text", () => {
    assert.equal(normalizeFilename("Re\u0301sume\u0301.pdf"), normalizeFilename("R\u00e9sum\u00e9.pdf"));
  });

  test("the extension is the lower-case text after the last dot", () => {
    const extensions = ["Scan.2024.PDF", "a.tar.gz", "README", ".profile", "name.", ""].map(extensionOf);
    assert.deepEqual(extensions, ["pdf", "gz", "", "", "", ""]);
  });
});

describe("paths of documents", () => {
  for (const path of ["a", "contracts/2026", "a b/c.d", "...", ".hidden/x", "x".repeat(255)])
    test(`${path.slice(0, 20)} is accepted`, () => assert.deepEqual(documentPathIssues(path), []));

  for (const path of [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    ".",
    "a/./b",
    "../a",
    "a\\b",
    "a\0b",
    "x".repeat(256),
    "a/".repeat(256),
    3,
  ])
    test(`${JSON.stringify(path).slice(0, 20)} is refused`, () => assert.equal(documentPathIssues(path).length, 1));

  test("512 characters are allowed, 513 are not", () => {
    const path = `${"x".repeat(255)}/${"y".repeat(254)}/z`;
    assert.equal(path.length, 512);
    assert.deepEqual(documentPathIssues(path), []);
    assert.deepEqual(documentPathIssues(`${path}z`), [{ path: "/path", message: "must have at most 512 characters" }]);
  });
});

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.string({ unit: fc.constantFrom(".", "/", "\\", "\0", "a", "\u202e", "e\u0301", "\ud800", "😀"), maxLength: 600 }),
);

test("an accepted name is safe as a file name, in a header and in a database", () => {
  fc.assert(
    fc.property(hostileText, (base) => {
      const name = normalizeFilename(`${base}.pdf`);
      if (filenameIssues(`${base}.pdf`).length > 0) return;
      assert.ok([...name].length <= 255);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
      assert.doesNotMatch(name, /[\u0000-\u001f\u007f-\u009f/\\\u202a-\u202e\u2066-\u2069]/);
      assert.ok(name.isWellFormed());
      assert.equal(extensionOf(name), "pdf");
    }),
  );
});

test("whether a name is accepted does not depend on its Unicode spelling", () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      assert.deepEqual(filenameIssues(name.normalize("NFD")), filenameIssues(name.normalize("NFC")));
    }),
  );
});

test("an accepted path has only safe segments, and a refused path has exactly one issue", () => {
  fc.assert(
    fc.property(hostileText, (path) => {
      const issues = documentPathIssues(path);
      if (issues.length > 0) return assert.equal(issues.length, 1);
      for (const segment of path.split("/")) assert.ok(segment !== "" && segment !== "." && segment !== "..");
    }),
  );
});
