/** `sheaf evaluate` as a user runs it. */
import assert from "node:assert/strict";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Evaluation } from "@sheaf/contract/evaluation.ts";
import { compile } from "@sheaf/contract/validate.ts";
import { run, temporaryFolder } from "./helpers/process.ts";

const samplePath = join(import.meta.dirname, "../../examples/invoice.pdf");
const number = { name: "number", format: "text", description: "Number of the invoice" };
const rate = { name: "z1", format: "number", description: "Total amount including tax" };

test("evaluate scores two schemas on a folder of documents, and exits with 1 if a field gets worse", {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const settings = { SHEAF_DATA_DIR: at("none") };
  const evaluate = (...rest: string[]) => run(["evaluate", folder.path, ...rest], settings);
  await writeFile(at("present.params"), JSON.stringify([number, rate]));
  await writeFile(at("proposed.params"), JSON.stringify([number, { ...rate, format: "boolean" }]));
  const none = await evaluate("--params", at("present.params"));
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  await copyFile(samplePath, at("a.pdf"));
  await writeFile(at("a.json"), JSON.stringify({ number: "NL-2026-0417", z1: 1, lines: [{ label: "x" }] }));
  const alone = JSON.parse((await evaluate("--params", at("present.params"))).stdout);
  const right = alone.fields.find(({ path }: { path: string }) => path === "/number");
  assert.deepEqual([right.after.f1, alone.documents, alone.changes], [1, 1, []]);
  const wrong = alone.fields.find(({ path }: { path: string }) => path === "/z1");
  await writeFile(at("a.json"), JSON.stringify({ number: "NL-2026-0417", z1: 1021.8 }));
  const lost = await evaluate("--params", at("proposed.params"), "--against", at("present.params"));
  const found = JSON.parse(lost.stdout);
  assert.deepEqual([wrong.after.wrong, lost.code, found.lost], [1, 1, ["/z1"]]);
  assert.deepEqual(compile(Evaluation)({ ...found, reviewed: 1 }), []);
  await writeFile(at("a.json"), JSON.stringify({ number: {} }));
  const invalid = await evaluate("--params", at("present.params"));
  assert.equal(invalid.code, 1);
  assert.match(invalid.stderr, /\/number must be a value or an array of objects/);
});
