/**
 * Script of a worker thread that processes documents. It receives a task and the pages of a
 * document, one by one, and posts the result.
 */
import { parentPort } from "node:worker_threads";
import { yieldThread } from "../../lib/priority.ts";
import type { Document, Page } from "../../reading/document.ts";
import { Classifier } from "../classify/classify-pages.ts";
import { type PageAssessment, PageAssessor } from "../classify/page-assessment.ts";
import type {
  Classification,
  ClassifyRequest,
  Extraction,
  ExtractRequest,
  LearnRequest,
  Proposals,
  ProposeRequest,
} from "../engine.ts";
import { type Assessment, assessFields } from "../extract/assessment.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { learnPaper } from "../extract/memory/learn-paper.ts";
import { recallValues } from "../extract/memory/recall-values.ts";
import { type GroundedRecord, groundRecord } from "../ground/ground-record.ts";
import { openGround } from "../ground/open-ground.ts";
import { findSegmentQuotes, type QuotePlace, type SegmentQuote } from "../ground/segment-quotes.ts";
import type { LearnResult } from "../memory.ts";
import { proposeFields } from "../propose/propose-fields.ts";
import { type Reply, replyOf } from "./thread-pool.ts";

export type ThreadTask =
  | ({ kind: "extract" } & Pick<ExtractRequest, "params" | "memory">)
  | ({ kind: "assess" } & Pick<ExtractRequest, "params" | "memory">)
  | ({ kind: "recall"; extraction: Extraction } & Pick<ExtractRequest, "params" | "memory">)
  | ({ kind: "learn" } & Omit<LearnRequest, "document">)
  | ({ kind: "ground" } & Pick<ExtractRequest, "params"> & { answers: readonly unknown[]; seen: readonly number[] })
  | ({ kind: "classify" } & Pick<ClassifyRequest, "filename" | "classes" | "mode">)
  | ({ kind: "assessPages" } & Pick<ClassifyRequest, "filename" | "classes" | "mode">)
  | ({ kind: "propose" } & Pick<ProposeRequest, "filename" | "kinds">)
  | { kind: "quotes"; quotes: readonly SegmentQuote[] };
export type DocumentResult =
  | Extraction
  | Assessment
  | Proposals
  | Classification
  | LearnResult
  | GroundedRecord[]
  | PageAssessment
  | (QuotePlace | undefined)[];

/**
 * Messages to the thread: first the task and the document without its pages, then the pages, then
 * the end.
 */
export type DocumentMessage =
  | { kind: "begin"; document: Omit<Document, "pages">; task: ThreadTask }
  | { kind: "page"; page: Page }
  | { kind: "end" };

interface Work {
  add(page: Page): void;
  finish(): DocumentResult;
}

yieldThread();

let work: Work | undefined;
let failure: unknown;

parentPort?.on("message", (request: DocumentMessage) => {
  try {
    if (request.kind === "begin") work = begin(request.document, request.task);
    else if (request.kind === "page") work?.add(request.page);
  } catch (error) {
    failure = error;
    work = undefined;
  }
  if (request.kind !== "end") return;
  parentPort?.postMessage(answer());
  work = undefined;
});

/**
 * Starts a task. Classification handles each page as it arrives and keeps little of it. Other tasks
 * need the whole document.
 */
function begin(head: Omit<Document, "pages">, task: ThreadTask): Work {
  if (task.kind === "classify") return new Classifier(task);
  if (task.kind === "assessPages") return new PageAssessor(task);
  const document: Document = { ...head, pages: [] };
  return {
    add: (page) => document.pages.push(page),
    finish: () => {
      if (task.kind === "extract") return recall(document, task, extractBuiltin({ document, params: task.params }));
      if (task.kind === "assess") return recall(document, task, assessFields({ document, params: task.params }));
      if (task.kind === "recall") return recall(document, task, task.extraction);
      if (task.kind === "learn") return learnPaper(document, task.params, task.taught, task.memory);
      if (task.kind === "propose") return proposeFields({ document, filename: task.filename, kinds: task.kinds });
      if (task.kind === "quotes") return findSegmentQuotes(document, task.quotes);
      const ground = openGround(document, task.seen);
      return task.answers.map((answer) => groundRecord(task.params, answer, ground));
    },
  };
}

const recall = <Result extends Extraction>(
  document: Document,
  { params, memory = [] }: Pick<ExtractRequest, "params" | "memory">,
  extraction: Result,
): Result => recallValues(document, params, memory, extraction);

function answer(): Reply<DocumentResult> {
  return replyOf(() => {
    if (!work) throw failure ?? new Error("There is no document.");
    return work.finish();
  });
}
