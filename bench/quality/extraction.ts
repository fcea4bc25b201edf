/**
 * `npm run quality -- facturx|invoice2data|deepform`: extracts from the PDFs of a set with the
 * command line, scores the values, and checks all evidence.
 */
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { EvidenceRecord, LeafValue, Value, ValueRecord } from "../../server/src/engine/engine.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { dataFolder } from "../data.ts";
import { binsOf, calibrationError, type Judged } from "./calibration.ts";
import { boxesGiveQuote, type Leaf, leavesOf, quoteGivesValue } from "./evidence-check.ts";

interface DataSet {
  fields?: string;
  kinds?: string;
  dates: "dmy" | "mdy";
}

const dataSets: Record<string, DataSet> = {
  facturx: { dates: "dmy" },
  // Scores only these fields, because the other values can be found only with the templates that
  // belong to this set.
  invoice2data: {
    dates: "dmy",
    fields: "issuer,amount,amount_untaxed,amount_tax,date,invoice_number,currency,iban",
    kinds: "amount=amount,amount_untaxed=amount,amount_tax=amount",
  },
  // Orders for broadcast time in the United States, where dates begin with the month.
  deepform: { dates: "mdy" },
};

type Names = { [name: string]: string | { name: string; items: { [name: string]: string } } };

interface Output {
  status: "success" | "error";
  data?: ValueRecord[];
  error?: string;
  metadata: { filename: string; duration?: number; pages?: number; evidence?: EvidenceRecord[] };
}

interface TruthEntry {
  fields: Record<string, LeafValue>;
  visible_fields?: string[];
  line_items?: Record<string, LeafValue>[];
}

interface Scorer {
  scoreKie(pred: unknown, truth: unknown, options: object): { misses: unknown[]; [key: string]: unknown };
  equalNorm(pred: LeafValue, truth: LeafValue, kind: string, dates: string): boolean;
  kindOf(field: string, over: Record<string, string>): string;
}

const root = resolve(import.meta.dirname, "../..");

export interface ExtractionOptions {
  /** Language in which the fields are described: `en`, `de` or `fr`. */
  lang: string;
  /** Maximum number of errors to print. */
  errors: number;
}

/** Names of the sets whose correct values are known. */
export const extractionSets: readonly string[] = Object.keys(dataSets);

/**
 * Extracts from a set through the command line. Stores the predictions in `bench/out/`, and prints
 * scores.
 */
export async function runExtraction(name: string, options: ExtractionOptions): Promise<void> {
  const set = dataSets[name];
  if (!set) throw new Error(`There is no set "${name}".`);
  const folder = join(dataFolder, name, "pdf");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".pdf")).sort();
  const suffix = options.lang === "en" ? "" : `.${options.lang}`;
  const params = join(import.meta.dirname, `${name}${suffix}.params.json`);
  const names: Names = suffix ? await readJson(join(import.meta.dirname, `${name}${suffix}.map.json`)) : {};
  const startedAt = performance.now();
  const outputs = await extract(
    files.map((file) => join(folder, file)),
    params,
  );
  const elapsedMs = performance.now() - startedAt;

  const predictions: Record<string, ValueRecord> = {};
  const evidence: Record<string, EvidenceRecord> = {};
  for (const output of outputs) {
    const id = output.metadata.filename.replace(/\.pdf$/, "");
    predictions[id] = renamed(output.data?.[0] ?? {}, names);
    evidence[id] = renamed(output.metadata.evidence?.[0] ?? {}, names);
    if (output.status === "error") console.log(`${output.metadata.filename}: ${output.error}`);
  }
  await mkdir(join(root, "bench/out"), { recursive: true });
  await writeFile(join(root, "bench/out", `${name}${suffix}.json`), JSON.stringify(predictions, undefined, 1));

  const truth: Record<string, TruthEntry> = await readJson(join(dataFolder, name, "truth.json"));
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_kie.mjs")).href);
  const kinds = Object.fromEntries(
    (set.kinds ?? "")
      .split(",")
      .filter(Boolean)
      .map((pair) => pair.split("=") as [string, string]),
  );
  printScores(scorer, predictions, truth, set, kinds, options.errors);
  await printEvidence(folder, predictions, evidence);
  printCalibration(scorer, predictions, evidence, truth, set, kinds);
  const pages = outputs.reduce((sum, output) => sum + (output.metadata.pages ?? 0), 0);
  console.log(
    `time          ${Math.round(elapsedMs / files.length)} ms a document, ${Math.round(elapsedMs / Math.max(1, pages))} ms a page (${files.length} documents, ${pages} pages, start of the process included)`,
  );
}

/** Runs the command line once, for all files. */
async function extract(files: string[], params: string): Promise<Output[]> {
  const child = spawn(
    process.execPath,
    [join(root, "server/src/main.ts"), "extract", ...files, "--params", params, "--evidence"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const outputs: Output[] = [];
  for await (const line of createInterface({ input: child.stdout })) outputs.push(JSON.parse(line) as Output);
  if (outputs.length !== files.length)
    throw new Error(`The command line returned results for ${outputs.length} of ${files.length} files.`);
  return outputs;
}

/** Renames the fields of a record to the names that they have in the ground-truth file. */
function renamed<V>(record: { [name: string]: V }, names: Names): { [name: string]: V } {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const known = names[name];
      if (known === undefined || typeof known === "string") return [known ?? name, value];
      const items = Array.isArray(value) ? value.map((item) => renamed(item, known.items)) : value;
      return [known.name, items as V];
    }),
  );
}

function printScores(
  scorer: Scorer,
  predictions: object,
  truth: object,
  set: DataSet,
  kinds: Record<string, string>,
  errors: number,
): void {
  const { misses, fields, ...totals } = scorer.scoreKie(predictions, truth, {
    dates: set.dates,
    visible: true,
    lines: true,
    kinds,
    ...(set.fields ? { fields: set.fields.split(",") } : {}),
  });
  console.table(fields);
  console.log(totals);
  for (const miss of misses.slice(0, errors)) console.log(JSON.stringify(miss));
}

function allLeaves(prediction: ValueRecord, evidence: EvidenceRecord): Leaf[] {
  return Object.entries(prediction).flatMap(([name, value]) => leavesOf(value, evidence[name] ?? null, [name]));
}

async function printEvidence(
  folder: string,
  predictions: Record<string, ValueRecord>,
  evidence: Record<string, EvidenceRecord>,
): Promise<void> {
  const reader = openReader(defaultReadingSettings);
  const counts = { leaves: 0, quoted: 0, given: 0 };
  try {
    for (const [id, prediction] of Object.entries(predictions)) {
      const leaves = allLeaves(prediction, evidence[id] ?? {}).filter((leaf) => leaf.value !== null);
      if (leaves.length === 0) continue;
      const document = await reader.read(join(folder, `${id}.pdf`), "pdf");
      for (const { path, value, evidence: shown } of leaves) {
        const quoted = shown !== null && boxesGiveQuote(document, shown);
        const given = shown !== null && quoteGivesValue(value, shown);
        counts.leaves++;
        counts.quoted += Number(quoted);
        counts.given += Number(given);
        if (!quoted || !given)
          console.log("bad evidence", id, path.join("."), JSON.stringify(value), JSON.stringify(shown));
      }
    }
  } finally {
    await reader.close();
  }
  const percent = (count: number) => `${((100 * count) / Math.max(1, counts.leaves)).toFixed(2)} %`;
  console.log(
    `evidence      ${counts.leaves} values: boxes give the quote ${percent(counts.quoted)}, the quote gives the value ${percent(counts.given)}`,
  );
}

function printCalibration(
  scorer: Scorer,
  predictions: Record<string, ValueRecord>,
  evidence: Record<string, EvidenceRecord>,
  truth: Record<string, TruthEntry>,
  set: DataSet,
  kinds: Record<string, string>,
): void {
  const judged: Judged[] = [];
  for (const [id, entry] of Object.entries(truth)) {
    for (const leaf of allLeaves(predictions[id] ?? {}, evidence[id] ?? {})) {
      const expected = expectedFor(leaf, entry, predictions[id]?.line_items);
      if (leaf.value === null || !leaf.evidence || expected === undefined) continue;
      const field = String(leaf.path.at(-1));
      const kind = leaf.path.length > 1 && typeof expected === "number" ? "amount" : scorer.kindOf(field, kinds);
      const right = expected !== null && scorer.equalNorm(leaf.value, expected, kind, set.dates);
      judged.push({ confidence: leaf.evidence.confidence, right });
    }
  }
  const bins = binsOf(judged, 10);
  console.table(
    bins
      .filter((bin) => bin.count > 0)
      .map((bin) => ({ ...bin, confidence: bin.confidence.toFixed(3), accuracy: bin.accuracy.toFixed(3) })),
  );
  console.log(
    `calibration   expected error ${calibrationError(bins).toFixed(4)} over ${judged.length} values with a known truth`,
  );
}

/**
 * Returns the correct value for an extracted value. Returns undefined if the correct value is
 * unknown. Returns null if the extracted value is in a row that matches none of the correct rows.
 */
function expectedFor(leaf: Leaf, truth: TruthEntry, lines: Value | undefined): LeafValue | undefined {
  const [field, index, item] = leaf.path;
  if (typeof index !== "number")
    return truth.visible_fields?.includes(String(field)) === false ? undefined : truth.fields[String(field)];
  const line = Array.isArray(lines) ? lines[index] : undefined;
  if (!line || !truth.line_items?.length) return undefined;
  const same = truth.line_items.find(
    (other) => other.line_total === line.line_total && (other.quantity === line.quantity || line.quantity === null),
  );
  return same ? same[String(item)] : null;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}
