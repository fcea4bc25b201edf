/**
 * The client of any OpenAI-compatible endpoint: a vendor's, vLLM, Ollama, llama.cpp. It sends nothing but what it is given, calls no tools,
 * and what it hands back is the word of a model: nothing that may be said before it has been found again in the Document.
 */

import type { Meter, ModelCall, ModelUse } from "../meter.ts";
import { openClient } from "./client/open-client.ts";

export { elementsOf } from "./client/elements.ts";
export { fallbackReason, ModelFailure } from "./client/model-failure.ts";
export { estimateTokens, imageTokens } from "./client/tokens.ts";

export interface ModelSettings {
  /** Base of the API, `http://host:11434/v1`; with or without a slash at the end. */
  url: string;
  /** As the endpoint names the model. */
  model: string;
  apiKey?: string | undefined;
  /** The model sees images. */
  vision: boolean;
  /** What the model takes for system, prompt and schema; whoever makes requests keeps them below. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Calls under way at once, embeddings included. */
  concurrency: number;
  /** For one call with all its retries, from the moment that its turn comes. */
  timeoutMs: number;
  /** Folder that every request and answer is written to. They hold what the documents hold. */
  transcript?: string | undefined;
  /** Folder of such a transcript: everything is answered from there, without any network. */
  replay?: string | undefined;
  embedding?: { url: string; model: string; apiKey?: string | undefined } | undefined;
  /** Default: 60,000. A stream or a body that is silent for longer is given up. */
  stallMs?: number;
  /** Default: 500. Before the first retry; doubled for each further one. */
  backoffMs?: number;
  /** Default: 16 MB. */
  maxResponseBytes?: number;
}

export interface TextRequest {
  purpose: ModelCall["purpose"];
  system: string;
  prompt: string;
}

export interface ObjectRequest extends TextRequest {
  /** JSON schema of the value, of the keywords that `client/conform.ts` checks. */
  schema: object;
  /** Members that the value has where the model leaves them out, as models do with empty lists. */
  defaults?: Readonly<Record<string, unknown>>;
  /** PNG, JPEG or WebP; only where `limits.vision`. */
  images?: readonly Uint8Array[];
}

/** Every method rejects with a `ModelFailure`, with the reason of `signal` once that aborts, or with what `meter` throws. */
export interface ModelClient {
  readonly limits: { maxInputTokens: number; vision: boolean };
  /**
   * The JSON value that the model answers: repaired where it is nearly JSON, without members that the schema doesn't allow, checked against
   * the schema, and asked for once more where it doesn't fit.
   */
  object(request: ObjectRequest, meter: Meter, signal: AbortSignal): Promise<{ value: unknown; use: ModelUse }>;
  /**
   * Text as it comes, without thoughts; the first text of a client in one piece, since it shows where the model's thoughts end. To stop
   * reading ends the call. A text that ends too early throws after what there was of it. With a schema the text of a value, neither
   * repaired nor checked: `elementsOf`.
   */
  text(request: TextRequest | ObjectRequest, meter: Meter, signal: AbortSignal): AsyncIterable<string>;
  /** One vector for each text, in order, all of the same number of dimensions. */
  embed(texts: readonly string[], meter: Meter, signal: AbortSignal): Promise<Float32Array[]>;
  /** Ends the calls under way, which reject with `unavailable`. */
  close(): Promise<void>;
}

/** Throws an Error about settings that can't work. Nothing is loaded and nothing connected to before the first call. */
export function openModelClient(settings: ModelSettings): ModelClient {
  return openClient(settings);
}
