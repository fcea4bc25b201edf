/**
 * `npm run quality -- papers-a|papers-b`: extracts invented office documents over HTTP, each with its
 * own fields, and scores the values, lists and confidence with the scorer of the set.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { EvidenceRecord, ValueRecord } from "../../server/src/engine/engine.ts";
import { dataFolder } from "../data.ts";
import { type Target, withService } from "../service-target.ts";
import { binsOf, calibrationError, type Judged } from "./calibration.ts";
import { leavesOf } from "./evidence-check.ts";

export const paperSets = ["papers-a", "papers-b"] as const;

/** Values with at least this confidence are meant to be used without review. */
const trusted = 0.9;

export interface Extracted {
  data: ValueRecord;
  evidence: EvidenceRecord;
}

export interface Given {
  /** Document and field. */
  key: string;
  confidence: number;
}

export async function runPapers(set: string, outFolder: string, errors: number): Promise<void> {
  const folder = join(dataFolder, set);
  const out = join(outFolder, set);
  await mkdir(out, { recursive: true });
  const given: Given[] = [];
  await withService({}, async (_, target) => {
    for (const file of (await readdir(join(folder, "docs"))).sort()) {
      const name = file.replace(/\.\w+$/, "");
      const params: ExtractionParam[] = await readJson(join(folder, `params/${name}.json`));
      const extracted = await extract(target, join(folder, "docs", file), params);
      await writeFile(join(out, `${name}.json`), JSON.stringify(extracted.data, undefined, 1));
      given.push(...valuesOf(name, extracted, params));
    }
  });
  const { stdout } = spawnSync(process.execPath, [join(folder, "score.mjs"), "extract", out, "-v"], {
    encoding: "utf8",
  });
  const lines = stdout.split("\n");
  const misses = lines.filter((line) => line.startsWith("MISS "));
  console.log(lines.filter((line) => !line.startsWith("MISS ")).join("\n"));
  for (const miss of misses.slice(0, errors)) console.log(miss);
  printCalibration(given, new Set(misses.map((line) => line.slice("MISS ".length).split(":")[0] ?? "")));
}

/** @param missed documents and fields whose value is wrong, as `document field` */
export function printCalibration(given: readonly Given[], missed: ReadonlySet<string>): void {
  const judged: Judged[] = given.map(({ key, confidence }) => ({ confidence, right: !missed.has(key) }));
  const sure = judged.filter(({ confidence }) => confidence >= trusted);
  console.log(
    `calibration   expected error ${calibrationError(binsOf(judged, 10)).toFixed(4)} over ${judged.length} values; ` +
      `${sure.filter(({ right }) => right).length} of ${sure.length} right at a confidence of ${trusted} or more`,
  );
}

export async function extract(
  { url, token }: Target,
  path: string,
  params: readonly ExtractionParam[],
): Promise<Extracted> {
  const body = {
    filename: basename(path),
    file: (await readFile(path)).toString("base64"),
    params,
    include: ["evidence"],
  };
  const response = await fetch(`${url}/v2/extractor`, {
    method: "POST",
    headers: { "x-api-key": token, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: ValueRecord[]; metadata?: { evidence?: EvidenceRecord[] } };
  if (!response.ok) console.log(`${basename(path)}: ${response.status} ${JSON.stringify(answer)}`);
  return { data: answer.data?.[0] ?? {}, evidence: answer.metadata?.evidence?.[0] ?? {} };
}

/** Returns the values of a document that are not null, except lists. */
export const valuesOf = (
  document: string,
  { data, evidence }: Extracted,
  params: readonly ExtractionParam[],
): Given[] =>
  params
    .filter(({ format }) => format !== "list")
    .flatMap(({ name }) => leavesOf(data[name] ?? null, evidence[name] ?? null, [name]))
    .flatMap(({ path, evidence }) =>
      evidence ? [{ key: `${document} ${path}`, confidence: evidence.confidence }] : [],
    );

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8"));
