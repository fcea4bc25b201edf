/** A client of a scripted model, as a service with one request at a time has it. */
import { type ModelClient, openModelClient } from "../../server/src/engine/model/model-client.ts";

export const scriptedClient = (url: string, maxInputTokens: number): ModelClient =>
  openModelClient({
    url,
    model: "scripted",
    vision: false,
    maxInputTokens,
    maxOutputTokens: 4_000,
    concurrency: 1,
    timeoutMs: 30_000,
  });
