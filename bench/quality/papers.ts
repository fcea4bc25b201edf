/**
 * `npm run quality -- papers-a|papers-b`: extracts from invented office documents over HTTP, each
 * with its own fields. Scores values, lists and confidence with the scorer that belongs to the set.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { dataFolder } from "../data.ts";
import { withService } from "../service-target.ts";
import { extract, type Given, printCalibration, valuesOf } from "./extracted-values.ts";

export const paperSets = ["papers-a", "papers-b"] as const;

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

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8"));
