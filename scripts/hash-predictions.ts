/**
 * Hashes every prediction on the development sets, such as an extraction or a ranking. Comparing the
 * hashes from before and after a change shows whether the change has altered any prediction:
 *
 *   node scripts/hash-predictions.ts OUT.json [--every N] [--only files,papers,questions]
 *     [--sets NAMES] [--cache FOLDER]
 *   node scripts/hash-predictions.ts --compare BEFORE.json AFTER.json
 *
 * OUT.json maps ids to SHA-256, sorted by id. `--every N` uses every Nth file and question of each
 * set. `--sets facturx,papers-a` uses only these sets of files. `--cache FOLDER` stores the Documents
 * by the hash of their file, so that the next run need not read the files again; use it only for
 * changes that do not concern `reading/`. `EVALUATION_DATA` is the folder with the sets. `--compare`
 * compares the ids that both files have, and exits with 1 if a hash differs.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { filePredictions, paperPredictions } from "./predictions/files.ts";
import { questionPredictions } from "./predictions/questions.ts";

type Hashes = Record<string, string>;

const shownDifferences = 200;
const parts = { files: filePredictions, papers: paperPredictions, questions: questionPredictions };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: "boolean", default: false },
    every: { type: "string", default: "1" },
    only: { type: "string", default: Object.keys(parts).join(",") },
    sets: { type: "string" },
    cache: { type: "string" },
  },
});
const [first, second] = positionals;
if (first === undefined || (values.compare && second === undefined))
  throw new Error("Usage: hash-predictions.ts OUT.json [options] | --compare BEFORE.json AFTER.json");
if (values.compare && second !== undefined) compare(await readHashes(first), await readHashes(second));
else await writeHashes(first);

async function writeHashes(path: string): Promise<void> {
  const hashes: Hashes = {};
  const options = { every: Number(values.every), cache: values.cache, sets: values.sets?.split(",") };
  const only = new Set(values.only.split(","));
  for (const [name, predictions] of Object.entries(parts)) {
    if (!only.has(name)) continue;
    for await (const [id, output] of predictions(options)) {
      if (id in hashes) throw new Error(`The id ${id} occurs twice.`);
      hashes[id] = createHash("sha256")
        .update(JSON.stringify(output) ?? "")
        .digest("hex");
    }
  }
  const sorted = Object.entries(hashes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(path, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
  const all = createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
  console.log(`${sorted.length} hashes, together ${all.slice(0, 16)}, in ${Math.round(process.uptime())} s`);
}

async function readHashes(path: string): Promise<Hashes> {
  return JSON.parse(await readFile(path, "utf8")) as Hashes;
}

function compare(before: Hashes, after: Hashes): void {
  const common = Object.keys(before).filter((id) => id in after);
  const different = common.filter((id) => before[id] !== after[id]);
  for (const id of different.slice(0, shownDifferences)) console.log(`differs: ${id}`);
  const onlyBefore = Object.keys(before).length - common.length;
  const onlyAfter = Object.keys(after).length - common.length;
  console.log(
    `${common.length} compared, ${different.length} differ; ${onlyBefore} only before, ${onlyAfter} only after`,
  );
  if (different.length > 0 || common.length === 0) process.exitCode = 1;
}
