import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { kyselyBundle } from "./process-setup.ts";

const setUp = JSON.stringify(join(import.meta.dirname, "process-setup.ts"));

/** Runs a program in a new process and returns what it prints. */
const run = (program: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  }).trim();

test("kysely is loaded from its bundle, which exports everything that the separate modules export", () => {
  assert.ok(existsSync(kyselyBundle), "made when the packages are installed");
  const names = "console.log(Object.keys(await import('kysely')).sort().join());";
  const bundled = run(`(await import(${setUp})).setUpProcess("doctor"); ${names}`);
  assert.equal(bundled, run(names));
  const where = run(`(await import(${setUp})).setUpProcess("doctor"); console.log(import.meta.resolve("kysely"));`);
  assert.equal(where, pathToFileURL(kyselyBundle).href);
});
