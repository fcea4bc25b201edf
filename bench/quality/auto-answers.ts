/**
 * Answers the questions of squad2 from the passages that the service's search finds, with three
 * engines:
 * - `builtin`: the built-in engine
 * - `model`: a scripted model over real HTTP, which makes no mistakes with the text that it gets
 * - `auto`: that model if the built-in engine is not sure, and otherwise the built-in engine
 * Measures the number of correct answers and the cost with each engine.
 */
import { builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import type { AnswerPart, PassageText } from "../../server/src/engine/answering.ts";
import { isSure } from "../../server/src/engine/model/answer-sureness.ts";
import { openModelAnswerer } from "../../server/src/engine/model/answer-with-model.ts";
import { countingMeter, scriptedClient } from "../scripted-model/client.ts";
import type { Rule } from "../scripted-model/rules.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { type GoldQuestion, type Paragraph, retriever } from "./answers.ts";

/** Step through the questions: 3 means that every third one is asked. */
const step = 3;

type Way = "builtin" | "model" | "auto";

interface Score {
  /** Number of answers that contain the expected text. */
  right: number;
  /** Number of correct answers that needed at most one request to the model. */
  atOnce: number;
  /** Number of unanswerable questions that got no answer. */
  none: number;
  requests: number;
  tokens: number;
}

/**
 * Prints a row for each engine, and the tokens that `auto` uses as a share of those that `model`
 * uses. Also prints up to `errors` questions that `model` answers correctly, but `auto` does not.
 */
export async function compareAnswers(
  paragraphs: readonly Paragraph[],
  truth: Readonly<Record<string, GoldQuestion>>,
  errors: number,
): Promise<void> {
  const questions = Object.values(truth).filter((_, at) => at % step === 0);
  const passagesFor = await retriever(paragraphs);
  const found: Found[] = [];
  for (const gold of questions) {
    const request = { query: gold.question, instructions: [], consignes: [], historic: [] };
    const question = builtinAnswerer.understand(request);
    const passages = await passagesFor(gold, question.searchText);
    const text = paragraphs.find(({ id }) => id === gold.doc)?.text;
    found.push({ gold, request, question, passages, own: passages.findIndex((each) => each.text === text) });
  }
  const right = new Map<Way, Set<GoldQuestion>>();
  const rows: Partial<Record<Way, Score>> = {};
  for (const way of ["builtin", "model", "auto"] as const) {
    const holding = new Set<GoldQuestion>();
    rows[way] = await score(way, found, holding);
    right.set(way, holding);
  }
  const answerable = questions.filter(({ unanswerable }) => !unanswerable).length;
  console.log(`squad2, ${answerable} questions with an answer and ${questions.length - answerable} without:`);
  console.table(rows);
  const { model, auto } = rows as Record<Way, Score>;
  console.log(`auto takes ${((100 * auto.tokens) / model.tokens).toFixed(1)} % of the tokens of the model alone`);
  const lost = [...(right.get("model") ?? [])].filter((gold) => !right.get("auto")?.has(gold));
  for (const { question, answers } of lost.slice(0, errors)) console.log(JSON.stringify(["lost", question, answers]));
}

interface Found extends Pick<Parameters<ReturnType<typeof openModelAnswerer>["answer"]>[0], "request" | "question"> {
  gold: GoldQuestion;
  passages: readonly PassageText[];
  /** Index of the passage that contains the answer. */
  own: number;
}

async function score(way: Way, found: readonly Found[], holding: Set<GoldQuestion>): Promise<Score> {
  let current: Found | undefined;
  const model = await startScriptedModel({ rule: ({ prompt }) => current && readIn(prompt, current) });
  const client = scriptedClient(model.url, 30_000);
  let [none, atOnce] = [0, 0];
  const { meter, taken } = countingMeter();
  const answerer = openModelAnswerer(client);
  for (const each of found) {
    current = each;
    const { gold, question, passages } = each;
    const quoted = builtinAnswerer.answer(question, passages);
    const { requests } = taken;
    const isBuiltin = way === "builtin" || (way === "auto" && isSure(quoted));
    const said = isBuiltin
      ? quoted
      : await answerer.answer({ ...each, likely: likelyFor(way, each), meter }, new AbortController().signal);
    if (gold.unanswerable) none += Number(!said.found);
    else if (said.found && holdsGold(said.parts, gold)) {
      holding.add(gold);
      atOnce += Number(taken.requests <= requests + 1);
    }
  }
  await client.close();
  await model.close();
  return { right: holding.size, atOnce, none, ...taken };
}

const likelyFor = (way: Way, { question, passages }: Found) =>
  way === "auto" ? builtinAnswerer.likelySpans(question, passages) : undefined;

const holdsGold = (parts: readonly AnswerPart[], { answers }: GoldQuestion): boolean => {
  const text = parts.map((part) => part.before + part.text).join("");
  return answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase()));
};

/**
 * Number of passages that the model asks to read in full: the correct passage if a part of it was
 * shown, and then the highest-ranked other passages.
 */
const readWhole = 3;

/**
 * Returns the sentence that contains the answer, if the prompt shows it. Otherwise asks for the
 * full text of some passages that the prompt shows only in part.
 */
function readIn(prompt: string, { gold, own }: Found): ReturnType<Rule> {
  const shown = new Map(
    prompt
      .split(/^\[passage /mu)
      .slice(1)
      .map((each) => [Number.parseInt(each, 10) - 1, each.slice(each.indexOf("\n") + 1)]),
  );
  const [quote] = sentencesOf(shown.get(own) ?? "").filter((sentence) =>
    gold.answers.some((answer) => sentence.includes(answer)),
  );
  if (quote !== undefined && !gold.unanswerable)
    return { sentences: [{ text: quote, quotes: [{ passage: own + 1, quote }] }], read_whole: [] };
  const likely = [own, ...shown.keys()].filter((each) => shown.has(each));
  return { sentences: [], read_whole: [...new Set(likely)].slice(0, readWhole).map((each) => each + 1) };
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/\n\n|\n<\/| … /u)
    .flatMap((part) => [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(part)])
    .map(({ segment }) => segment.trim());
