/** Answers questions in threads, so that no question blocks the event loop. */
import type { Answer, Answerer, Fact, PassageSpan, PassageText, Question } from "../answering.ts";
import type { AnswerResult, AnswerTask } from "./answer-thread.ts";
import { ThreadPool } from "./thread-pool.ts";

export interface AnswererSettings {
  /** Maximum number of questions that are processed at once. */
  threads: number;
  /** Maximum time of each step, in milliseconds. Default: 10,000. */
  deadlineMs?: number;
}

/**
 * The slowest step of the largest question that the contract allows took 3.1 s of processor time.
 * This step interprets 50 instructions and 100 consignes of 4,000 Chinese characters each, and 200
 * turns of the conversation. The deadline leaves room for slower and busier machines.
 */
const defaultDeadlineMs = 10_000;

/** Opens the built-in answerer. Its threads are started on demand. */
export function openBuiltinAnswerer({ threads, deadlineMs = defaultDeadlineMs }: AnswererSettings): Answerer {
  const program = new URL("./answer-thread.ts", import.meta.url);
  const pool = new ThreadPool<AnswerTask, AnswerResult>({ program, threads, deadlineMs });
  const run = <Result extends AnswerResult>(task: AnswerTask, signal: AbortSignal): Promise<Result> =>
    pool.run((send) => send(task), signal) as Promise<Result>;
  return {
    understand: (request, signal) => run<Question>({ kind: "understand", request }, signal),
    documentsToRead: (question, passages, signal) =>
      run<number[][]>({ kind: "documentsToRead", question, passages: passages.map(plain) }, signal),
    readFacts: (document, question, signal) => run<Fact[]>({ kind: "facts", document, question }, signal),
    answer: (question, passages, facts, signal) =>
      run<Answer>({ kind: "answer", question, passages: passages.map(plain), facts }, signal),
    likelySpans: (question, passages, signal) =>
      run<PassageSpan[]>({ kind: "likelySpans", question, passages: passages.map(plain) }, signal),
    close: () => pool.close(),
  };
}

/**
 * Returns only the properties of a passage that are needed for answering, because all properties
 * are cloned for the thread.
 */
const plain = ({ text, title, headings, name, path, score }: PassageText): PassageText => ({
  text,
  title,
  headings,
  name,
  path,
  score,
});
