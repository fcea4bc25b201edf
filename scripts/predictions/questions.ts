/**
 * Yields predictions for questions: how a question is analysed, its search terms, its answer, which
 * sentences of a model are accepted, and rankings.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { dataFolder } from "../../bench/data.ts";
import { type GoldQuestion, type Paragraph, readLines } from "../../bench/quality/answers.ts";
import { type Query, searchParagraphs } from "../../bench/quality/retrieval.ts";
import { builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import type { PassageText, Turn } from "../../server/src/engine/answering.ts";
import { AnswerJudge } from "../../server/src/engine/ground/answer-judge.ts";
import { queryTermsOf } from "../../server/src/search/analyzer.ts";
import type { Prediction, PredictionOptions } from "./files.ts";

const questionSets = ["squad2", "piaf", ...["en", "de", "es", "ru", "zh", "ar"].map((each) => `xquad/${each}`)];
/**
 * Sets for rankings. If only some questions are used, only the first set is ranked, because
 * building an index takes most of the time.
 */
const rankedSets = ["xquad/en", "xquad/de", "xquad/ar", "xquad/zh", "cranfield"];
const passagesRead = 20;
const languages = ["en", "de", "fr", "zh"];

export async function* questionPredictions({ every }: PredictionOptions): AsyncGenerator<Prediction> {
  for (const set of questionSets) yield* answers(set, every);
  yield* conversations(every);
  yield* judgements(every);
  for (const set of every === 1 ? rankedSets : rankedSets.slice(0, 1)) yield* rankings(set, every);
}

/**
 * Answers each question from the paragraph that contains the answer and the paragraphs after it in
 * the corpus.
 */
async function* answers(set: string, every: number): AsyncGenerator<Prediction> {
  const paragraphs = await readLines<Paragraph>(join(dataFolder, set, "corpus.jsonl"));
  const indexOf = new Map(paragraphs.map(({ id }, at) => [id, at]));
  const truth: Record<string, GoldQuestion> = JSON.parse(
    await readFile(join(dataFolder, set, "qa_truth.json"), "utf8"),
  );
  for (const [id, gold] of Object.entries(truth).filter((_, at) => at % every === 0)) {
    const from = indexOf.get(gold.doc) ?? 0;
    const passages = paragraphs
      .slice(from, from + passagesRead)
      .map(({ title = "", text }, at) => passage(text, title, at));
    yield [`answer/${set}/${id}`, answered(gold.question, [], [], passages)];
    yield [`query-terms/${set}/${id}`, languages.map((language) => queryTermsOf(gold.question, languages, language))];
  }
}

function answered(query: string, instructions: string[], historic: Turn[], passages: readonly PassageText[]): unknown {
  const question = builtinAnswerer.understand({ query, instructions, consignes: [], historic });
  return {
    question,
    read: builtinAnswerer.documentsToRead(question, passages),
    answer: builtinAnswerer.answer(question, passages),
    spans: builtinAnswerer.likelySpans(question, passages),
  };
}

/**
 * Answers questions about business documents. Earlier turns of a conversation are passed as
 * history. The passages are the texts of this question and of the questions after it.
 */
async function* conversations(every: number): AsyncGenerator<Prediction> {
  const { questions }: { questions: { id: string; question?: string; turns?: unknown[] }[] } = JSON.parse(
    await readFile(join(dataFolder, "papers-a/questions.json"), "utf8"),
  );
  const wishes = ["Answer in at most 12 words.", "Réponds en français.", "Do not mention prices."];
  for (const [at, { id, question, turns = [] }] of questions.entries()) {
    if (at % every !== 0) continue;
    const said = [...turns.map((turn) => textOf(turn)), ...(question === undefined ? [] : [question])];
    const historic = said.slice(0, -1).map((content): Turn => ({ role: "user", content }));
    const passages = questions.slice(at, at + passagesRead).map((each, rank) => passage(each.question ?? "", "", rank));
    yield [
      `answer/papers-a/${id}`,
      answered(said.at(-1) ?? "", [wishes[at % 4] ?? ""].filter(Boolean), historic, passages),
    ];
  }
}

const textOf = (turn: unknown): string =>
  typeof turn === "string"
    ? turn
    : ((turn as { question?: string; content?: string }).question ?? JSON.stringify(turn));

interface SupportLine {
  id: string;
  question: string;
  quote: string;
  passage?: string | string[];
  passages?: (string | { text: string })[];
  sentence?: string;
  reworded?: string[];
  unsupported?: Record<string, string>;
}

/**
 * Yields, for prepared sentences, whether the service would accept them from a language model. Each
 * sentence has a quote from a passage.
 */
async function* judgements(every: number): AsyncGenerator<Prediction> {
  const folder = join(import.meta.dirname, "../../bench/quality/answer-support");
  for (const language of ["de", "en", "es", "fr", "it", "nl", "others", "pt"]) {
    const lines = await readLines<SupportLine>(join(folder, `dev-${language}.jsonl`));
    for (const [at, line] of lines.entries()) {
      if (at % every !== 0) continue;
      const texts = [line.passages ?? line.passage ?? []]
        .flat()
        .map((each) => (typeof each === "string" ? each : each.text));
      const passages = texts.map((text, rank) => passage(text, "", rank));
      const shown = new Set(passages.keys());
      const question = builtinAnswerer.understand({
        query: line.question,
        instructions: [],
        consignes: [],
        historic: [],
      });
      const number =
        1 +
        Math.max(
          0,
          texts.findIndex((text) => text.includes(line.quote)),
        );
      const sentences = [
        line.sentence ?? line.quote,
        ...(line.reworded ?? []),
        ...Object.values(line.unsupported ?? {}),
      ];
      yield [
        `judge/${language}/${at}`,
        sentences.map((text) =>
          new AnswerJudge(question, passages, shown).partsOf({
            text,
            quotes: [{ passage: number, quote: line.quote }],
          }),
        ),
      ];
    }
  }
}

/** Ranks paragraphs. Each paragraph is indexed as a document of one passage. */
async function* rankings(set: string, every: number): AsyncGenerator<Prediction> {
  const paragraphs = await readLines<Paragraph>(join(dataFolder, set, "corpus.jsonl"));
  const queries = await readLines<Query>(join(dataFolder, set, "queries.jsonl"));
  const asked = queries.filter((_, at) => at % every === 0);
  for await (const [id, hits] of searchParagraphs(paragraphs, asked))
    yield [`ranking/${set}/${id}`, hits.map(({ document, score }) => [document, score])];
}

/** Returns a passage. `rank` counts from 0; a lower rank gets a higher score. */
const passage = (text: string, title: string, rank: number): PassageText => ({
  text,
  title,
  headings: [],
  name: `${title || "document"}-${rank}.txt`,
  path: "",
  score: 100 - rank,
});
