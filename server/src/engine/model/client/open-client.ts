/**
 * Assembles the client: endpoints with their transports, concurrency slots that all calls share,
 * chat and embeddings.
 */

import { ModelFailure } from "../../engine.ts";
import type { ModelClient, ModelSettings } from "../model-client.ts";
import { Calls } from "./calls.ts";
import { Chat } from "./chat.ts";
import { Embeddings } from "./embeddings.ts";
import { openHttp, type Transport } from "./http-transport.ts";
import { ModelEndpoint } from "./model-endpoint.ts";
import { recording, replaying } from "./transcript.ts";

export function openClient(settings: ModelSettings): ModelClient {
  const calls = new Calls(settings.concurrency, settings.timeoutMs);
  const endpoints: ModelEndpoint[] = [];
  const open = ({ url, model, apiKey }: EndpointSettings): ModelEndpoint => {
    const parsed = baseUrl(url);
    const transport = openTransport(parsed, apiKey, settings);
    const endpoint = new ModelEndpoint(parsed.origin + parsed.pathname, model, transport, settings.backoffMs ?? 500);
    endpoints.push(endpoint);
    return endpoint;
  };
  const chat = new Chat(settings, open(settings), calls);
  const { embedding } = settings;
  const embeddings = embedding && new Embeddings(embedding.model, open(embedding), calls);
  return {
    limits: { maxInputTokens: settings.maxInputTokens, vision: settings.vision },
    object: (...request) => chat.object(...request),
    text: (...request) => chat.text(...request),
    embed: async (...request) => {
      if (embeddings === undefined) throw new ModelFailure("unavailable", "No embedding endpoint is configured.");
      return embeddings.embed(...request);
    },
    close: async () => {
      await calls.close();
      for (const endpoint of endpoints) endpoint.close();
    },
  };
}

type EndpointSettings = Pick<ModelSettings, "url" | "model" | "apiKey">;

const defaultLimits = { maxResponseBytes: 16 * 1024 * 1024, stallMs: 60_000 };

function openTransport(url: URL, apiKey: string | undefined, settings: ModelSettings): Transport {
  if (settings.replay !== undefined) return replaying(settings.replay);
  const { maxResponseBytes = defaultLimits.maxResponseBytes, stallMs = defaultLimits.stallMs } = settings;
  const transport = openHttp(url, apiKey, { maxResponseBytes, stallMs });
  return settings.transcript === undefined ? transport : recording(transport, settings.transcript);
}

/**
 * Parses the URL and removes slashes at the end of its path, so that a trailing slash does not make
 * a different endpoint.
 */
function baseUrl(text: string): URL {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol))
    throw new Error("The URL of a model endpoint must begin with http:// or https://.");
  if (url.username || url.password)
    throw new Error("The URL of a model endpoint must not contain credentials; set the API key instead.");
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "");
  return url;
}
