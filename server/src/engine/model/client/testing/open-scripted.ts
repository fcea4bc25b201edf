/** Opens a client for a scripted model, with a meter that keeps all reports. */
import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import {
  type ScriptedModel,
  type ScriptedOptions,
  startScriptedModel,
} from "../../../../../../bench/scripted-model/server.ts";
import type { Meter, ModelCall } from "../../../meter.ts";
import { unlimited } from "../../../meter.ts";
import { type ModelClient, type ModelSettings, openModelClient } from "../../model-client.ts";

export interface KeptMeter extends Meter {
  admitted: number[];
  calls: ModelCall[];
}

export interface Scripted {
  model: ScriptedModel;
  client: ModelClient;
  meter: KeptMeter;
}

/**
 * Timeout of a call, in milliseconds. Long enough for all tests except those of the timeout itself.
 */
export const patience = 10_000;

export function settingsFor(url: string, changes: Partial<ModelSettings> = {}): ModelSettings {
  return {
    url,
    model: "scripted",
    vision: true,
    maxInputTokens: 8_000,
    maxOutputTokens: 500,
    concurrency: 4,
    timeoutMs: patience,
    backoffMs: 5,
    embedding: { url, model: "vectors" },
    ...changes,
  };
}

export async function openScripted(
  t: TestContext,
  options: ScriptedOptions = {},
  changes: Partial<ModelSettings> = {},
): Promise<Scripted> {
  const model = await startScriptedModel(options);
  const client = openModelClient(settingsFor(model.url, changes));
  t.after(async () => {
    await client.close();
    await model.close();
  });
  return { model, client, meter: keptMeter() };
}

export function keptMeter(): KeptMeter {
  const admitted: number[] = [];
  const calls: ModelCall[] = [];
  const meter = unlimited(async (call) => void calls.push(call));
  return {
    ...meter,
    owner: randomUUID(),
    admitted,
    calls,
    reserve: (call, signal) => {
      admitted.push(call.estimatedInputTokens + call.maxOutputTokens);
      return meter.reserve(call, signal);
    },
  };
}

export const never = new AbortController().signal;

export const totalSchema = {
  type: "object",
  properties: {
    total: { type: ["number", "null"] },
    currency: { type: ["string", "null"], enum: ["EUR", "USD", null] },
  },
  required: ["total", "currency"],
  additionalProperties: false,
};

export const question = {
  purpose: "extract",
  system: "You read invoices.",
  prompt: "Total EUR 119.00",
  schema: totalSchema,
} as const;
export const right = { total: 119, currency: "EUR" };

export async function readAll(text: AsyncIterable<string>): Promise<string> {
  let whole = "";
  for await (const piece of text) whole += piece;
  return whole;
}
