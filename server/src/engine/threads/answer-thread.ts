/**
 * Script of a worker thread that answers questions. It receives one task at a time and posts the
 * result.
 */
import { parentPort } from "node:worker_threads";
import { yieldThread } from "../../lib/priority.ts";
import type { Document } from "../../reading/document.ts";
import { builtinAnswerer } from "../answer/answer-question.ts";
import { readFacts } from "../answer/read-facts.ts";
import type { Answer, AskRequest, DocumentFacts, Fact, PassageSpan, PassageText, Question } from "../answering.ts";
import { type Reply, replyOf } from "./thread-pool.ts";

export type AnswerTask =
  | { kind: "understand"; request: AskRequest }
  | { kind: "documentsToRead"; question: Question; passages: readonly PassageText[] }
  | { kind: "facts"; document: Document; question: Question }
  | { kind: "answer"; question: Question; passages: readonly PassageText[]; facts: readonly DocumentFacts[] }
  | { kind: "likelySpans"; question: Question; passages: readonly PassageText[] };
export type AnswerResult = Question | number[][] | Fact[] | Answer | PassageSpan[];

yieldThread();

parentPort?.on("message", (task: AnswerTask) => {
  const reply: Reply<AnswerResult> = replyOf(() => resultOf(task));
  parentPort?.postMessage(reply);
});

function resultOf(task: AnswerTask): AnswerResult {
  switch (task.kind) {
    case "understand":
      return builtinAnswerer.understand(task.request);
    case "documentsToRead":
      return builtinAnswerer.documentsToRead(task.question, task.passages);
    case "facts":
      return readFacts(task.document, task.question);
    case "answer":
      return builtinAnswerer.answer(task.question, task.passages, task.facts);
    case "likelySpans":
      return builtinAnswerer.likelySpans(task.question, task.passages);
  }
}
