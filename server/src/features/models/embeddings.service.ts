/**
 * Computes embeddings on behalf of an agent's organization, with the model that an index requires.
 */
import type { Embedder } from "../../engine/engine.ts";
import { openEmbedder } from "../../engine/open-embedder.ts";
import type { Embed, EmbeddingModel } from "../../search/hybrid-index.ts";
import { getOperatorOfAgent } from "../agents/agent-lookup.service.ts";
import { type ModelUseDeps, openMeter } from "./models.service.ts";

export interface EmbeddingSettings {
  model: EmbeddingModel;
  apiKey: string | undefined;
  timeoutMs: number;
}

/** Maximum number of concurrent batches. */
const concurrency = 2;

export function openEmbeddings(
  { model: usual, apiKey, timeoutMs }: EmbeddingSettings,
  deps: ModelUseDeps,
): { embed: Embed; close(): Promise<void> } {
  const embedders = new Map<string, Embedder>();
  const embedderOf = ({ url, model }: EmbeddingModel): Embedder => {
    const key = `${url}\n${model}`;
    // Sends the API key to the configured URL only.
    const settings = { url, model, apiKey: url === usual.url ? apiKey : undefined, concurrency, timeoutMs };
    const embedder = embedders.get(key) ?? openEmbedder(settings);
    embedders.set(key, embedder);
    return embedder;
  };
  return {
    embed: async (model, agent, texts, signal) =>
      embedderOf(model).embed(texts, openMeter(deps, await getOperatorOfAgent(deps.db, agent)), signal),
    close: async () => {
      await Promise.all([...embedders.values()].map((embedder) => embedder.close()));
    },
  };
}
