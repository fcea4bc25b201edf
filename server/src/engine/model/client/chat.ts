/** Requests JSON values and texts from the chat completions API of an endpoint. */

import { ModelFailure } from "../../engine.ts";
import type { Meter, ModelUse } from "../../meter.ts";
import type { ModelClient, ModelSettings, ObjectRequest, TextRequest } from "../model-client.ts";
import type { Call, CallRequest, Calls } from "./calls.ts";
import { conform, isObject, type JsonSchema } from "./conform.ts";
import { type Capabilities, initialCapabilities, type Wanted, without } from "./endpoint-capabilities.ts";
import { type ModelEndpoint, Refusal } from "./model-endpoint.ts";
import { ReasoningFilter, ValueFilter, withoutReasoning } from "./reasoning-output.ts";
import { readJson } from "./repair-json.ts";
import { type Asked, type ChatModel, chatModel, optionsOf } from "./requests.ts";
import { estimateTokens, imageTokens, maxImageTokens, maxTemplateTokens, sumOfUses } from "./token-counts.ts";

type Settings = Pick<ModelSettings, "model" | "maxOutputTokens" | "vision">;

/**
 * After this many consecutive responses that are not JSON, the schema is sent as part of the
 * prompt. Chosen by hand, 2026-11.
 */
const maxUnheeded = 2;

export class Chat {
  readonly #settings: Settings;
  readonly #endpoint: ModelEndpoint;
  readonly #calls: Calls;
  /** Capabilities of the endpoint, as far as they are known. */
  readonly #capabilities: Capabilities = { ...initialCapabilities };
  #unheeded = 0;

  constructor(settings: Settings, endpoint: ModelEndpoint, calls: Calls) {
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#calls = calls;
  }

  async object(...[request, meter, signal]: Parameters<ModelClient["object"]>): Promise<ObjectAnswer> {
    const call = await this.#begin(request, meter, signal);
    try {
      const value = await this.#value(request, call);
      return { value, use: sumOfUses(call.spending.uses) };
    } catch (error) {
      throw call.causeOf(error);
    } finally {
      await call.end();
    }
  }

  async *text(...[request, meter, signal]: Parameters<ModelClient["text"]>): AsyncGenerator<string> {
    const call = await this.#begin(request, meter, signal);
    try {
      yield* this.#said(request, call);
    } catch (error) {
      throw call.causeOf(error);
    } finally {
      await call.end();
    }
  }

  async #begin(request: TextRequest | ObjectRequest, meter: Meter, signal: AbortSignal): Promise<Call> {
    const { purpose } = request;
    const { maxOutputTokens, vision } = this.#settings;
    if ("images" in request && request.images?.length && !vision) throw new Error("The model does not accept images.");
    return this.#calls.begin({ purpose, meter, maxOutputTokens, ...inputOf(request) }, signal);
  }

  /**
   * Asks for the value. If the response does not fit the schema or is cut off, asks once more and
   * names the problem.
   */
  async #value(request: ObjectRequest, call: Call): Promise<unknown> {
    const first = await this.#ask({ request }, call);
    if (first.problem === undefined) {
      this.#unheeded = 0;
      return first.value;
    }
    const second = await this.#ask({ request, problem: first.problem, inWords: !first.isJson }, call);
    const answer = second.fits ? second : first;
    if (!answer.fits)
      throw new ModelFailure("malformed", `The model's response does not fit the request: ${second.problem}`);
    this.#unheeded = first.isJson ? 0 : this.#unheeded + 1;
    if (this.#unheeded >= maxUnheeded) this.#capabilities.structure = "words";
    return answer.value;
  }

  async #ask(asked: Asked & { request: ObjectRequest }, call: Call): Promise<Read> {
    const { content, finishReason } = await this.#adapting({ value: true, stream: false }, async (capabilities) => {
      const model = await chatModel(this.#settings.model, capabilities, this.#endpoint.fetchFor(call.spending));
      return model.doGenerate(optionsOf(asked, capabilities, this.#settings.maxOutputTokens, call.spending.signal));
    });
    await requireWhole(finishReason.unified, call);
    const input = content.find((part) => part.type === "tool-call")?.input;
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const { said, unmarked } = withoutReasoning(text);
    // `reasonsAtOnce` is never set to false here. Even if a JSON value comes without reasoning
    // output, a text may begin with it, because the schema may have left no room for it.
    if (unmarked) this.#capabilities.reasonsAtOnce = true;
    return read(input ?? said, asked.request);
  }

  async *#said(request: TextRequest | ObjectRequest, call: Call): AsyncGenerator<string> {
    const isValue = "schema" in request;
    const stream = await this.#adapting({ value: isValue, stream: true }, async (capabilities): Promise<Parts> => {
      const onPlainJson = capabilities.streams ? () => this.#asksForNoStream() : undefined;
      const fetch = this.#endpoint.fetchFor(call.spending, onPlainJson);
      const model = await chatModel(this.#settings.model, capabilities, fetch);
      const options = optionsOf({ request }, capabilities, this.#settings.maxOutputTokens, call.spending.signal);
      return capabilities.streams ? (await model.doStream(options)).stream : partsOf(await model.doGenerate(options));
    });
    const holdsBack = isValue || (this.#capabilities.reasonsAtOnce ?? true);
    const filter = isValue ? new ValueFilter() : new ReasoningFilter(holdsBack);
    for await (const part of stream) {
      if (part.type === "error") throw errorOf(part.error);
      if (part.type === "finish") await requireWhole(part.finishReason.unified, call);
      if (part.type !== "text-delta" && part.type !== "tool-input-delta") continue;
      yield* some(filter.push(part.delta));
      if (!filter.sawUnmarked || holdsBack) continue;
      this.#capabilities.reasonsAtOnce = true;
      throw new ModelFailure("malformed", "The model sent a closing reasoning tag without an opening one.");
    }
    yield* some(filter.end());
    // Only a text can set `reasonsAtOnce` to false. Even if a JSON value comes without reasoning
    // output, a text may begin with it.
    if (!isValue || filter.sawUnmarked) this.#capabilities.reasonsAtOnce = filter.sawUnmarked;
  }

  #asksForNoStream(): void {
    this.#capabilities.streams = false;
  }

  /**
   * If the endpoint refuses a feature, retries without it. The feature is remembered as missing
   * once a request without it succeeds.
   */
  async #adapting<T>(wanted: Wanted, ask: (capabilities: Capabilities) => PromiseLike<T>): Promise<T> {
    const learnt: Partial<Capabilities> = {};
    for (;;) {
      const capabilities = { ...this.#capabilities, ...learnt };
      try {
        const answer = await ask(capabilities);
        Object.assign(this.#capabilities, learnt);
        return answer;
      } catch (error) {
        const lesson = error instanceof Refusal && without(error, capabilities, wanted);
        if (!lesson) throw error;
        Object.assign(learnt, lesson);
      }
    }
  }
}

interface ObjectAnswer {
  value: unknown;
  use: ModelUse;
}

interface Read {
  value: unknown;
  isJson: boolean;
  /** True if the value fits the schema. It may then be used even if the response was cut off. */
  fits: boolean;
  /** Problem with the response, to be named in a second request. Undefined if there is none. */
  problem: string | undefined;
}

function read(text: string, { schema, defaults }: ObjectRequest): Read {
  const json = readJson(text);
  if (json === undefined) return { value: undefined, isJson: false, fits: false, problem: "it is not JSON." };
  const whole = isObject(json.value) ? { ...defaults, ...json.value } : json.value;
  const { value, problems } = conform(schema as JsonSchema, whole);
  const found = json.cut ? ["it breaks off", ...problems] : problems;
  const problem = found.length === 0 ? undefined : `${found.join("; ")}.`;
  return { value, isJson: true, fits: problems.length === 0, problem };
}

/** Returns the estimated number of input tokens, and its upper bound. */
function inputOf(request: TextRequest | ObjectRequest): Pick<CallRequest, "inputTokens" | "maxInputTokens"> {
  const texts = [request.system, request.prompt, ...("schema" in request ? [JSON.stringify(request.schema)] : [])];
  const images = ("images" in request && request.images?.length) || 0;
  return {
    inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), imageTokens * images),
    // Every token has at least one byte. If the model is asked a second time, the prompt also
    // contains the schema and the previous problem. They are not counted here.
    maxInputTokens: texts.reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      maxTemplateTokens + maxImageTokens * images,
    ),
  };
}

type StreamPart =
  Awaited<ReturnType<ChatModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Parts = AsyncIterable<StreamPart> | Iterable<StreamPart>;

/** Converts a complete response into the parts of a stream. */
function partsOf({ content, finishReason, usage }: Awaited<ReturnType<ChatModel["doGenerate"]>>): StreamPart[] {
  const deltas = content.flatMap((part): StreamPart[] => {
    if (part.type === "text") return [{ type: "text-delta", id: "0", delta: part.text }];
    return part.type === "tool-call" ? [{ type: "tool-input-delta", id: "0", delta: part.input }] : [];
  });
  return [...deltas, { type: "finish", finishReason, usage }];
}

async function requireWhole(finishReason: string, { spending }: Call): Promise<void> {
  if (finishReason === "length" && spending.isLimitedByBudget) throw await spending.meter.exhausted();
  if (finishReason === "length")
    throw new ModelFailure("malformed", "The model's response exceeds MODEL_MAX_OUTPUT_TOKENS.");
  if (finishReason === "content-filter")
    throw new ModelFailure("malformed", "The model endpoint withheld the response.");
}

/** Yields the text unless it is empty, so that callers need not check for empty text. */
function* some(text: string): Generator<string> {
  if (text !== "") yield text;
}

/**
 * Returns the cause of an error in a stream. Errors about events that can't be read are returned
 * unchanged. An error event, or a stream that ends without its last event, means that the endpoint
 * stopped in the middle of a response.
 */
function errorOf(error: unknown): unknown {
  const { name } = error as { name?: unknown };
  if (name === "AI_JSONParseError" || name === "AI_TypeValidationError") return error;
  return new ModelFailure("unavailable", "The model endpoint broke off within a response.", { cause: error });
}
