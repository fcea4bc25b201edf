/**
 * Computes embeddings on behalf of an agent's organization, with the model that an index requires.
 */
import { type ModelClient, openModelClient } from "../../engine/model/model-client.ts";
import type { Embed, EmbeddingModel } from "../../search/hybrid-index.ts";
import { getOperatorOfAgent } from "../agents/agent-lookup.service.ts";
import { type ModelUseDeps, openMeter } from "./models.service.ts";

export interface EmbeddingSettings {
  model: EmbeddingModel;
  apiKey: string | undefined;
  timeoutMs: number;
}

/** Maximum concurrent batches. */
const concurrency = 2;

export function openEmbeddings(
  { model: usual, apiKey, timeoutMs }: EmbeddingSettings,
  deps: ModelUseDeps,
): { embed: Embed; close(): Promise<void> } {
  const clients = new Map<string, ModelClient>();
  const clientOf = ({ url, model }: EmbeddingModel): ModelClient => {
    const key = `${url}\n${model}`;
    // The API key belongs to the configured URL only.
    const embedding = { url, model, apiKey: url === usual.url ? apiKey : undefined };
    const client =
      clients.get(key) ??
      openModelClient({
        ...embedding,
        embedding,
        vision: false,
        maxInputTokens: 0,
        maxOutputTokens: 0,
        concurrency,
        timeoutMs,
      });
    clients.set(key, client);
    return client;
  };
  return {
    embed: async (model, agent, texts, signal) =>
      clientOf(model).embed(texts, openMeter(deps, await getOperatorOfAgent(deps.db, agent)), signal),
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}
