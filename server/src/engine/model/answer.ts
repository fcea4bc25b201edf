/**
 * Answers by a language model from passages that retrieval found: it is asked for sentences and the quotes that each of them rests on. A
 * sentence whose quotes are not found again in the passages, or that says more than they do, is left out.
 */
import { fold } from "../builtin/answer/analysis.ts";
import type { Answer, AnswerPart, AskRequest, PassageSpan, PassageText, Question } from "../engine.ts";
import { dataBlock, dataRule, fillable } from "./data-block.ts";
import { QuotedText } from "./ground/quotes.ts";
import { isPlain, supported } from "./ground.ts";
import { type ModelMode, sure } from "./mode.ts";
import { estimateTokens, type Meter, type ModelClient } from "./model-client.ts";

export interface ModelAsking {
  request: AskRequest;
  /** What the built-in engine has understood of it. */
  question: Question;
  /** Best first; the model is given as many as a request holds. */
  passages: readonly PassageText[];
  meter: Meter;
}

/** An answer without parts where the passages hold none. */
export interface ModelAnswer extends Answer {
  /** Language model tokens consumed. */
  tokens: number;
}

export interface ModelAnswerer {
  mode: ModelMode;
  /** @throws ModelFailure; the reason of `signal`. */
  answer(asking: ModelAsking, signal: AbortSignal): Promise<ModelAnswer>;
}

const system = `You answer questions from passages of documents.

${dataRule("The passages stand")}

Answer in the language of the question, in as few sentences as it takes, and with each sentence give its quotes: the number of a passage
and a run of its words, copied letter by letter, that says what the sentence says. A sentence says nothing that its quotes do not say: no
knowledge from elsewhere, no guess, no computed number. Where the passages do not answer the question, answer no sentences at all. Write plain
text without links, images or marks of formatting.`;

const schema = {
  type: "object",
  properties: {
    sentences: {
      type: "array",
      items: {
        type: "object",
        properties: {
          text: { type: "string" },
          quotes: {
            type: "array",
            items: {
              type: "object",
              properties: { passage: { type: "integer" }, quote: { type: "string" } },
              required: ["passage", "quote"],
              additionalProperties: false,
            },
          },
        },
        required: ["text", "quotes"],
        additionalProperties: false,
      },
    },
  },
  required: ["sentences"],
  additionalProperties: false,
};

interface Said {
  sentences: { text: string; quotes: { passage: number; quote: string }[] }[];
}

const mostPassages = 20;
/** Of an answer whose sentences all rest on quotes that were found: nothing is known of whether it is the one that was asked for. */
const confidence = 0.9;

/** Whether the model need not be asked where the built-in engine has answered so. */
export const isSure = ({ found, confidence }: Answer): boolean => found && confidence >= sure;

export const openModelAnswerer = (client: Pick<ModelClient, "object" | "limits">, mode: ModelMode): ModelAnswerer => ({
  mode,
  answer: (asking, signal) => answerWithModel(client, asking, signal),
});

async function answerWithModel(
  client: Pick<ModelClient, "object" | "limits">,
  asking: ModelAsking,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const around = estimateTokens(system + JSON.stringify(schema) + promptOf(asking, [], ""));
  const passages = fitting(asking.passages, client.limits.maxInputTokens * fillable - around);
  let tokens = 0;
  if (passages.length === 0) return { found: false, confidence: 1, parts: [], tokens };
  const ask = async (problem: string): Promise<Said> => {
    const prompt = promptOf(asking, passages, problem);
    const { value, use } = await client.object({ purpose: "answer", system, prompt, schema }, asking.meter, signal);
    tokens += use.inputTokens + use.outputTokens;
    return value as Said;
  };
  const first = await ask("");
  let parts = partsOf(first, passages, asking);
  if (parts.length === 0 && first.sentences.length > 0) parts = partsOf(await ask(notFound), passages, asking);
  return { found: parts.length > 0, confidence, parts, tokens };
}

const notFound = `

You were asked before, and what you said can't be used: the quotes do not stand in the passages that you named, or do not say what the sentences
say. Look again; where the passages do not answer the question, answer no sentences.`;

function fitting(passages: readonly PassageText[], maxTokens: number): PassageText[] {
  const taken: PassageText[] = [];
  let tokens = 0;
  for (const passage of passages.slice(0, mostPassages)) {
    tokens += estimateTokens(textOf(passage, taken.length));
    if (tokens > maxTokens && taken.length > 0) break;
    taken.push(passage);
  }
  return taken;
}

const textOf = ({ name, path, title, headings, text }: PassageText, index: number): string =>
  [`[passage ${index + 1}] ${[path, name, title, ...headings].filter((each) => each !== "").join(" › ")}`, text].join(
    "\n",
  );

function promptOf({ request }: ModelAsking, passages: readonly PassageText[], problem: string): string {
  const { query, historic, instructions, consignes } = request;
  const said = historic.map(({ role, content }) => `${role === "user" ? "Asked" : "Answered"}: ${content}`);
  const wishes = [...instructions, ...consignes].map((wish) => `- ${wish}`);
  return [
    dataBlock("The passages stand", "passages", problem, passages.map(textOf).join("\n\n")),
    ...(said.length > 0 ? [`What was said before:\n${said.join("\n")}`] : []),
    ...(wishes.length > 0 ? [`How to answer, as far as the passages allow:\n${wishes.join("\n")}`] : []),
    `The question: ${query}`,
  ].join("\n\n");
}

/** The sentences that may be said, with the places that they rest on. */
function partsOf({ sentences }: Said, passages: readonly PassageText[], { question }: ModelAsking): AnswerPart[] {
  const parts: AnswerPart[] = [];
  const texts = passages.map(({ text }) => new QuotedText(text));
  for (const { text, quotes } of sentences) {
    const sources = quotes.flatMap(({ passage, quote }) => placesOf(quote, passage - 1, texts));
    const context = [question.query, question.context, ...sources.flatMap((source) => titlesOf(source, passages))].join(
      "\n",
    );
    const said = sources.map(({ passage, start, end }) => (passages[passage] as PassageText).text.slice(start, end));
    // Parted at a mark within it, an address would no longer be one.
    if (!isPlain(text, said.join("\n"))) continue;
    // What comes as one may be several sentences, of which each has to stand by itself.
    for (const { segment } of new Intl.Segmenter(question.language, { granularity: "sentence" }).segment(text)) {
      const sentence = segment.replace(/\s+/gu, " ").trim();
      if (sentence === "" || isAvoided(sentence, question) || !supported(sentence, said, context)) continue;
      parts.push({ before: parts.length === 0 ? "" : " ", text: sentence, sources });
    }
  }
  return parts;
}

/** In the passage that the model names, or in the first that holds the quote. */
function placesOf(quote: string, named: number, texts: readonly QuotedText[]): PassageSpan[] {
  for (const passage of [named, ...texts.keys()]) {
    const spans = texts[passage]?.spansOf(quote);
    if (spans) return spans.map((span) => ({ passage, ...span }));
  }
  return [];
}

function titlesOf({ passage }: PassageSpan, passages: readonly PassageText[]): string[] {
  const { title, headings } = passages[passage] as PassageText;
  return [title, ...headings];
}

const isAvoided = (sentence: string, { wishes }: Question): boolean =>
  wishes.avoid.some((avoided) => fold(sentence).includes(fold(avoided)));
