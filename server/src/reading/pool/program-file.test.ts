import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bundleFolder, bundleOf, digestOf, hasBundles, programFile } from "./program-file.ts";

test("processes run the bundles, which are made before the tests", () => {
  assert.ok(hasBundles(bundleFolder), "npm run prepare makes them");
  const program = "child/reading-process-entry.ts";
  assert.equal(programFile(program), bundleOf(program));
});

test("bundles of modules that have changed or are gone are not used", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "bundles-"));
  t.after(() => rm(folder, { recursive: true }));
  assert.equal(hasBundles(folder), false);
  const modules = ["reader.ts", "document.ts"];
  const write = (manifest: object) => writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  await write({ modules, digest: digestOf(modules) });
  assert.equal(hasBundles(folder), true);
  await write({ modules, digest: digestOf(["reader.ts"]) });
  assert.equal(hasBundles(folder), false);
  await write({ modules: ["gone.ts"], digest: "" });
  assert.equal(hasBundles(folder), false);
});
