/**
 * `npm run quality -- papers-a|papers-b`: extracts invented office documents over HTTP, each with its
 * own fields, and scores the values, lists and confidence with the scorer of the set.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { EvidenceRecord, LeafValue, ValueRecord } from "../../server/src/engine/engine.ts";
import { dataFolder } from "../data.ts";
import { type Target, withService } from "../service-target.ts";
import { binsOf, calibrationError, type Judged } from "./calibration.ts";

export const paperSets = ["papers-a", "papers-b"] as const;

/** Values with at least this confidence are meant to be used without review. */
const trusted = 0.9;

interface Extracted {
  data: ValueRecord;
  evidence: EvidenceRecord;
}

interface Truth {
  fields: Record<string, LeafValue>;
  accept?: Record<string, LeafValue[]>;
}

interface Scorer {
  same(given: unknown, truth: unknown, format: string, accept?: readonly LeafValue[]): boolean;
}

export async function runPapers(set: string, outFolder: string, errors: number): Promise<void> {
  const folder = join(dataFolder, set);
  const out = join(outFolder, set);
  await mkdir(out, { recursive: true });
  const scorerPath = join(folder, "score.mjs");
  const { same }: Scorer = await import(pathToFileURL(scorerPath).href);
  const judged: Judged[] = [];
  await withService({}, async (_, target) => {
    for (const file of (await readdir(join(folder, "docs"))).sort()) {
      const name = file.replace(/\.\w+$/, "");
      const params: ExtractionParam[] = await readJson(join(folder, `params/${name}.json`));
      const { data, evidence } = await extract(target, join(folder, "docs", file), params);
      await writeFile(join(out, `${name}.json`), JSON.stringify(data, undefined, 1));
      judged.push(...judge(data, evidence, params, await readJson(join(folder, `truth/${name}.json`)), same));
    }
  });
  const verbose = errors > 0 ? ["-v"] : [];
  spawnSync(process.execPath, [scorerPath, "extract", out, ...verbose], { stdio: "inherit" });
  const sure = judged.filter(({ confidence }) => confidence >= trusted);
  console.log(
    `calibration   expected error ${calibrationError(binsOf(judged, 10)).toFixed(4)} over ${judged.length} values; ` +
      `${sure.filter(({ right }) => right).length} of ${sure.length} right at a confidence of ${trusted} or more`,
  );
}

async function extract({ url, token }: Target, path: string, params: readonly ExtractionParam[]): Promise<Extracted> {
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

function judge(
  data: ValueRecord,
  evidence: EvidenceRecord,
  params: readonly ExtractionParam[],
  truth: Truth,
  same: Scorer["same"],
): Judged[] {
  return params.flatMap(({ name, format }) => {
    const shown = evidence[name];
    if (format === "list" || data[name] == null || shown == null || !("confidence" in shown)) return [];
    const right = same(data[name], truth.fields[name], format, truth.accept?.[name]);
    return [{ confidence: shown.confidence as number, right }];
  });
}

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8"));
