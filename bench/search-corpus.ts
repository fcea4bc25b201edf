/**
 * Generates passages and questions for measurements of search. Passages combine real sentences in
 * new ways, because no data set has a million paragraphs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Passage } from "../server/src/search/passages.ts";
import { dataFolder } from "./data.ts";

const linesOf = (file: string): { title?: string; text: string }[] =>
  readFileSync(join(dataFolder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const sentences = ["squad2", "cranfield"].flatMap((set) =>
  linesOf(`${set}/corpus.jsonl`).flatMap(({ text }) =>
    text.split(/(?<=[.?!])\s+/).filter((sentence) => sentence.length > 20),
  ),
);

/** Yields pseudo-random numbers, which are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/**
 * Returns a passage of five sentences from English paragraphs, about 110 words in all. Adds a word
 * that only the passage with this `key` contains.
 */
export function passageOf(key: number): Passage {
  const draw = numbers(key + 1);
  draw.next();
  const drawn = Array.from(
    { length: 5 },
    () => sentences[Math.floor((draw.next().value as number) * sentences.length)],
  );
  const text = `${drawn.join(" ")} Item no. ${key}-${key % 97}.`;
  return { page: (key % 200) + 1, start: 0, end: 110, text, title: `Report ${Math.floor(key / 200)}`, headings: [] };
}

/** Returns questions of squad2, which people asked about its paragraphs. */
export const questions = (count: number): string[] => {
  const all = linesOf("squad2/queries.jsonl");
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]?.text ?? "");
};
