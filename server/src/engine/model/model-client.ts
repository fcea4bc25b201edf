/**
 * Client for any OpenAI-compatible endpoint: a vendor, vLLM, Ollama, llama.cpp. It sends only the
 * data that it is given and calls no tools. Its results are untrusted: a result may be shown only
 * after it was found in the Document.
 */

import type { Embedder } from "../engine.ts";
import type { Meter, ModelCall, ModelUse } from "../meter.ts";
import { openClient } from "./client/open-client.ts";

export { elementsOf } from "./client/elements.ts";
export { estimateTokens, imageTokens } from "./client/token-counts.ts";

export interface ModelSettings {
  /** Base URL of the API, such as `http://host:11434/v1`, with or without a trailing slash. */
  url: string;
  /** Model name at the endpoint. */
  model: string;
  apiKey?: string | undefined;
  /** True if the model accepts images. */
  vision: boolean;
  /**
   * Maximum number of tokens of system prompt, prompt and schema together. The callers build the
   * requests and must respect this limit.
   */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Maximum number of concurrent calls, including calls for embeddings. */
  concurrency: number;
  /**
   * Timeout of one call including its retries, in milliseconds. It starts when the call gets a
   * slot.
   */
  timeoutMs: number;
  /** Folder to which requests and complete responses are written, including document text. */
  transcript?: string | undefined;
  /** Folder with recorded responses. All responses are taken from it, without using the network. */
  replay?: string | undefined;
  embedding?: { url: string; model: string; apiKey?: string | undefined } | undefined;
  /** Maximum time between two chunks of a response, in milliseconds. Default 60,000. */
  stallMs?: number;
  /**
   * Time before the first retry, in milliseconds. It is doubled for each further retry. Default
   * 500.
   */
  backoffMs?: number;
  /** Maximum size of a response, in bytes. Default 16 MiB. */
  maxResponseBytes?: number;
}

export interface TextRequest {
  purpose: ModelCall["purpose"];
  system: string;
  prompt: string;
}

export interface ObjectRequest extends TextRequest {
  /** JSON schema of the value. It may use only the keywords that `client/conform.ts` supports. */
  schema: object;
  /** Default values of members that the model may leave out, such as empty lists. */
  defaults?: Readonly<Record<string, unknown>>;
  /** PNG, JPEG or WebP images. Allowed only if `limits.vision` is true. */
  images?: readonly Uint8Array[];
}

/**
 * Client of an endpoint. Every method can reject with a `ModelFailure`, with the reason of
 * `signal`, or with an error of `meter`.
 */
export interface ModelClient extends Embedder {
  readonly limits: { maxInputTokens: number; vision: boolean };
  /**
   * Returns the JSON value of the response. A response that is nearly JSON is repaired, and members
   * that the schema does not allow are dropped. If the value still does not fit the schema, asks
   * the model once more.
   */
  object(request: ObjectRequest, meter: Meter, signal: AbortSignal): Promise<{ value: unknown; use: ModelUse }>;
  /**
   * Yields the text as it arrives, without reasoning output. The first text that a client reads is
   * yielded as a single chunk: until it ends, it may turn out to be reasoning output. If the caller
   * stops iterating, the call is cancelled. If the text ends too early, throws after the last
   * chunk. With a schema, the text is a JSON value that is neither repaired nor checked: see
   * `elementsOf`.
   */
  text(request: TextRequest | ObjectRequest, meter: Meter, signal: AbortSignal): AsyncIterable<string>;
}

/**
 * Opens a client. Throws an Error if the settings are invalid. Nothing is loaded, and no connection
 * is opened, before the first call.
 */
export function openModelClient(settings: ModelSettings): ModelClient {
  return openClient(settings);
}
