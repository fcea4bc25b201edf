/**
 * Counts the tokens of requests and responses. Uses the numbers that the endpoint reports, or
 * estimates them by length.
 */

import { ModelFailure } from "../../engine.ts";
import type { ModelUse } from "../../meter.ts";

/** Number of tokens assumed for the image of a page if the endpoint reports no token use. */
export const imageTokens = 1_000;

/**
 * Upper bound of the tokens for one image. The highest number that a vendor is known to bill is
 * 36,835 (image tiles of a small OpenAI model, 2026-11).
 */
export const maxImageTokens = 40_000;
/**
 * Upper bound of the tokens that an endpoint adds to a request: chat templates, tools and system
 * prompts. Chosen by hand, 2026-11.
 */
export const maxTemplateTokens = 1_000;

/**
 * Estimates one token for every three bytes of UTF-8. Prose has fewer tokens than this estimate.
 * Tables full of digits have about as many.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

export const noUse: ModelUse = { inputTokens: 0, outputTokens: 0, estimated: false };

export function sumOfUses(uses: readonly ModelUse[]): ModelUse {
  return uses.reduce(
    (sum, use) => ({
      inputTokens: sum.inputTokens + use.inputTokens,
      outputTokens: sum.outputTokens + use.outputTokens,
      estimated: sum.estimated || use.estimated,
    }),
    noUse,
  );
}

/**
 * Estimate and limits of the tokens that one call can use. If a response reports no numbers, or
 * implausible ones, an estimate is used instead.
 */
export interface UseBounds {
  /** Input tokens, estimated by length. */
  inputTokens: number;
  maxInputTokens: number;
  maxOutputTokens: number;
}

/** Returns the token use of a complete JSON response. */
export function useOfAnswer(body: string, bounds: UseBounds): ModelUse {
  const answer = parsed(body);
  const reported = answer && reportedUse(answer, bounds, Buffer.byteLength(body));
  if (reported !== undefined) return reported;
  const text = answer === undefined ? body : textIn(answer.choices);
  return { inputTokens: bounds.inputTokens, outputTokens: estimateTokens(text), estimated: true };
}

/**
 * Returns the token use of a failed request, which is zero unless the endpoint reports otherwise.
 */
export function useOfFailure(body: string, bounds: UseBounds): ModelUse {
  const answer = parsed(body);
  return (answer && reportedUse(answer, bounds, Buffer.byteLength(body))) ?? noUse;
}

/**
 * Maximum length of a line in an event stream, in UTF-16 units. An event contains a few tokens, or
 * at most one whole answer. Chosen by hand, 2026-11.
 */
const maxLineLength = 262_144;
/**
 * Maximum number of events in a stream. Servers send at most one event per token, plus a few more.
 * Chosen with a margin, 2026-11.
 */
const maxEvents = ({ maxOutputTokens }: UseBounds): number => 1_000 + 8 * maxOutputTokens;

/**
 * Reads the token use from a stream of server-sent events, even if only a part of the stream
 * arrived.
 */
export class StreamedUse {
  readonly #bounds: UseBounds;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #bytes = 0;
  #events = 0;
  #outputTokens = 0;
  #reported: Record<string, unknown> | undefined;

  constructor(bounds: UseBounds) {
    this.#bounds = bounds;
  }

  /**
   * Returns the lines that the chunk completes. Removes their token use, because the AI SDK rejects
   * token use in unusual formats.
   * @throws ModelFailure `malformed` if a line is longer than `maxLineLength`, or if there are more
   * events than `maxEvents` allows
   */
  push(chunk: Uint8Array): string {
    this.#bytes += chunk.length;
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > maxLineLength)
      throw new ModelFailure("malformed", `The model endpoint sent an event of more than ${maxLineLength} characters.`);
    return lines.map((line) => `${this.#read(line)}\n`).join("");
  }

  /** Returns the text after the last complete line. */
  end(): string {
    return this.#read(this.#rest);
  }

  get use(): ModelUse {
    const reported = this.#reported && reportedUse(this.#reported, this.#bounds, this.#bytes);
    return reported ?? { inputTokens: this.#bounds.inputTokens, outputTokens: this.#outputTokens, estimated: true };
  }

  #read(line: string): string {
    if (!line.startsWith("data:")) return line;
    this.#events++;
    if (this.#events > maxEvents(this.#bounds))
      throw new ModelFailure("malformed", `The model endpoint sent more than ${maxEvents(this.#bounds)} events.`);
    const event = parsed(line.slice("data:".length));
    if (event === undefined) return line;
    this.#outputTokens += estimateTokens(textIn(event.choices));
    if (!event.usage) return line;
    // Only the last report counts, because some endpoints report a running total in every event.
    this.#reported = event;
    return `data: ${withoutUse(event)}`;
  }
}

/**
 * Returns the token use that the endpoint reports, as numbers or as numeric strings. Returns
 * undefined if the report is missing or implausible: zero input tokens, or more tokens than
 * `bounds` and the size of the response allow.
 */
function reportedUse(answer: Record<string, unknown>, bounds: UseBounds, receivedBytes: number): ModelUse | undefined {
  const { prompt_tokens, completion_tokens = 0 } = (answer.usage ?? {}) as Record<string, unknown>;
  const [input, output] = [countOf(prompt_tokens), countOf(completion_tokens)];
  if (input === undefined || output === undefined || input === 0) return undefined;
  if (input > bounds.maxInputTokens || output > Math.max(bounds.maxOutputTokens, receivedBytes)) return undefined;
  return { inputTokens: input, outputTokens: output, estimated: false };
}

const withoutUse = (answer: object): string => JSON.stringify({ ...answer, usage: undefined });

/**
 * Returns a JSON response without its token use. `StreamedUse` removes the token use from streams.
 */
export function withoutUseIn(body: string): string {
  const answer = parsed(body);
  return answer?.usage ? withoutUse(answer) : body;
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

const textKeys = new Set(["content", "reasoning_content", "reasoning", "arguments", "refusal", "text"]);
/**
 * Maximum depth of text in a response. The levels are: choices, choice, message, tool calls, call,
 * function, arguments.
 */
const maxDepth = 8;

/** Returns all text that the model wrote, from the choices of a response or an event. */
function textIn(value: unknown, key = "", depth = 0): string {
  if (typeof value === "string") return textKeys.has(key) ? value : "";
  if (typeof value !== "object" || value === null || depth === maxDepth) return "";
  return Object.entries(value)
    .map(([name, each]) => textIn(each, name, depth + 1))
    .join("");
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
