/**
 * Answers questions from retrieved passages with a language model. The model returns sentences,
 * each with the quotes that support it. A sentence is dropped if its quotes are not in the
 * passages. If a sentence may say more than its quotes, the quotes replace it.
 */
import { keepingEnd } from "../../lib/keeping-end.ts";
import type { Answer, AnswerPart, AskRequest, PassageSpan, PassageText, Question } from "../answering.ts";
import { ModelFailure } from "../engine.ts";
import { AnswerJudge, type QuotedSentence } from "../ground/answer-judge.ts";
import type { Meter } from "../meter.ts";
import { countingTokens } from "../meter.ts";
import { likelyParts, type Shown, textOf, wholePassages, withinTokens } from "./context-selection.ts";
import { dataBlock, dataRule, fillable } from "./data-block.ts";
import { elementsOf, estimateTokens, type ModelClient } from "./model-client.ts";

export interface ModelAsking {
  request: AskRequest;
  /** The question as the built-in engine analyzed it. */
  question: Question;
  /** Passages, best first. The model receives as many of them as fit into a request. */
  passages: readonly PassageText[];
  /**
   * Spans of the passages that may hold the answer. If given, the model sees only these spans, but
   * can ask for whole passages.
   */
  likely?: readonly PassageSpan[] | undefined;
  meter: Meter;
}

/** Answer of a model. `parts` is empty if the passages contain no answer. */
export interface ModelAnswer extends Answer {
  /** Language model tokens consumed. */
  tokens: number;
}

export interface ModelAnswerer {
  /** @throws ModelFailure; the reason of `signal`. */
  answer(asking: ModelAsking, signal: AbortSignal): Promise<ModelAnswer>;
  /**
   * Yields each part as soon as it is judged, and returns the whole answer at the end. If the
   * caller stops iterating, the call is cancelled. Throws as `answer` does.
   */
  stream(asking: ModelAsking, signal: AbortSignal): AsyncGenerator<AnswerPart, ModelAnswer>;
}

const system = `You answer questions from passages of documents.

${dataRule("The passages stand")}

Answer in the language of the question, in as few sentences as it takes, and with each sentence give its quotes: the number of a passage
and a run of its words, copied letter by letter, that says what the sentence says. A sentence says nothing that its quotes do not say: no
knowledge from elsewhere, no guess, no computed number. Where the passages do not answer the question, answer no sentences at all. Write plain
text without links, images or marks of formatting.`;

/**
 * Maximum number of passages that the model may ask to see whole after it has seen parts of them.
 * Chosen by hand, 2026-11.
 */
const mostReadWhole = 3;

const systemOfParts = `${system}

Of the passages you see only the sentences that are most likely to answer; … stands for what is left out. Where they do not answer the question,
but what is left out of some passages may, answer no sentences and give the numbers of these passages in read_whole, at most ${mostReadWhole}, the most
likely first: you will be shown them whole.`;

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

const schemaOfParts = {
  ...schema,
  properties: { ...schema.properties, read_whole: { type: "array", items: { type: "integer" } } },
  required: ["sentences", "read_whole"],
};

interface Said {
  sentences: QuotedSentence[];
  /** Passage numbers, from 1. */
  read_whole?: number[];
}

/**
 * Confidence of an answer whose quotes were all found. It is below 1 because the quotes may not
 * answer the question. Chosen by hand, 2026-11.
 */
const confidence = 0.9;

type Client = Pick<ModelClient, "object" | "text" | "limits">;

export const openModelAnswerer = (client: Client): ModelAnswerer => ({
  answer: async (asking, signal) => {
    const conversation = new Conversation(client, asking, signal);
    await conversation.ask("");
    if (conversation.showWanted()) await conversation.ask("");
    await conversation.askAgain();
    return conversation.answer;
  },
  stream: async function* (asking, signal) {
    const conversation = new Conversation(client, asking, signal);
    yield* conversation.stream();
    if (conversation.showWanted()) yield* conversation.stream();
    if (conversation.parts.length === 0) {
      await conversation.askAgain();
      yield* conversation.parts;
    }
    return conversation.answer;
  },
});

/**
 * State of one question: the passages that the model sees, the number of sentences that it
 * returned, and the parts of the answer.
 */
class Conversation {
  readonly parts: AnswerPart[] = [];
  readonly #client: Client;
  readonly #asking: ModelAsking;
  readonly #signal: AbortSignal;
  readonly #judge: AnswerJudge;
  #shown: Shown[];
  /** Indices of the passages that the model asks to see whole. */
  #wanted: number[] = [];
  #sentences = 0;
  #tokens = 0;

  constructor(client: Client, asking: ModelAsking, signal: AbortSignal) {
    this.#client = client;
    this.#asking = asking;
    this.#signal = signal;
    const { question, passages, likely } = asking;
    this.#shown = this.#fitting(likely ? likelyParts(likely, passages) : wholePassages(passages));
    const numbers = new Set(this.#shown.map(({ passage }) => passage));
    this.#judge = new AnswerJudge(question, passages, numbers);
  }

  get answer(): ModelAnswer {
    const { parts } = this;
    const isLookedFor = this.#shown.length > 0;
    return { found: parts.length > 0, confidence: isLookedFor ? confidence : 1, parts, tokens: this.#tokens };
  }

  async ask(problem: string): Promise<void> {
    if (this.#shown.length === 0) return;
    const { value } = await this.#client.object(...this.#call(problem));
    for (const sentence of (value as Said).sentences) this.#addSentence(sentence);
    this.#noteWanted(value);
  }

  /**
   * Returns true if the model asked for whole passages and gave no usable sentence. From then on,
   * the model is shown only these whole passages.
   */
  showWanted(): boolean {
    if (this.parts.length > 0 || this.#wanted.length === 0) return false;
    this.#shown = this.#fitting(wholePassages(this.#asking.passages, this.#wanted));
    this.#wanted = [];
    this.#sentences = 0;
    return true;
  }

  /** Asks again if the model returned sentences but none of them is usable. */
  async askAgain(): Promise<void> {
    if (this.#sentences > 0 && this.parts.length === 0) await this.ask(notFound);
  }

  /**
   * Yields the parts as they arrive. If the response is not a list of sentences, asks once more
   * without streaming, because a whole response can be repaired.
   */
  async *stream(): AsyncGenerator<AnswerPart> {
    if (this.#shown.length === 0) return;
    const call = this.#call("");
    try {
      const sentences = elementsOf(this.#client.text(...call), call[0].schema);
      for await (const sentence of keepingEnd(sentences, (value) => this.#noteWanted(value)))
        yield* this.#addSentence(sentence as QuotedSentence);
    } catch (error) {
      if (this.#sentences > 0 || !(error instanceof ModelFailure && error.kind === "malformed")) throw error;
      await this.ask("");
      yield* this.parts;
    }
  }

  #fitting(shown: readonly Shown[]): Shown[] {
    const around = estimateTokens(systemOfParts + JSON.stringify(schemaOfParts) + promptOf(this.#asking, [], ""));
    return withinTokens(this.#client.limits.maxInputTokens * fillable - around, shown, this.#asking.passages);
  }

  #call(problem: string): Parameters<ModelClient["object"]> {
    const meter = countingTokens(this.#asking.meter, (tokens) => {
      this.#tokens += tokens;
    });
    const prompt = promptOf(this.#asking, this.#shown, problem);
    const how = this.#shown.every(({ isWhole }) => isWhole)
      ? { system, schema }
      : { system: systemOfParts, schema: schemaOfParts, defaults: { read_whole: [] } };
    return [{ purpose: "answer", prompt, ...how }, meter, this.#signal];
  }

  /** Notes which passages the model asks to see whole. `value` may not fit the schema. */
  #noteWanted(value: unknown): void {
    const { read_whole: numbers = [] } = value as Partial<Said>;
    const parts = new Set(this.#shown.filter(({ isWhole }) => !isWhole).map(({ passage }) => passage));
    if (Array.isArray(numbers))
      this.#wanted = [...new Set(numbers.map((number) => number - 1))]
        .filter((each) => parts.has(each))
        .slice(0, mostReadWhole);
  }

  #addSentence(sentence: QuotedSentence): AnswerPart[] {
    this.#sentences++;
    const parts = this.#judge.partsOf(sentence);
    const [first] = parts;
    if (first && this.parts.length === 0) first.before = "";
    this.parts.push(...parts);
    return parts;
  }
}

const notFound = `

You were asked before, and what you said can't be used: the quotes do not stand in the passages that you named, or do not say what the sentences
say. Look again; where the passages do not answer the question, answer no sentences.`;

function promptOf({ request, passages }: ModelAsking, shown: readonly Shown[], problem: string): string {
  const { query, historic, instructions, consignes } = request;
  const said = historic.map(({ role, content }) => `${role === "user" ? "Asked" : "Answered"}: ${content}`);
  const wishes = [...instructions, ...consignes].map((wish) => `- ${wish}`);
  return [
    dataBlock("The passages stand", "passages", problem, shown.map((each) => textOf(each, passages)).join("\n\n")),
    ...(said.length > 0 ? [`What was said before:\n${said.join("\n")}`] : []),
    ...(wishes.length > 0 ? [`How to answer, as far as the passages allow:\n${wishes.join("\n")}`] : []),
    `The question: ${query}`,
  ].join("\n\n");
}
