/**
 * Runs one full-text search engine in a separate process:
 * `search-process.ts ENGINE FOLDER QUESTIONS`. The process gets requests as messages, and responds
 * with time and memory.
 */

import { passageOf, questions } from "./search-corpus.ts";
import { engines } from "./search-engines.ts";

export type Order =
  /** Adds the passages with the numbers `from` to `to`. */
  | { add: readonly [from: number, to: number] }
  | { finish: true }
  /** Asks the questions with the numbers `from` to `to`. */
  | { ask: readonly [from: number, to: number] };

export interface Reply {
  /**
   * Wall times, in milliseconds. A request with questions yields one value per question, and any
   * other request yields a single value. The processor times below have the same order.
   */
  milliseconds: number[];
  processorMilliseconds: number[];
  /** Resident memory of the process, in bytes. */
  bytes: number;
}

const perDocument = 200;
/**
 * Number of questions to ask. Smaller for large corpora, because most engines take seconds per
 * question when there are a million passages.
 */
export const questionsTo = (passages: number): number => (passages > 100_000 ? 60 : 200);

async function serve(name: string, folder: string, count: number): Promise<void> {
  const engine = await engines[name]?.(folder);
  if (!engine) throw new Error(`There is no search "${name}".`);
  const asked = questions(count);

  const add = async (from: number, to: number): Promise<void> => {
    for (let start = from; start < to; start += perDocument)
      await engine.add(Array.from({ length: Math.min(perDocument, to - start) }, (_, i) => passageOf(start + i)));
  };
  const worksOf = (order: Order): (() => Promise<unknown>)[] => {
    if ("add" in order) return [() => add(...order.add)];
    if ("ask" in order) return asked.slice(...order.ask).map((text) => () => engine.find(text));
    return [() => engine.finish()];
  };
  process.on("message", async (order: Order) => {
    const reply: Reply = { milliseconds: [], processorMilliseconds: [], bytes: 0 };
    for (const work of worksOf(order)) {
      const [before, started] = [process.cpuUsage(), performance.now()];
      await work();
      reply.milliseconds.push(performance.now() - started);
      const { user, system } = process.cpuUsage(before);
      reply.processorMilliseconds.push((user + system) / 1_000);
    }
    process.send?.({ ...reply, bytes: process.memoryUsage().rss });
  });
  process.on("disconnect", () => engine[Symbol.asyncDispose]());
}

if (import.meta.main) {
  const [name = "", folder = "", count = "0"] = process.argv.slice(2);
  await serve(name, folder, Number(count));
}
