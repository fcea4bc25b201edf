/**
 * `npm run quality -- segments`: classifies files that each contain several documents, with the
 * command-line program and given classes. Scores boundaries, labels and confidence.
 */
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { ClassificationJson } from "../../contract/src/classification.ts";
import { dataFolder } from "../data.ts";
import { binsOf, calibrationError, type Judged } from "./calibration.ts";

interface TruthSegment {
  start: number;
  end: number;
  label: string;
}

interface Truth {
  /** Descriptions of the classes by label. */
  classes: Record<string, string>;
  files: Record<string, { pages: number; segments: TruthSegment[] }>;
}

interface Output {
  status: "success" | "error";
  data?: ClassificationJson;
  error?: string;
  metadata: { filename: string; duration?: number };
}

interface Scorer {
  scoreSegments(predictions: Predictions, truth: Truth): { details: unknown[]; files: number; exact_files: number };
}

type Predictions = Record<string, { segments: ClassificationJson["segments"] }>;

const root = resolve(import.meta.dirname, "../..");
const folder = join(dataFolder, "segments");

/** Prints the scores, and up to `errors` wrong files. Stores the predictions in `outFolder`. */
export async function runSegments(outFolder: string, errors: number): Promise<void> {
  const truth: Truth = JSON.parse(await readFile(join(folder, "truth.json"), "utf8"));
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_segments.mjs")).href);
  await mkdir(outFolder, { recursive: true });
  const classesFile = join(outFolder, "segments.classes.json");
  const classes = Object.entries(truth.classes).map(([label, description]) => ({ label, description }));
  await writeFile(classesFile, JSON.stringify(classes));

  const startedAt = performance.now();
  const predictions = await classifyAll(Object.keys(truth.files), classesFile);
  const elapsedMs = performance.now() - startedAt;
  await writeFile(join(outFolder, "segments.json"), JSON.stringify(predictions, undefined, 1));

  const { details, ...scores } = scorer.scoreSegments(predictions, truth);
  console.log(JSON.stringify({ ...scores, exact_share: scores.exact_files / scores.files }, undefined, 1));
  for (const detail of details.slice(0, errors)) console.log(JSON.stringify(detail));
  const judged = judge(predictions, truth);
  console.log(
    `calibration   expected error ${calibrationError(binsOf(judged, 10)).toFixed(4)} over ${judged.length} segments`,
  );
  const pages = Object.values(truth.files).reduce((sum, file) => sum + file.pages, 0);
  console.log(`time          ${Math.round(elapsedMs / pages)} ms a page (${pages} pages, reading included)`);
}

/** Runs the command line once, for all files. */
async function classifyAll(files: readonly string[], classes: string): Promise<Predictions> {
  const paths = files.map((file) => join(folder, "pdf", file));
  const command = [join(root, "server/src/main.ts"), "classify", ...paths, "--classes", classes];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const predictions: Predictions = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const output = JSON.parse(line) as Output;
    if (output.data) predictions[output.metadata.filename] = output.data;
    else console.log(`${output.metadata.filename}: ${output.error}`);
  }
  return predictions;
}

/** Judges each segment. A label is correct if it is the class of most pages of the segment. */
function judge(predictions: Predictions, truth: Truth): Judged[] {
  return Object.entries(truth.files).flatMap(([file, { segments }]) =>
    (predictions[file]?.segments ?? []).map(({ start, end, label, confidence }) => {
      const right = segments
        .filter((segment) => segment.label === label)
        .reduce(
          (sum, segment) => sum + Math.max(0, Math.min(end, segment.end) - Math.max(start, segment.start) + 1),
          0,
        );
      return { confidence, right: right * 2 > end - start + 1 };
    }),
  );
}
