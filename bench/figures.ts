/**
 * `npm run figures [-- NAME…] [--write]`: runs the measurements that take less than five minutes,
 * and lists each figure that differs from `RESULTS.md` by more than a quarter. `--write` replaces
 * the figures in `RESULTS.md` with the measured ones, and records the current commit. `--check`
 * measures nothing, but fails if a figure in `RESULTS.md` has no commit.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchJobs } from "./jobs.ts";
import { benchPages } from "./pages.ts";
import { type Figure, figuresOf, figuresWithoutCommit } from "./results.ts";
import { type BenchRow, shown, tableRow } from "./rows.ts";
import { benchService } from "./service.ts";
import { benchStart } from "./start.ts";
import { benchUpload } from "./upload.ts";
import { benchWebhooks } from "./webhooks.ts";

/**
 * Measurements that take less than five minutes. The figures that they return have the same names
 * as in `RESULTS.md`.
 */
const quick: Record<string, () => Promise<BenchRow[]>> = {
  start: benchStart,
  upload: benchUpload,
  service: benchService,
  pages: benchPages,
  jobs: benchJobs,
  webhooks: benchWebhooks,
};

/**
 * Minimum relative change of a figure that is reported. Smaller changes are common, because
 * absolute times vary by up to a third between runs on a shared machine.
 */
const maxMove = 0.25;

const path = join(import.meta.dirname, "RESULTS.md");
const results = await readFile(path, "utf8");
const options = process.argv.slice(2);
if (options.includes("--check")) check();
else await measure(options.filter((option) => !option.startsWith("--")));

function check(): void {
  const problems = figuresWithoutCommit(results);
  for (const problem of problems) console.error(`bench/RESULTS.md, ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function measure(named: readonly string[]): Promise<void> {
  const unknown = named.find((name) => !(name in quick));
  if (unknown !== undefined)
    throw new Error(`There is no quick measurement "${unknown}", only ${Object.keys(quick).join(", ")}.`);
  const known = new Map(figuresOf(results).map((figure) => [figure.name, figure]));
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(quick)) {
    if (named.length > 0 && !named.includes(name)) continue;
    console.log(`${name} …`);
    rows.push(...(await bench()));
  }
  const all = rows.map((row) => ({ row, before: known.get(row.name) }));
  const moved = all.filter(({ row, before }) => before !== undefined && moveOf(row, before) > maxMove);
  console.log(`${rows.length} figures, ${moved.length} changed by more than ${maxMove * 100} %`);
  for (const { row, before } of moved)
    console.log(`changed: ${row.name}: ${shown(row.value)} ${row.unit}, was ${before?.value} at ${before?.commit}`);
  for (const { row } of all.filter(({ before }) => before === undefined))
    console.log(`not in RESULTS.md: ${tableRow(row)}`);
  if (options.includes("--write")) await write(all);
}

/** Returns the relative change from the figure in `RESULTS.md`. */
const moveOf = ({ value }: BenchRow, before: Figure): number =>
  value === before.value ? 0 : Math.abs(value - before.value) / Math.abs(before.value);

async function write(all: readonly { row: BenchRow; before: Figure | undefined }[]): Promise<void> {
  const commit = execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }).trim();
  const lines = results.split("\n");
  for (const { row, before } of all) if (before) lines[before.line] = `${tableRow(row)} ${commit} |`;
  await writeFile(path, lines.join("\n"));
}
