/**
 * `npm run quality -- answer-support [FILE …]`: checks which sentences of a language model are
 * accepted as supported by their quote. A scripted model returns, over real HTTP, one sentence with
 * a quote that is in the passage. A sentence that is verbatim or reworded should be returned, or be
 * replaced by the quote. A sentence that states more than the quote must not be returned. Without
 * `FILE`, uses our development set.
 */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import type { PassageText } from "../../server/src/engine/answering.ts";
import { openModelAnswerer } from "../../server/src/engine/model/answer-with-model.ts";
import { unmetered } from "../../server/src/features/models/models.service.ts";
import { unitsOf } from "../../server/src/language/sentences.ts";
import { scriptedClient } from "../scripted-model/client.ts";
import { startScriptedModel } from "../scripted-model/server.ts";

type Label = "verbatim" | "reworded" | "unsupported";

interface Item {
  id: string;
  lang: string;
  question: string;
  passages: string[];
  quote: string;
  sentence: string;
  label: Label;
  kind: string;
}

/** A line of a file: either one sentence with its label, or all sentences for one question. */
interface Line extends Partial<Omit<Item, "passages" | "id" | "question" | "quote">> {
  id: string;
  question: string;
  quote: string;
  passage?: string | string[];
  passages?: (string | { text: string })[];
  reworded?: string[];
  unsupported?: Record<string, string>;
}

const ownFolder = join(import.meta.dirname, "answer-support");

/**
 * Prints, by language, how many sentences of each label were returned or replaced by their quote.
 * Also prints up to `errors` examples of each kind of error.
 */
export async function runAnswerSupport(given: readonly string[], errors: number): Promise<void> {
  const files = given.length > 0 ? given : readdirSync(ownFolder).map((name) => join(ownFolder, name));
  const items = (await Promise.all(files.map(itemsOf))).flat();
  const results = await judged(items);
  const rows: Record<string, unknown> = {};
  for (const lang of new Set(items.map((item) => item.lang)))
    rows[lang] = rowOf(results.filter(({ item }) => item.lang === lang));
  rows.all = rowOf(results);
  console.table(rows);
  const kinds = Object.groupBy(
    results.filter(({ item, outcome }) => item.label === "unsupported" && outcome === "said"),
    ({ item }) => item.kind,
  );
  for (const [kind, said = []] of Object.entries(kinds)) console.log(`unsupported, said: ${kind} ${said.length}`);
  const missed = results.filter(({ item, outcome }) =>
    item.label === "unsupported" ? outcome === "said" : outcome === "dropped",
  );
  for (const { item, outcome } of missed.slice(0, errors))
    console.log(JSON.stringify([outcome, item.id, item.label, item.kind, item.sentence]));
  const replaced = results.filter(({ item, outcome }) => item.label !== "unsupported" && outcome === "replaced");
  for (const { item } of replaced.slice(0, errors)) console.log(JSON.stringify(["replaced", item.id, item.sentence]));
}

async function itemsOf(file: string): Promise<Item[]> {
  const text = await readFile(file, "utf8");
  const named = /-([a-z]{2})\.jsonl$/.exec(basename(file))?.[1] ?? "";
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => expanded(JSON.parse(line) as Line, named));
}

function expanded(line: Line, named: string): Item[] {
  const { id, question, quote } = line;
  const passages = [line.passages ?? line.passage ?? []]
    .flat()
    .map((each) => (typeof each === "string" ? each : each.text));
  const base = { id, lang: line.lang ?? named, question, quote, passages };
  if (line.sentence !== undefined)
    return [{ ...base, sentence: line.sentence, label: line.label ?? "unsupported", kind: line.kind ?? "" }];
  const verbatim = passages[0]?.split(/(?<=[.。])\s?|\n/u).find((sentence) => sentence.includes(quote)) ?? quote;
  return [
    { ...base, sentence: verbatim, label: "verbatim", kind: "" },
    ...(line.reworded ?? []).map((sentence): Item => ({ ...base, sentence, label: "reworded", kind: "" })),
    ...Object.entries(line.unsupported ?? {}).map(
      ([kind, sentence]): Item => ({ ...base, sentence, label: "unsupported", kind }),
    ),
  ];
}

interface Result {
  item: Item;
  /**
   * What was returned: the sentence or a part of it (`said`), words of the passage instead
   * (`replaced`), or nothing (`dropped`).
   */
  outcome: "said" | "replaced" | "dropped";
}

async function judged(items: readonly Item[]): Promise<Result[]> {
  let current: Item | undefined;
  const model = await startScriptedModel({
    rule: () => {
      const passage = 1 + Math.max(0, current?.passages.findIndex((text) => text.includes(current?.quote ?? "")) ?? 0);
      return { sentences: [{ text: current?.sentence, quotes: [{ passage, quote: current?.quote }] }] };
    },
  });
  const client = scriptedClient(model.url, 8_000);
  const answerer = openModelAnswerer(client);
  const results: Result[] = [];
  for (const item of items) {
    current = item;
    const request = { query: item.question, instructions: [], consignes: [], historic: [] };
    const question = builtinAnswerer.understand(request);
    const passages = item.passages.map(asPassage);
    const asking = { request, question, passages, meter: unmetered };
    const { parts } = await answerer.answer(asking, new AbortController().signal);
    const sentences = [{ start: 0, end: item.sentence.length }, ...unitsOf(item.sentence)];
    const said = new Set(sentences.map(({ start, end }) => onOneLine(item.sentence.slice(start, end))));
    const isSaid = parts.some(({ text }) => said.has(text));
    results.push({ item, outcome: isSaid ? "said" : parts.length > 0 ? "replaced" : "dropped" });
  }
  await client.close();
  await model.close();
  return results;
}

const onOneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

const asPassage = (text: string, at: number): PassageText => ({
  text,
  title: "",
  headings: [],
  name: `document-${at + 1}.txt`,
  path: "",
  score: 10 - at,
});

function rowOf(results: readonly Result[]) {
  const of = (label: Label, outcome: Result["outcome"]) =>
    results.filter((each) => each.item.label === label && each.outcome === outcome).length;
  const all = (label: Label) => results.filter(({ item }) => item.label === label).length;
  const share = (label: Label, ...outcomes: Result["outcome"][]) =>
    `${outcomes.reduce((sum, outcome) => sum + of(label, outcome), 0)} of ${all(label)}`;
  return {
    "verbatim said": share("verbatim", "said"),
    "verbatim kept": share("verbatim", "said", "replaced"),
    "reworded said": share("reworded", "said"),
    "reworded kept": share("reworded", "said", "replaced"),
    "unsupported said": share("unsupported", "said"),
    "unsupported replaced": share("unsupported", "replaced"),
  };
}
