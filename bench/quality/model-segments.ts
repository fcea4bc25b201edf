/**
 * `npm run quality -- model-segments`: classifies files that each contain several documents, with
 * given classes and with several engines:
 * - `builtin`: the built-in engine
 * - `model`: a scripted model over real HTTP, which makes no mistakes with the text that it gets
 * - `auto`: that model if the built-in engine is not sure, and otherwise the built-in engine
 * - `inventing`: `model` and `auto` with a model that invents half of its output
 * Measures the correct labels and the cost with each engine.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Classification, Engine } from "../../server/src/engine/engine.ts";
import { engineWithModel } from "../../server/src/engine/testing/engine-with-model.ts";
import { openBuiltinEngine } from "../../server/src/engine/threads/threaded-engine.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { dataFolder } from "../data.ts";
import { classifying, misclassifying, type TrueSegment } from "../scripted-model/classifying.ts";
import { countingMeter, scriptedClient } from "../scripted-model/client.ts";
import { startScriptedModel } from "../scripted-model/server.ts";

export interface Truth {
  /** Descriptions of the classes by label. */
  classes: Record<string, string>;
  files: Record<string, { pages: number; segments: TrueSegment[] }>;
}

interface Scores {
  page_accuracy: number;
  boundary: { f1: number };
  segment: { f1: number };
  exact_files: number;
  details: unknown[];
}

const share = 0.5;
const ways = ["builtin", "model", "auto", "model, inventing", "auto, inventing"] as const;
type Way = (typeof ways)[number];

/** Prints one row per engine and, for each, up to `errors` files that it got wrong. */
export async function runModelSegments(errors: number): Promise<void> {
  const folder = join(dataFolder, "segments");
  const truth: Truth = JSON.parse(await readFile(join(folder, "truth.json"), "utf8"));
  const reader = openReader(defaultReadingSettings);
  const documents = new Map<string, Document>();
  for (const file of Object.keys(truth.files)) documents.set(file, await reader.read(join(folder, "pdf", file), "pdf"));
  await reader.close();
  await compareWays(documents, truth, errors);
}

export async function compareWays(
  documents: ReadonlyMap<string, Document>,
  truth: Truth,
  errors: number,
): Promise<void> {
  const builtin = openBuiltinEngine({ threads: 1 });
  const rows: Record<string, object> = {};
  for (const way of ways) rows[way] = await score(way, documents, truth, builtin, errors);
  await builtin.close();
  console.table(rows);
}

async function score(
  way: Way,
  documents: ReadonlyMap<string, Document>,
  { classes, files }: Truth,
  builtin: ReturnType<typeof openBuiltinEngine>,
  errors: number,
): Promise<object> {
  let asked: TrueSegment[] = [];
  let invented = 0;
  const rule = way.endsWith("inventing")
    ? misclassifying(
        share,
        () => asked,
        () => invented++,
      )
    : classifying(() => asked);
  const model = await startScriptedModel({ rule });
  const client = scriptedClient(model.url, 24_000);
  const engine: Pick<Engine, "classify"> =
    way === "builtin" ? builtin : engineWithModel(builtin, client, way.startsWith("auto") ? "auto" : "model");
  const { meter, taken } = countingMeter();
  const given = Object.entries(classes).map(([label, description]) => ({ label, description }));
  const predictions: Record<string, Classification> = {};
  for (const [file, document] of documents) {
    asked = files[file]?.segments ?? [];
    const request = { document, filename: file, classes: given, mode: "auto", meter } as const;
    predictions[file] = await engine.classify(request, new AbortController().signal);
  }
  await client.close();
  await model.close();
  const { scoreSegments } = (await import(pathToFileURL(join(dataFolder, "../score/score_segments.mjs")).href)) as {
    scoreSegments(predictions: unknown, truth: unknown): Scores;
  };
  const scores = scoreSegments(predictions, files);
  for (const detail of scores.details.slice(0, errors)) console.log(way, JSON.stringify(detail));
  return {
    files: documents.size,
    "label of a page": scores.page_accuracy,
    "boundary F1": scores.boundary.f1,
    "segment F1": scores.segment.f1,
    "without an error": scores.exact_files,
    "requests a file": Math.round((100 * taken.requests) / documents.size) / 100,
    "segments invented": invented,
    "tokens a file": Math.round(taken.tokens / documents.size),
  };
}
