/** `sheaf classify` as a user runs it. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Classification } from "@sheaf/contract/classification.ts";
import { compile } from "@sheaf/contract/validate.ts";
import { run, temporaryFolder } from "./helpers/process.ts";

const samplePath = join(import.meta.dirname, "../../examples/invoice.pdf");
const classesJson = JSON.stringify([
  { label: "Rechnung", description: "Rechnungen von Lieferanten" },
  { label: "Vertrag" },
]);

test("classify prints one line per file, including failures, and needs no data folder", {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder();
  const broken = join(folder.path, "broken.pdf");
  await writeFile(broken, "no pdf");
  const classes = join(folder.path, "classes.json");
  await writeFile(classes, classesJson);
  const settings = { SHEAF_DATA_DIR: join(folder.path, "none") };
  const files = [samplePath, broken, join(folder.path, "missing.pdf"), join(folder.path, "notes.txt")];
  const { code, stdout, stderr } = await run(["classify", ...files, "--classes", classes], settings);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(code, 1);
  const { data, metadata } = lines[0];
  assert.deepEqual(compile(Classification)(data), []);
  assert.deepEqual(
    [data.source_name, data.mode, data.pages_count, data.segments.length, data.segments[0].label],
    ["invoice.pdf", "auto", 1, 1, "Rechnung"],
  );
  assert.deepEqual([data.discovered_classes, metadata.tokens_consumed], [[], 0]);
  assert.deepEqual(
    lines.slice(1).map((line) => [line.metadata.filename, line.code]),
    [
      ["broken.pdf", "classification_failed"],
      ["missing.pdf", "invalid_request"],
      ["notes.txt", "unsupported_file_type"],
    ],
  );
  assert.equal(stderr.trim().split("\n").length, 3);
});

test("classify discovers classes if none are given", { timeout: 60_000 }, async () => {
  const { code, stdout } = await run(["classify", samplePath, "--mode", "page"]);
  const { data } = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.equal(data.mode, "page");
  assert.deepEqual(
    data.discovered_classes.map(({ label, pages }: { label: string; pages: number[] }) => ({ label, pages })),
    [{ label: "invoice", pages: [1] }],
  );
});

test("invalid classes and modes are reported", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  const classes = join(folder.path, "classes.json");
  await writeFile(classes, JSON.stringify([{ label: "" }, { description: "no label" }]));
  const wrong = await run(["classify", samplePath, "--classes", classes]);
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /^sheaf: .*classes\.json contains no valid classes:\n {2}\/0\/label .*\n {2}\/1\/label is required/,
  );
  await writeFile(classes, "{");
  const noJson = await run(["classify", samplePath, "--classes", classes]);
  assert.match(noJson.stderr, /^sheaf: .*classes\.json is not JSON/);
  const mode = await run(["classify", samplePath, "--mode", "chapter"]);
  assert.deepEqual([mode.code, mode.stderr], [1, "sheaf: --mode must be one of auto, page, document.\n"]);
});
