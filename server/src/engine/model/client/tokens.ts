/** How many tokens a request and its answer take: as the endpoint tells, or by length where it tells nothing. */
import type { ModelUse } from "../model-client.ts";

/** What a page as an image counts where the endpoint tells nothing. */
export const imageTokens = 1_000;

/** One token for every three bytes of UTF-8: prose takes fewer, tables full of digits about as many. */
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

/** Of a whole answer in JSON. `inputTokens`: the estimate of the request, for endpoints that tell nothing. */
export function useOfAnswer(body: string, inputTokens: number): ModelUse {
  const answer = parsed(body);
  const told = toldUse(answer);
  if (told !== undefined) return told;
  const said = answer === undefined ? body : textIn(answer.choices);
  return { inputTokens, outputTokens: estimateTokens(said), estimated: true };
}

/** Of an answer that comes as server-sent events, or of as much of it as came. */
export class StreamedUse {
  readonly #inputTokens: number;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #outputTokens = 0;
  #told: ModelUse | undefined;

  constructor(inputTokens: number) {
    this.#inputTokens = inputTokens;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#read(line);
  }

  get use(): ModelUse {
    return this.#told ?? { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, estimated: true };
  }

  #read(line: string): void {
    if (!line.startsWith("data:")) return;
    const event = parsed(line.slice("data:".length));
    if (event === undefined) return;
    // The last one counts: some endpoints tell the tokens so far in every event.
    this.#told = toldUse(event) ?? this.#told;
    this.#outputTokens += estimateTokens(textIn(event.choices));
  }
}

/** An endpoint that tells of no input tokens at all tells nothing. */
function toldUse(answer: Record<string, unknown> | undefined): ModelUse | undefined {
  const { prompt_tokens: input, completion_tokens: output = 0 } = (answer?.usage ?? {}) as Record<string, unknown>;
  if (!isCount(input) || !isCount(output) || input === 0) return undefined;
  return { inputTokens: input, outputTokens: output, estimated: false };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const textKeys = new Set(["content", "reasoning_content", "reasoning", "arguments", "refusal", "text"]);

/** All that a model said in the choices of an answer or an event. */
function textIn(value: unknown, key = ""): string {
  if (typeof value === "string") return textKeys.has(key) ? value : "";
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([name, each]) => textIn(each, name))
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
