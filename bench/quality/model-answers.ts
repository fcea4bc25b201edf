/**
 * `npm run quality -- model-answers`: a model over real HTTP that knows the answers of squad2 and invents a fifth of all that it says. No
 * invented sentence may reach the caller, and of the true ones none should be lost.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinAnswerer } from "../../server/src/engine/builtin/answer/answer.ts";
import { openModelAnswerer } from "../../server/src/engine/model/answer.ts";
import { openModelClient } from "../../server/src/engine/model/model-client.ts";
import { unmetered } from "../../server/src/features/models/models.service.ts";
import { dataFolder } from "../data.ts";
import { type Invention, inventing, type Rule } from "../scripted-model/rules.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { asPassage, type GoldQuestion, type Paragraph, readLines } from "./answers.ts";

/** What the model knows of one question, and what it has said of it. */
interface Known {
  text: string;
  quote: string;
  /** It has said this at least once as it is. */
  told: boolean;
}

const share = 0.2;
const passagesGiven = 5;

/** Prints how many true sentences are kept and how many invented ones get through; `errors` of each are shown. */
export async function runModelAnswers(errors: number): Promise<void> {
  const paragraphs = await readLines<Paragraph>(join(dataFolder, "squad2/corpus.jsonl"));
  const truth: Record<string, GoldQuestion> = JSON.parse(
    await readFile(join(dataFolder, "squad2/qa_truth.json"), "utf8"),
  );
  const asked = Object.values(truth).filter(({ unanswerable }) => !unanswerable);
  for (const form of ["the sentence of the document", "the answer in words of the question"] as const)
    await score(form, asked, paragraphs, errors);
}

type Form = "the sentence of the document" | "the answer in words of the question";

async function score(form: Form, asked: readonly GoldQuestion[], paragraphs: readonly Paragraph[], errors: number) {
  let known: Known | undefined;
  let inventions: Invention[] = [];
  const dicing = inventing(
    share,
    () => known && { sentences: [{ text: known.text, quotes: [{ passage: 1, quote: known.quote }] }] },
    (invention) => inventions.push(invention),
  );
  const rule: Rule = async (request) => {
    inventions = [];
    const answer = await dicing(request);
    if (known && inventions.every(({ path }) => path.endsWith("/passage"))) known.told = true;
    return answer;
  };
  const model = await startScriptedModel({ rule });
  const client = openModelClient({
    url: model.url,
    model: "scripted",
    vision: false,
    maxInputTokens: 8_000,
    maxOutputTokens: 1_000,
    concurrency: 1,
    timeoutMs: 10_000,
  });
  const answerer = openModelAnswerer(client, "model");
  const counts = { questions: 0, told: 0, kept: 0, invented: 0, passed: 0, unsupported: 0 };
  const misses: string[] = [];
  try {
    for (const gold of asked) {
      const at = paragraphs.findIndex(({ id }) => id === gold.doc);
      const paragraph = paragraphs[at];
      known = paragraph && knownOf(form, gold, paragraph.text);
      if (!paragraph || !known) continue;
      const passages = paragraphs.slice(at, at + passagesGiven).map((each, index) => asPassage(each, 10 - index));
      const request = { query: gold.question, instructions: [], consignes: [], historic: [] };
      const question = builtinAnswerer.understand(request);
      const { parts } = await answerer.answer(
        { request, question, passages, meter: unmetered },
        new AbortController().signal,
      );
      const said = parts.map(({ text }) => text).join(" ");
      const rests = parts.every(({ sources }) => sources.some((each) => "start" in each && each.passage === 0));
      counts.questions++;
      counts.told += Number(known.told);
      counts.invented += Number(inventions.length > 0);
      if (said === known.text.replace(/\s+/gu, " ")) {
        counts.kept += Number(known.told);
        if (!known.told || !rests) {
          counts.unsupported++;
          misses.push(`unsupported ${JSON.stringify([gold.question, known, parts])}`);
        }
      } else if (said !== "" && !isPartOf(said, known.text)) {
        counts.passed++;
        misses.push(`passed ${JSON.stringify([gold.question, known.text, said])}`);
      } else if (known.told) misses.push(`lost ${JSON.stringify([gold.question, known, said])}`);
    }
  } finally {
    await client.close();
    await model.close();
  }
  console.log(
    `squad2, ${form}: ${counts.questions} questions; true sentences kept ${counts.kept} of ${counts.told} (${((100 * counts.kept) / counts.told).toFixed(2)} %); invented ones said ${counts.passed}, true ones without their quote ${counts.unsupported}, after ${counts.invented} answers with something invented`,
  );
  for (const miss of misses.slice(0, errors * 3)) console.log(miss);
}

/** Some of the sentences that the model said as one, each as it was. */
const isPartOf = (said: string, text: string): boolean => text.replace(/\s+/gu, " ").includes(said);

/** Undefined where no sentence holds the answer. */
function knownOf(form: Form, { question, answers }: GoldQuestion, text: string): Known | undefined {
  const [answer = ""] = answers;
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map(({ segment }) =>
    segment.trim(),
  );
  const quote = sentences.find((sentence) => sentence.includes(answer));
  if (quote === undefined) return undefined;
  const stated = `${question.replace(/[?\s]+$/u, "")}: ${answer}`;
  return { text: form === "the sentence of the document" ? quote : stated, quote, told: false };
}
