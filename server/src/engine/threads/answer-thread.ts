/**
 * Program of a thread that answers questions. It receives one task at a time and posts the result.
 */
import { parentPort } from "node:worker_threads";
import { yieldThread } from "../../lib/priority.ts";
import { builtinAnswerer } from "../answer/answer-question.ts";
import type { Answer, AskRequest, FieldValue, PassageSpan, PassageText, Question } from "../answering.ts";
import { type Reply, replyOf } from "./thread-pool.ts";

export type AnswerTask =
  | { kind: "understand"; request: AskRequest }
  | { kind: "documentsToRead"; question: Question; passages: readonly PassageText[] }
  | { kind: "answer"; question: Question; passages: readonly PassageText[]; fields: readonly FieldValue[] }
  | { kind: "likelySpans"; question: Question; passages: readonly PassageText[] };
export type AnswerResult = Question | number[] | Answer | PassageSpan[];

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
    case "answer":
      return builtinAnswerer.answer(task.question, task.passages, task.fields);
    case "likelySpans":
      return builtinAnswerer.likelySpans(task.question, task.passages);
  }
}
