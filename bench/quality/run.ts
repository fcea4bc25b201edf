/**
 * Measures quality on sets whose correct results are known:
 * `npm run quality -- SET [--lang en|de|fr] [--errors N] [--write]`. `EVALUATION_DATA` is the
 * folder with the sets; the folder `score` beside it has the scoring scripts.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runAnswerSupport } from "./answer-support.ts";
import { answerSets, runAnswers } from "./answers.ts";
import { runCodes } from "./codes.ts";
import { runCorrectionCurve } from "./correction-curve.ts";
import { extractionSets, runExtraction } from "./extraction.ts";
import { runForms } from "./forms.ts";
import { runGround } from "./ground.ts";
import { runHostile } from "./hostile.ts";
import { runInfer } from "./infer.ts";
import { runListDamages } from "./list-damages.ts";
import { runLongLists } from "./long-lists.ts";
import { runModelAnswers } from "./model-answers.ts";
import { modelExtractionSets, runModelExtraction } from "./model-extraction.ts";
import { runModelSegments } from "./model-segments.ts";
import { runModelVision } from "./model-vision.ts";
import { runOwnPapers } from "./own-papers.ts";
import { runPaperQuestions } from "./paper-questions.ts";
import { paperSets, runPapers } from "./papers.ts";
import { retrievalSets, runRetrieval } from "./retrieval.ts";
import { runPhotos, runScans } from "./scans.ts";
import { runSegments } from "./segments.ts";
import { runSroie } from "./sroie.ts";
import { runTemplates } from "./templates.ts";
import { runTextract } from "./textract.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lang: { type: "string", default: "en" },
    errors: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
});
const errors = Number(values.errors);
const outFolder = join(import.meta.dirname, "../out");

const sets: Record<string, () => Promise<void>> = {
  ...Object.fromEntries(extractionSets.map((name) => [name, () => runExtraction(name, { lang: values.lang, errors })])),
  ...Object.fromEntries(paperSets.map((name) => [name, () => runPapers(name, outFolder, errors)])),
  "own-papers": () => runOwnPapers(outFolder, positionals.slice(1), errors),
  "paper-questions": () => runPaperQuestions(positionals.slice(1), errors),
  "correction-curve": () => runCorrectionCurve(outFolder, positionals[1], errors),
  forms: () => runForms(outFolder, positionals.slice(1), errors),
  infer: () => runInfer(outFolder, positionals.slice(1), errors),
  templates: () => runTemplates(outFolder, values.write, errors),
  "long-lists": () => runLongLists(outFolder, positionals.slice(1), errors),
  "list-damages": () => runListDamages(outFolder, positionals.slice(1), errors),
  scans: () => runScans(outFolder, positionals.slice(1), errors),
  photos: () => runPhotos(outFolder, positionals.slice(1), errors),
  sroie: () => runSroie(outFolder, errors),
  textract: () => runTextract(outFolder, errors),
  segments: () => runSegments(outFolder, errors),
  hostile: () => runHostile(outFolder),
  codes: runCodes,
  ground: () => runGround(errors),
  "answer-support": () => runAnswerSupport(positionals.slice(1), errors),
  "model-answers": () => runModelAnswers(errors),
  "model-extraction": () =>
    runModelExtraction(positionals.length > 1 ? positionals.slice(1) : modelExtractionSets, errors),
  "model-vision": () => runModelVision(errors),
  "model-segments": () => runModelSegments(errors),
  answers: () => runAnswers(outFolder, positionals.length > 1 ? positionals.slice(1) : Object.keys(answerSets), errors),
  ...Object.fromEntries(
    Object.keys(retrievalSets).map((name) => [name, () => runRetrieval(outFolder, positionals, errors)]),
  ),
};

const run = sets[positionals[0] ?? ""];
if (!run) throw new Error(`Name a data set: ${Object.keys(sets).join(", ")}.`);
await run();
