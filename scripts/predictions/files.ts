/**
 * Yields predictions for files and for this project's own documents: the Document, passages and
 * terms, extraction, classification and grounding.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { dataFolder } from "../../bench/data.ts";
import { readFittedPapers, withDocuments } from "../../fit/papers/fitted-papers.ts";
import { PageAssessor } from "../../server/src/engine/classify/page-assessment.ts";
import type { EvidenceValue, Extraction, Value } from "../../server/src/engine/engine.ts";
import { type Assessment, assessFields } from "../../server/src/engine/extract/assessment.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import { groundRecord } from "../../server/src/engine/ground/ground-record.ts";
import { openGround } from "../../server/src/engine/ground/open-ground.ts";
import { languageOfPassage } from "../../server/src/language/detection.ts";
import { itemAt } from "../../server/src/lib/item-at.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { type ReadableExtension, type Reader, ReadingError } from "../../server/src/reading/reader.ts";
import { analyzed } from "../../server/src/search/analyzer.ts";
import { passagesOf } from "../../server/src/search/passages.ts";

export interface PredictionOptions {
  /** Step through the files or questions of a set: 3 means that every third one is used. */
  every: number;
  /** Folder that caches the Documents of earlier runs; undefined for no cache. */
  cache: string | undefined;
  /** Names of the sets to use, such as `papers-a`; all if undefined. */
  sets: readonly string[] | undefined;
}

/** Id and output of a prediction. The output is any JSON value. */
export type Prediction = [id: string, output: unknown];

interface FileSet {
  /** Path of the set, relative to the data folder. */
  folder: string;
  /**
   * Functions by name. Each returns the path of the JSON file with the fields to extract from
   * `file`. The name is part of the ids of the predictions.
   */
  params: Record<string, (file: string) => string>;
}

const ownParams = (name: string) => () => join(import.meta.dirname, "../../bench/quality", `${name}.params.json`);
const generalParams = { general: ownParams("facturx") };
const paramsBeside = (folder: string) => (file: string) =>
  join(dataFolder, folder, `${basename(file, extname(file))}.json`);

const fileSets: readonly FileSet[] = [
  {
    folder: "facturx/pdf",
    params: { en: ownParams("facturx"), de: ownParams("facturx.de"), fr: ownParams("facturx.fr") },
  },
  { folder: "invoice2data/pdf", params: { own: ownParams("invoice2data"), ...generalParams } },
  { folder: "deepform/pdf", params: { own: ownParams("deepform"), ...generalParams } },
  { folder: "sroie/images", params: { own: ownParams("sroie") } },
  { folder: "papers-a/docs", params: { own: paramsBeside("papers-a/params") } },
  { folder: "papers-a/joined", params: generalParams },
  { folder: "papers-b/docs", params: { own: paramsBeside("papers-b/params") } },
  { folder: "papers-b/long/docs", params: { own: paramsBeside("papers-b/long/params") } },
  { folder: "fara/pdf", params: generalParams },
  { folder: "segments/pdf", params: generalParams },
  { folder: "funsd/images", params: generalParams },
  { folder: "textract/files", params: generalParams },
  { folder: "hostile/files", params: {} },
];

const extensions = new Set([".pdf", ".docx", ".xlsx", ".png", ".jpg", ".jpeg", ".heic"]);
/** Number of files processed at the same time. There are two reading processes. */
const filesAtOnce = 3;

export async function* filePredictions({ every, cache, sets }: PredictionOptions): AsyncGenerator<Prediction> {
  const reader = openReader(defaultReadingSettings);
  const classes = await segmentClasses();
  try {
    for (const set of fileSets.filter(({ folder }) => sets?.includes(itemAt(folder.split("/"), 0)) ?? true)) {
      const files = filesOf(set.folder).filter((_, at) => at % every === 0);
      const ahead = files.slice(0, filesAtOnce).map((file) => readCached(reader, file, cache));
      for (const [at, file] of files.entries()) {
        const outcome = await ahead[at];
        const next = files[at + filesAtOnce];
        if (next !== undefined) ahead.push(readCached(reader, next, cache));
        const id = relative(dataFolder, file);
        yield [`read/${id}`, outcome];
        if (outcome && "document" in outcome)
          yield* predictionsOf(id, outcome.document, await paramsOf(set, file), classes);
        delete ahead[at];
      }
    }
  } finally {
    await reader.close();
  }
}

/**
 * Yields predictions for this project's own documents, except those that are used only for
 * evaluation. Shares the cache of the fits, `bench/out/fit`.
 */
export async function* paperPredictions({ every }: PredictionOptions): AsyncGenerator<Prediction> {
  const classes = await segmentClasses();
  const papers = readFittedPapers().filter(({ author }) => author !== "papers-a");
  for await (const [paper, document] of withDocuments(papers.filter((_, at) => at % every === 0)))
    yield* predictionsOf(`own-papers/${paper.name}`, document, { own: paper.params }, classes);
}

function filesOf(folder: string): string[] {
  return readdirSync(join(dataFolder, folder))
    .filter((name) => extensions.has(extname(name)))
    .sort()
    .map((name) => join(dataFolder, folder, name));
}

async function segmentClasses(): Promise<{ label: string; description: string }[]> {
  const truth = JSON.parse(await readFile(join(dataFolder, "segments/truth.json"), "utf8"));
  return Object.entries(truth.classes as Record<string, string>).map(([label, description]) => ({
    label,
    description,
  }));
}

type Outcome = { document: Document } | { error: string };

async function readCached(reader: Reader, file: string, cache: string | undefined): Promise<Outcome> {
  if (cache === undefined) return read(reader, file);
  const key = createHash("sha256")
    .update(await readFile(file))
    .update(extname(file))
    .digest("hex");
  const path = join(cache, `${key}.json.gz`);
  if (existsSync(path)) return JSON.parse(gunzipSync(await readFile(path)).toString()) as Outcome;
  const outcome = await read(reader, file);
  await mkdir(cache, { recursive: true });
  await writeFile(path, gzipSync(JSON.stringify(outcome)));
  return outcome;
}

/**
 * Reads a file. Converts the result to JSON and back, so that it is identical with and without a
 * cache.
 */
async function read(reader: Reader, file: string): Promise<Outcome> {
  try {
    const document = await reader.read(file, extname(file).slice(1) as ReadableExtension);
    return { document: JSON.parse(JSON.stringify(document)) };
  } catch (error) {
    if (error instanceof ReadingError) return { error: error.reason };
    throw error;
  }
}

async function paramsOf({ params }: FileSet, file: string): Promise<Record<string, ExtractionParam[]>> {
  const known: Record<string, ExtractionParam[]> = {};
  for (const [name, pathOf] of Object.entries(params)) {
    const path = pathOf(file);
    if (existsSync(path)) known[name] = JSON.parse(await readFile(path, "utf8"));
  }
  return known;
}

/**
 * Yields all predictions of a file. `id` is the path of the file, which the id of each prediction
 * contains.
 */
function* predictionsOf(
  id: string,
  document: Document,
  params: Readonly<Record<string, readonly ExtractionParam[]>>,
  classes: readonly { label: string; description: string }[],
): Generator<Prediction> {
  const name = basename(id);
  const passages = passagesOf(document, { name, path: "" });
  yield [`passages/${id}`, passages];
  yield [
    `terms/${id}`,
    passages.map(({ text, title }) => [
      analyzed(text, languageOfPassage(text, 300, "")),
      analyzed(title, languageOfPassage(title, 300, "en")),
    ]),
  ];
  yield [`classify-given/${id}`, pagesAssessed(document, name, classes, "auto")];
  yield [`classify-found/${id}`, pagesAssessed(document, name, [], "auto")];
  yield [`classify-page/${id}`, pagesAssessed(document, name, classes, "page")];
  for (const [set, asked] of Object.entries(params)) {
    const extraction = extractBuiltin({ document, params: asked });
    yield [`extract-${set}/${id}`, extraction];
    yield [`survey-${set}/${id}`, withFormerNames(assessFields({ document, params: asked }))];
    const ground = openGround(document);
    yield [`ground-${set}/${id}`, claimsOf(extraction).map((claim) => groundRecord(asked, claim, ground))];
  }
}

function pagesAssessed(
  document: Document,
  filename: string,
  classes: readonly { label: string; description: string }[],
  mode: "auto" | "page",
): unknown {
  const assessor = new PageAssessor({ filename, classes, mode });
  for (const page of document.pages) assessor.add(page);
  const { builtin, pages } = assessor.finish();
  return { builtin, pages: pages.map(({ identifyingText, ...page }) => ({ ...page, telling: identifyingText })) };
}

/**
 * Returns the assessment with the property names of earlier versions, so that its hash can be
 * compared with hashes of those versions.
 */
const withFormerNames = ({ fields, ...extraction }: Assessment): unknown => ({
  ...extraction,
  clues: Object.fromEntries(
    Object.entries(fields).map(([name, { sure, hints, complete }]) => [name, { sure, spots: hints, complete }]),
  ),
});

/**
 * Simulates the output of a model: the extracted values with their quotes, without quotes, and with
 * truncated quotes.
 */
function claimsOf({ data, evidence }: Extraction): unknown[] {
  const quoteEndings = [undefined, 0, -3];
  return quoteEndings.map((end) =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, claimOf(value, evidence[name] ?? null, end)]),
    ),
  );
}

/**
 * @param end where the quote is cut, as in `slice`: undefined keeps the whole quote, -3 removes
 * three characters, and 0 removes the quote and the page
 */
function claimOf(value: Value, evidence: EvidenceValue, end: number | undefined): unknown {
  if (Array.isArray(value))
    return value.map((row, at) => {
      const rows = Array.isArray(evidence) ? evidence[at] : undefined;
      return Object.fromEntries(
        Object.entries(row).map(([name, each]) => [name, claimOf(each, rows?.[name] ?? null, end)]),
      );
    });
  if (evidence === null || Array.isArray(evidence) || end === 0) return { value, quote: null, page: null };
  return { value, quote: evidence.quote.slice(0, end), page: evidence.page };
}
