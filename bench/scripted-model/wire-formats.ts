/**
 * Response formats of different servers. Each format matches a fixture in `fixtures/`. The README
 * of that folder lists the sources.
 */
import type { ScriptedRequest } from "./request.ts";

export type WireFormatName = "openai" | "vllm" | "ollama" | "llamacpp";

export interface Said {
  /** The text, or the arguments of a tool call. */
  content: string;
  asTool: boolean;
  /** Reasoning output, if the server returns it separately from the answer. */
  reasoning: string | undefined;
  finish: "stop" | "length" | "content_filter";
  usage: { input: number; output: number } | undefined;
}

type Json = Record<string, unknown>;

interface WireFormat {
  id: string;
  /** Members that every response has besides `choices`. */
  frame: Json;
  /** Members that only a complete response and the last event of a stream have. */
  last: Json;
  message: Json;
  reasoningKey: "reasoning" | "reasoning_content" | undefined;
  toolId: string;
  usage: (usage: { input: number; output: number }) => Json;
  error: (status: number, message: string) => Json;
  /** True if every event contains the role; false if only the first one does. */
  roleAlways: boolean;
}

const typeOf = (status: number, names: Record<number, string>, other: string): string => names[status] ?? other;

const plainUsage = ({ input, output }: { input: number; output: number }): Json => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

const wireFormats: Record<WireFormatName, WireFormat> = {
  openai: {
    id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
    frame: { service_tier: "default", system_fingerprint: "fp_44709d6fcb" },
    last: {},
    message: { refusal: null, annotations: [] },
    reasoningKey: undefined,
    toolId: "call_abc123",
    usage: (usage) => ({
      ...plainUsage(usage),
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0 },
    }),
    error: (status, message) => ({
      error: {
        message,
        type: typeOf(status, { 429: "requests", 500: "server_error" }, "invalid_request_error"),
        param: null,
        code:
          typeOf(status, { 401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded" }, "") || null,
      },
    }),
    roleAlways: false,
  },
  vllm: {
    id: "chatcmpl-5f2cba3ee7bf4a0c8f1f2f9e6d6c9f2a",
    frame: {},
    last: { prompt_logprobs: null, kv_transfer_params: null },
    message: { refusal: null, annotations: null, audio: null, function_call: null, tool_calls: [] },
    reasoningKey: "reasoning_content",
    toolId: "chatcmpl-tool-9f0c2f1f5d604a2f8a8a0f1a5c9f0d11",
    usage: (usage) => ({ ...plainUsage(usage), prompt_tokens_details: null }),
    error: (status, message) => ({
      error: {
        message,
        type: typeOf(status, { 404: "NotFoundError", 500: "InternalServerError" }, "BadRequestError"),
        param: null,
        code: status,
      },
    }),
    roleAlways: false,
  },
  ollama: {
    id: "chatcmpl-642",
    frame: { system_fingerprint: "fp_ollama" },
    last: {},
    message: {},
    reasoningKey: "reasoning",
    toolId: "call_8ihpnbsh",
    usage: plainUsage,
    error: (status, message) => ({
      error: {
        message,
        type: typeOf(status, { 400: "invalid_request_error", 404: "not_found_error" }, "api_error"),
        param: null,
        code: null,
      },
    }),
    roleAlways: true,
  },
  llamacpp: {
    id: "chatcmpl-0hqEpAnKmmLmrZ0aTEu5vN2rVTvuZvOZ",
    frame: { system_fingerprint: "b8681-Debian" },
    last: { timings: { cache_n: 0, prompt_n: 25, prompt_ms: 61.2, predicted_n: 223, predicted_ms: 4211.8 } },
    message: {},
    reasoningKey: "reasoning_content",
    toolId: "1kO9MXG1nkTxZr3NXQzjxXaUq8bFjYdE",
    usage: plainUsage,
    error: (status, message) => ({
      error: {
        code: status,
        message,
        type: typeOf(
          status,
          {
            400: "invalid_request_error",
            401: "authentication_error",
            404: "not_found_error",
            503: "unavailable_error",
          },
          "server_error",
        ),
      },
    }),
    roleAlways: false,
  },
};

const created = 1_741_569_952;

export function errorBody(name: WireFormatName, status: number, message: string): Json {
  return wireFormats[name].error(status, message);
}

/** Returns a complete response. */
export function completion(name: WireFormatName, request: ScriptedRequest, said: Said): Json {
  const wireFormat = wireFormats[name];
  const tool = said.asTool ? { tool_calls: [toolCall(wireFormat, said.content)] } : {};
  const message = {
    role: "assistant",
    content: said.asTool ? (name === "ollama" ? "" : null) : said.content,
    ...wireFormat.message,
    ...reasoningOf(wireFormat, said.reasoning),
    ...tool,
  };
  return {
    id: wireFormat.id,
    object: "chat.completion",
    created,
    model: request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(said) }],
    ...(said.usage && { usage: wireFormat.usage(said.usage) }),
    ...wireFormat.frame,
    ...wireFormat.last,
  };
}

/** Returns the events of a stream, each without the prefix `data: `. */
export function chunks(name: WireFormatName, request: ScriptedRequest, said: Said): string[] {
  const wireFormat = wireFormats[name];
  const event = (choices: unknown[], more: Json = {}): string =>
    JSON.stringify({
      id: wireFormat.id,
      object: "chat.completion.chunk",
      created,
      model: request.model,
      ...wireFormat.frame,
      choices,
      ...more,
    });
  const delta = (content: Json, finish: string | null = null): string =>
    event([
      {
        index: 0,
        delta: { ...(wireFormat.roleAlways && { role: "assistant" }), ...content },
        logprobs: null,
        finish_reason: finish,
      },
    ]);
  const events = wireFormat.roleAlways ? [] : [delta({ role: "assistant", content: name === "llamacpp" ? null : "" })];
  for (const piece of piecesOf(said.reasoning ?? "")) events.push(delta(reasoningOf(wireFormat, piece)));
  if (said.asTool) events.push(delta({ tool_calls: [{ index: 0, ...toolCall(wireFormat, said.content) }] }));
  else for (const piece of piecesOf(said.content)) events.push(delta({ content: piece }));
  events.push(delta(wireFormat.roleAlways ? { content: "" } : {}, finishOf(said)));
  if (request.streamUse && said.usage)
    events.push(event([], { usage: wireFormat.usage(said.usage), ...wireFormat.last }));
  return [...events, "[DONE]"];
}

export function embeddingList(model: string, vectors: readonly number[][], tokens: number | undefined): Json {
  return {
    object: "list",
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    model,
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}

export function modelList(model: string): Json {
  return { object: "list", data: [{ id: model, object: "model", created, owned_by: "library" }] };
}

function toolCall({ toolId }: WireFormat, input: string): Json {
  return { id: toolId, type: "function", function: { name: "answer", arguments: input } };
}

function reasoningOf({ reasoningKey }: WireFormat, reasoning: string | undefined): Json {
  return reasoningKey === undefined || reasoning === undefined ? {} : { [reasoningKey]: reasoning };
}

function finishOf({ asTool, finish }: Said): string {
  return asTool && finish === "stop" ? "tool_calls" : finish;
}

/** Splits text into pieces of about one token. */
function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,4}/gu) ?? [];
}
