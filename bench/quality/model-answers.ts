/**
 * `npm run quality -- model-answers`: measures answers with scripted models over real HTTP. The
 * first model knows the answers of squad2, but invents a fifth of its output. No invented sentence
 * may reach the caller. Each correct sentence should be returned, or else its quote. The second
 * model makes no mistakes. It is asked either every question, or only those that the built-in
 * engine is unsure about: see `auto-answers.ts`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import type { AnswerPart, PassageText } from "../../server/src/engine/answering.ts";
import { openModelAnswerer } from "../../server/src/engine/model/answer-with-model.ts";
import { unmetered } from "../../server/src/features/models/models.service.ts";
import { dataFolder } from "../data.ts";
import { scriptedClient } from "../scripted-model/client.ts";
import { type Invention, inventing, type Rule } from "../scripted-model/rules.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { asPassage, type GoldQuestion, type Paragraph, readLines } from "./answers.ts";
import { compareAnswers } from "./auto-answers.ts";

/** Holds what the model knows about one question. */
interface Known {
  text: string;
  quote: string;
  /** True if the model has returned this sentence unchanged at least once. */
  told: boolean;
}

const share = 0.2;
const passagesGiven = 5;

/**
 * Prints how many correct sentences are kept and how many invented ones are accepted. Prints up to
 * `errors` examples of each kind of error.
 */
export async function runModelAnswers(errors: number): Promise<void> {
  const paragraphs = await readLines<Paragraph>(join(dataFolder, "squad2/corpus.jsonl"));
  const truth: Record<string, GoldQuestion> = JSON.parse(
    await readFile(join(dataFolder, "squad2/qa_truth.json"), "utf8"),
  );
  const all = Object.values(truth).filter(({ unanswerable }) => !unanswerable);
  const asked = all.map((gold): Asked => {
    const at = paragraphs.findIndex(({ id }) => id === gold.doc);
    const passages = paragraphs.slice(at, at + passagesGiven).map((each, index) => asPassage(each, 10 - index));
    return { ...gold, passages, others: all.filter((other) => other.doc === gold.doc && other !== gold) };
  });
  for (const form of ["the sentence of the document", "the answer in words of the question"] as const)
    await scoreTrue(form, asked, errors);
  await scoreMisled(asked, errors);
  await compareAnswers(paragraphs, truth, errors);
}

interface Asked extends GoldQuestion {
  /** Passages for the question. The passage that contains the answer comes first. */
  passages: PassageText[];
  /** Other questions that the same paragraph answers. */
  others: GoldQuestion[];
}

async function withModel<T>(
  rule: Rule,
  work: (partsOf: (asked: Asked) => Promise<AnswerPart[]>) => Promise<T>,
): Promise<T> {
  const model = await startScriptedModel({ rule });
  const client = scriptedClient(model.url, 8_000);
  const answerer = openModelAnswerer(client);
  try {
    return await work(async ({ question: query, passages }) => {
      const request = { query, instructions: [], consignes: [], historic: [] };
      const question = builtinAnswerer.understand(request);
      const asking = { request, question, passages, meter: unmetered };
      return (await answerer.answer(asking, new AbortController().signal)).parts;
    });
  } finally {
    await client.close();
    await model.close();
  }
}

const saying = ({ text, quote }: Pick<Known, "text" | "quote">) => ({
  sentences: [{ text, quotes: [{ passage: 1, quote }] }],
});

type Form = "the sentence of the document" | "the answer in words of the question";

async function scoreTrue(form: Form, all: readonly Asked[], errors: number) {
  let known: Known | undefined;
  let inventions: Invention[] = [];
  const dicing = inventing(
    share,
    () => known && saying(known),
    (invention) => inventions.push(invention),
  );
  const rule: Rule = async (request) => {
    inventions = [];
    const answer = await dicing(request);
    if (known && inventions.every(({ path }) => path.endsWith("/passage"))) known.told = true;
    return answer;
  };
  const counts = { questions: 0, told: 0, kept: 0, replaced: 0, invented: 0, passed: 0, unsupported: 0 };
  const misses: string[] = [];
  await withModel(rule, async (partsOf) => {
    for (const asked of all) {
      known = knownOf(form, asked);
      if (!known) continue;
      const parts = await partsOf(asked);
      const said = parts.map(({ text }) => text).join(" ");
      counts.questions++;
      counts.told += Number(known.told);
      counts.invented += Number(inventions.length > 0);
      if (said === known.text.replace(/\s+/gu, " ")) {
        counts.kept += Number(known.told);
        if (!known.told && !isOfPassages(parts, asked)) {
          counts.unsupported++;
          misses.push(`unsupported ${JSON.stringify([asked.question, known, parts])}`);
        }
      } else if (said !== "" && isOfPassages(parts, asked)) {
        counts.replaced += Number(known.told);
      } else if (said !== "" && !isPartOf(said, known.text)) {
        counts.passed++;
        misses.push(`passed ${JSON.stringify([asked.question, known.text, said])}`);
      } else if (known.told) misses.push(`lost ${JSON.stringify([asked.question, known, said])}`);
    }
  });
  console.log(
    `squad2, ${form}: ${counts.questions} questions; true sentences kept ${counts.kept} of ${counts.told} (${((100 * counts.kept) / counts.told).toFixed(2)} %), replaced by their quotes ${counts.replaced}; invented ones said ${counts.passed}, true ones without their quote ${counts.unsupported}, after ${counts.invented} answers with something invented`,
  );
  for (const miss of misses.slice(0, errors * 3)) console.log(miss);
}

/**
 * Measures a model that invents nothing, but returns the answer to a different question about the
 * same paragraph. The quote that it returns does not contain this answer.
 */
async function scoreMisled(all: readonly Asked[], errors: number) {
  let said: ReturnType<typeof saying> | undefined;
  const passed: string[] = [];
  let [questions, replaced] = [0, 0];
  await withModel(
    () => said,
    async (partsOf) => {
      for (const asked of all) {
        const quote = knownOf("the sentence of the document", asked)?.quote;
        const answer = asked.others
          .map(({ answers }) => answers[0] ?? "")
          .find((other) => other !== "" && !quote?.toLowerCase().includes(other.toLowerCase()));
        if (quote === undefined || answer === undefined) continue;
        const text = statementOf(asked.question, answer);
        said = saying({ text, quote });
        questions++;
        const parts = await partsOf(asked);
        replaced += Number(parts.length > 0 && isOfPassages(parts, asked));
        if (!isOfPassages(parts, asked)) passed.push(`passed ${JSON.stringify([text, quote])}`);
      }
    },
  );
  console.log(
    `squad2, the answer of another question: said ${passed.length} of ${questions}, which should be none; ${replaced} replaced by their quotes`,
  );
  for (const miss of passed.slice(0, errors * 3)) console.log(miss);
}

/** Returns true if each part consists of words of the passages that it cites. */
const isOfPassages = (parts: readonly AnswerPart[], { passages }: Asked): boolean =>
  parts.every(({ text, sources }) =>
    sources.some((each) => "start" in each && onOneLine(passages[each.passage]?.text ?? "").includes(text)),
  );

const onOneLine = (text: string): string => text.replace(/\s+/gu, " ");

/** Returns true if `text` contains `said` unchanged, apart from white space. */
const isPartOf = (said: string, text: string): boolean => text.replace(/\s+/gu, " ").includes(said);

/**
 * Returns what the model knows: the answer and, as its quote, the sentence of the passage that
 * contains the answer. Returns undefined if no sentence contains the answer.
 */
function knownOf(form: Form, { question, answers, passages }: Asked): Known | undefined {
  const [answer = ""] = answers;
  const text = passages[0]?.text ?? "";
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map(({ segment }) =>
    segment.trim(),
  );
  const quote = sentences.find((sentence) => sentence.includes(answer));
  if (quote === undefined) return undefined;
  return { text: form === "the sentence of the document" ? quote : statementOf(question, answer), quote, told: false };
}

const statementOf = (question: string, answer: string): string => `${question.replace(/[?\s]+$/u, "")}: ${answer}`;
