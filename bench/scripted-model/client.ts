/** Client with which measurements call a scripted model, and a counter of requests and tokens. */

import type { Meter } from "../../server/src/engine/meter.ts";
import { unlimited } from "../../server/src/engine/meter.ts";
import { type ModelClient, openModelClient } from "../../server/src/engine/model/model-client.ts";

/** Settings of a model client that sends one request at a time. */
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

/** Returns a meter that admits every call and counts requests and tokens. */
export function countingMeter(): { meter: Meter; taken: { requests: number; tokens: number } } {
  const taken = { requests: 0, tokens: 0 };
  const meter = unlimited(async ({ use }) => {
    taken.requests++;
    taken.tokens += use.inputTokens + use.outputTokens;
  });
  return { meter, taken };
}
