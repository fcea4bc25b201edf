/**
 * Checks the OpenAPI document with third-party tools: two linters report no problems, and generated
 * types compile. All tools work offline.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import spectral from "@stoplight/spectral-core";
import { temporaryFolder } from "../helpers/process.ts";
import { ruleset } from "../openapi-rules/spectral.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const openapi = join(root, "docs/reference/openapi.json");
/** Environment in which Redocly neither sends usage data nor looks for a newer version. */
const offline = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/**
 * Returns the path of a package's program. The package is resolved from a folder of the repository.
 */
function programOf(name: string, folder = "."): string {
  const manifestPath = createRequire(join(root, folder, "package.json")).resolve(`${name}/package.json`);
  const { bin } = createRequire(import.meta.url)(manifestPath);
  return join(dirname(manifestPath), typeof bin === "string" ? bin : (Object.values(bin)[0] as string));
}

/** Returns the problems that Redocly reports in a document. */
async function redoclyProblems(document: string): Promise<string[]> {
  const flags = ["--config", join(root, "server/test/openapi-rules/redocly.yaml"), "--format", "json"];
  const ended = run(process.execPath, [programOf("@redocly/cli", "server"), "lint", document, ...flags], {
    env: offline,
  });
  const { stdout } = await ended.catch((error) => error);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

async function spectralProblems(document: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(ruleset);
  const problems = await linter.run(JSON.parse(document));
  return problems.map(({ code, message, path }) => `${code}: ${message} at /${path.join("/")}`);
}

/** Code that must compile in strict mode against the generated types. */
const consumer = `
import type { components, operations, paths } from "./types.ts";

type Upload = paths["/v2/extractor"]["post"]["requestBody"]["content"]["application/json"];
type Answer = operations["extract"]["responses"][200]["content"]["application/json"];

export const body: Upload = {
  filename: "invoice.pdf",
  file: "JVBERi0=",
  params: [{ name: "total", format: "number", description: "Total" }],
};
// @ts-expect-error there is no such format
export const wrong: Upload["params"][number]["format"] = "money";
export const thread = ({ metadata }: Answer): string => metadata.thread_id;
export const label = (segment: components["schemas"]["Segment"]): string => segment.label;
`;

describe("the OpenAPI document", { timeout: 175_000 }, () => {
  test("has no errors and no warnings in Spectral", async () => {
    const text = await readFile(openapi, "utf8");
    assert.deepEqual(await spectralProblems(text), []);
  });

  test("is rejected by Spectral if an operation has no description", async () => {
    const { paths, ...others } = JSON.parse(await readFile(openapi, "utf8"));
    const session = { get: { ...paths["/v2/session"].get, description: "" } };
    const problems = await spectralProblems(JSON.stringify({ ...others, paths: { "/v2/session": session } }));
    assert.match(problems.join("\n"), /^operation-description: .* at \/paths\/\/v2\/session\/get\/description$/m);
  });

  test("has no errors and no warnings in Redocly", async () => {
    assert.deepEqual(await redoclyProblems(openapi), []);
    await using folder = await temporaryFolder();
    const broken = join(folder.path, "openapi.json");
    await writeFile(
      broken,
      (await readFile(openapi, "utf8")).replace('"operationId": "getAgent"', '"operationId": "extract"'),
    );
    assert.deepEqual(await redoclyProblems(broken), [
      "operation-operationId-unique: Every operation must have a unique `operationId`.",
    ]);
  });

  test("becomes types that compile in strict mode", async () => {
    await using folder = await temporaryFolder();
    await run(process.execPath, [
      programOf("openapi-typescript", "examples"),
      openapi,
      "-o",
      join(folder.path, "types.ts"),
    ]);
    await writeFile(join(folder.path, "use.ts"), consumer);
    const options = [
      "--strict",
      "--noEmit",
      "--ignoreConfig",
      "--allowImportingTsExtensions",
      "--module",
      "nodenext",
      "--target",
      "es2022",
    ];
    const compiled = run(process.execPath, [programOf("typescript"), ...options, join(folder.path, "use.ts")]);
    await compiled.catch(({ stdout }) => assert.fail(stdout));
  });
});
