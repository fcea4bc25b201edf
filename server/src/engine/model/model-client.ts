/**
 * Client for any OpenAI-compatible endpoint: a vendor, vLLM, Ollama, llama.cpp. It sends only the
 * given data and calls no tools. Its results are untrusted: none may be shown before it has been
 * found in the Document.
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
   * Maximum tokens for system prompt, prompt and schema. The code that builds requests enforces it.
   */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Maximum concurrent calls, including embeddings. */
  concurrency: number;
  /**
   * Timeout of one call with all its retries, in milliseconds. It starts when the call has a slot.
   */
  timeoutMs: number;
  /** Folder to which every request and response is written. These contain document text. */
  transcript?: string | undefined;
  /** Folder of a transcript. All responses are read from it, without any network access. */
  replay?: string | undefined;
  embedding?: { url: string; model: string; apiKey?: string | undefined } | undefined;
  /** Maximum silence within a stream or body, in milliseconds. Default 60,000. */
  stallMs?: number;
  /** Backoff before the first retry, in milliseconds, doubled for each further one. Default 500. */
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
  /** JSON schema of the value, with the keywords that `client/conform.ts` supports. */
  schema: object;
  /** Default members that are added if a model omits them, such as empty lists. */
  defaults?: Readonly<Record<string, unknown>>;
  /** PNG, JPEG or WebP. Allowed only if `limits.vision`. */
  images?: readonly Uint8Array[];
}

/**
 * Client of an endpoint. Every method rejects with a `ModelFailure`, with the reason of `signal` if
 * it aborts, or with an error of `meter`.
 */
export interface ModelClient extends Embedder {
  readonly limits: { maxInputTokens: number; vision: boolean };
  /**
   * Returns the JSON value of the response. Repairs it if it is nearly JSON, drops members that the
   * schema does not allow, and checks the rest. Asks once more if the value does not fit.
   */
  object(request: ObjectRequest, meter: Meter, signal: AbortSignal): Promise<{ value: unknown; use: ModelUse }>;
  /**
   * Yields text as it arrives, without reasoning output. The first text of a client comes in one
   * piece, because it shows where reasoning output ends. Ending the iteration cancels the call. A
   * text that ends too early throws after its last piece. With a schema, yields the text of a
   * value, neither repaired nor checked: see `elementsOf`.
   */
  text(request: TextRequest | ObjectRequest, meter: Meter, signal: AbortSignal): AsyncIterable<string>;
}

/**
 * Opens a client. Throws an Error if the settings can't work. Loads nothing and connects nowhere
 * before the first call.
 */
export function openModelClient(settings: ModelSettings): ModelClient {
  return openClient(settings);
}
