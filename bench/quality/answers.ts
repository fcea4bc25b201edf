/**
 * `npm run quality -- answers [SET]`: answers questions from paragraphs. Each question is answered
 * twice: from the passages that the service's search finds, and from the correct paragraph alone.
 * Comparing the two shows which errors are due to the search. An answer counts as correct if it
 * contains the expected text and has at most 40 words.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerText, builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import type { PassageText } from "../../server/src/engine/answering.ts";
import { countWords } from "../../server/src/language/count-words.ts";
import { openPassageIndex } from "../../server/src/search/passage-index.ts";
import { dataFolder } from "../data.ts";

export interface Paragraph {
  id: string;
  title?: string;
  text: string;
}

export interface GoldQuestion {
  question: string;
  answers: string[];
  unanswerable: boolean;
  /** Id of the paragraph that answers the question. */
  doc: string;
}

interface QaScore {
  answerable: { questions: number; f1: number; contains: number };
  unanswerable: { questions: number; accuracy: number | null };
  misses: { id: string; question: string; predicted: string | null; expected: string[] | null }[];
}

interface Scorer {
  scoreQa(predictions: Record<string, string | null>, truth: Record<string, GoldQuestion>, language: string): QaScore;
}

interface QaSet {
  folder: string;
  language: string;
}

const xquadLanguages = ["en", "de", "es", "ru", "zh", "ar"];
export const answerSets: Readonly<Record<string, readonly QaSet[]>> = {
  squad2: [{ folder: "squad2", language: "en" }],
  piaf: [{ folder: "piaf", language: "fr" }],
  xquad: xquadLanguages.map((language) => ({ folder: `xquad/${language}`, language })),
};

const maxWords = 40;
const passagesRead = 20;
const agent = "quality";

/**
 * Prints two rows per set: one for passages found by search, and one for the correct paragraphs.
 * Also prints, for each set, up to `errors` questions whose answer does not contain the expected
 * text.
 */
export async function runAnswers(outFolder: string, names: readonly string[], errors: number): Promise<void> {
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_qa.mjs")).href);
  await mkdir(outFolder, { recursive: true });
  const rows: Record<string, object> = {};
  for (const set of names.flatMap((name) => answerSets[name] ?? [])) {
    const paragraphs = await readLines<Paragraph>(join(dataFolder, set.folder, "corpus.jsonl"));
    const truth: Record<string, GoldQuestion> = JSON.parse(
      await readFile(join(dataFolder, set.folder, "qa_truth.json"), "utf8"),
    );
    const given = (question: GoldQuestion): Promise<PassageText[]> =>
      Promise.resolve(paragraphs.filter(({ id }) => id === question.doc).map((paragraph) => asPassage(paragraph, 1)));
    const found = await answerAll(truth, await retriever(paragraphs));
    rows[`${set.folder} found`] = rowOf(found, truth, scorer, set.language);
    rows[`${set.folder} given`] = rowOf(await answerAll(truth, given), truth, scorer, set.language);
    await writeFile(
      join(outFolder, `answers.${set.folder.replace("/", ".")}.json`),
      JSON.stringify(found.predictions, null, 1),
    );
    const { misses } = scorer.scoreQa(found.predictions, truth, set.language);
    for (const miss of misses.filter((each) => !holdsGold(each)).slice(0, errors)) console.log(JSON.stringify(miss));
  }
  console.table(rows);
}

const holdsGold = ({ predicted, expected }: QaScore["misses"][number]): boolean =>
  expected?.some((gold) => predicted?.toLowerCase().includes(gold.toLowerCase())) ?? predicted === null;

interface Answered {
  /** Answers by question id; null if none was found. */
  predictions: Record<string, string | null>;
  /** Processor time per question, in milliseconds. */
  times: number[];
  words: number;
}

async function answerAll(
  truth: Record<string, GoldQuestion>,
  passagesFor: (question: GoldQuestion, searchText: string) => Promise<PassageText[]>,
): Promise<Answered> {
  const predictions: Record<string, string | null> = {};
  const times: number[] = [];
  let words = 0;
  for (const [id, gold] of Object.entries(truth)) {
    const request = { query: gold.question, instructions: [], consignes: [], historic: [] };
    const question = builtinAnswerer.understand(request);
    const passages = await passagesFor(gold, question.searchText);
    const start = process.cpuUsage();
    const answer = builtinAnswerer.answer(question, passages);
    times.push(process.cpuUsage(start).user / 1_000);
    const text = answerText(answer);
    if (answer.found) words = Math.max(words, countWords(text));
    predictions[id] = answer.found ? text : null;
  }
  return { predictions, times, words };
}

function rowOf(
  { predictions, times, words }: Answered,
  truth: Record<string, GoldQuestion>,
  scorer: Scorer,
  language: string,
): object {
  if (words > maxWords) throw new Error(`An answer has ${words} words.`);
  const { answerable, unanswerable } = scorer.scoreQa(predictions, truth, language);
  const answered = Object.entries(truth).filter(([id, gold]) => !gold.unanswerable && predictions[id] !== null).length;
  const said = answered / answerable.questions;
  const none =
    unanswerable.accuracy === null || Number.isNaN(unanswerable.accuracy)
      ? undefined
      : rounded(unanswerable.accuracy / 100);
  return {
    questions: answerable.questions,
    contains: rounded(answerable.contains / 100),
    "F1 %": answerable.f1,
    "answers given": rounded(said),
    ...(none === undefined ? {} : { "none where none": none, "none, balanced": rounded((said + none) / 2) }),
    "most words": words,
    "ms (median)": rounded(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0),
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/**
 * Returns a function that finds passages. In its index, each article is a document, and each
 * paragraph is a page with one passage.
 */
export async function retriever(
  paragraphs: readonly Paragraph[],
): Promise<(question: GoldQuestion, searchText: string) => Promise<PassageText[]>> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-answers-"));
  const index = await openPassageIndex({ folder });
  process.once("exit", () => void rm(folder, { recursive: true, force: true }));
  const articles = [...Map.groupBy(paragraphs, ({ title = "" }) => title)];
  for (const [number, [title, pages]] of articles.entries()) {
    const passages = pages.map(({ text }, page) => ({
      page: page + 1,
      start: 0,
      end: text.split(/\s+/).length,
      text,
      title,
      headings: [],
    }));
    await index.put(agent, { reference: String(number), name: title, path: "" }, passages);
  }
  return (_, searchText) => index.search(agent, { text: searchText, limit: passagesRead });
}

export const asPassage = ({ title = "", text }: Paragraph, score: number): PassageText => ({
  text,
  title,
  headings: [],
  name: title,
  path: "",
  score,
});

export async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
