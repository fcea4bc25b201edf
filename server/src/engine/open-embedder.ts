/** Opens an embedding model. Importing this file loads the model client. */
import type { Embedder } from "./engine.ts";
import { openModelClient } from "./model/model-client.ts";

export interface EmbedderSettings {
  /** Base URL of the API, such as `http://host:11434/v1`. */
  url: string;
  model: string;
  apiKey: string | undefined;
  /** Maximum number of concurrent calls. */
  concurrency: number;
  /**
   * Timeout of one call including its retries, in milliseconds. It starts when the call gets a
   * slot.
   */
  timeoutMs: number;
}

export function openEmbedder({ url, model, apiKey, concurrency, timeoutMs }: EmbedderSettings): Embedder {
  return openModelClient({
    url,
    model,
    embedding: { url, model, apiKey },
    vision: false,
    maxInputTokens: 0,
    maxOutputTokens: 0,
    concurrency,
    timeoutMs,
  });
}
