/**
 * `sheaf evaluate`: compares two schemas on a folder of files whose correct values are known. Needs
 * neither a service nor a database.
 */
import { readdir } from "node:fs/promises";
import { join, parse } from "node:path";
import type { Issue } from "@sheaf/contract/errors.ts";
import { isRecord } from "@sheaf/contract/issues.ts";
import { type ExtractionParam, paramIssues, requestParamRules } from "@sheaf/contract/params.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { extractFile } from "../features/extraction/extraction.service.ts";
import { unmetered } from "../features/models/models.service.ts";
import { type Judged, pathsOf, Scores } from "../features/quality/evaluation.service.ts";
import { type FileToRead, readableExtensionOf } from "../features/understanding/understanding.service.ts";
import { readChecked } from "./each-file.ts";

interface EvaluateOptions {
  params: string;
  against?: string;
}

/**
 * Prints the evaluation as JSON. Exits with code 1 if `against` is given and a field becomes worse.
 */
export async function evaluate(folder: string, { params, against = params }: EvaluateOptions): Promise<void> {
  const check = (value: unknown) => paramIssues(value, requestParamRules, "");
  const [before, after] = [
    await readChecked<ExtractionParam[]>(against, "params", check),
    await readChecked<ExtractionParam[]>(params, "params", check),
  ];
  const files = await filesWithTruth(folder);
  const config = readConfig();
  const startedAt = performance.now();
  await using understanding = await openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.extraction.timeoutMs };
  const known = new Set(files.flatMap(({ truth }) => [...pathsOf(truth)]));
  const scores = new Scores();
  let tokens = 0;
  for (const { truth, ...file } of files) {
    const { signal } = new AbortController();
    const was = await extractFile(deps, { file, params: before }, unmetered, signal);
    const { document } = was;
    const is = params === against ? was : await understanding.engine.extract({ document, params: after }, signal);
    tokens += was.tokens + (is === was ? 0 : is.tokens);
    scores.add({ filename: file.filename, truth, known }, was.data, is.data);
  }
  const result = scores.result(after);
  const duration = Math.round(performance.now() - startedAt) / 1000;
  console.log(JSON.stringify({ ...result, duration, tokens_consumed: tokens }, null, 2));
  if (result.lost.length > 0) process.exitCode = 1;
}

/** Returns the files that have a JSON file of the same name in the same folder, sorted by name. */
async function filesWithTruth(folder: string): Promise<(FileToRead & Pick<Judged, "truth">)[]> {
  const names = (await readdir(folder)).sort();
  const found: (FileToRead & Pick<Judged, "truth">)[] = [];
  for (const filename of names) {
    const { name, ext } = parse(filename);
    if (ext === ".json" || !names.includes(`${name}.json`)) continue;
    const truth = await readChecked<Judged["truth"]>(join(folder, `${name}.json`), "truth", recordIssues);
    found.push({ path: join(folder, filename), filename, extension: readableExtensionOf(filename), truth });
  }
  if (found.length === 0)
    throw new Error(`${folder} contains no file with a JSON file of the same name, such as a.pdf with a.json.`);
  return found;
}

/**
 * Returns the issues of correct values. They must have the structure of a result: values, and lists
 * of objects.
 */
function recordIssues(value: unknown, path = ""): Issue[] {
  if (!isRecord(value)) return [{ path, message: "must be an object keyed by field" }];
  return Object.entries(value).flatMap(([name, member]): Issue[] => {
    const at = `${path}/${name}`;
    if (Array.isArray(member)) return member.flatMap((row, index) => recordIssues(row, `${at}/${index}`));
    const isLeaf = member === null || ["string", "number", "boolean"].includes(typeof member);
    return isLeaf ? [] : [{ path: at, message: "must be a value or an array of objects" }];
  });
}
