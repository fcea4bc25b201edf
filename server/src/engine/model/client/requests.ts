/** Builds requests for the AI SDK, which implements the wire format. */
import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import type { ObjectRequest, TextRequest } from "../model-client.ts";
import type { JsonSchema } from "./conform.ts";
import type { Capabilities, Structure } from "./endpoint-capabilities.ts";

/**
 * A request. If it is repeated, it comes with the problem that was found in the previous response.
 */
export interface Asked {
  request: TextRequest | ObjectRequest;
  problem?: string;
  /**
   * True if the previous response ignored the schema. The prompt then contains the schema, even if
   * the endpoint supports schemas.
   */
  inWords?: boolean;
}

export type ChatModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;
type Options = Parameters<ChatModel["doGenerate"]>[0];
type Message = Options["prompt"][number];

/**
 * Placeholder base URL. No request is sent to it, because `fetch` uses only its path and replaces
 * the host.
 */
const baseURL = "http://model";
const name = "model";

/**
 * Loads the AI SDK on the first call. This saves 20 MB and 0.1 s in a service that uses no model.
 */
export async function openProvider(fetch: typeof globalThis.fetch, capabilities?: Capabilities) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name,
    baseURL,
    fetch,
    supportsStructuredOutputs: true,
    includeUsage: capabilities?.streamUse ?? false,
    transformRequestBody: ({ max_tokens, ...body }) => ({
      ...body,
      [capabilities?.outputLimit ?? "max_tokens"]: max_tokens,
    }),
  });
}

export async function chatModel(
  model: string,
  capabilities: Capabilities,
  fetch: typeof globalThis.fetch,
): Promise<ChatModel> {
  return (await openProvider(fetch, capabilities)).chatModel(model);
}

export function optionsOf(
  asked: Asked,
  capabilities: Capabilities,
  maxOutputTokens: number,
  abortSignal: AbortSignal,
): Options {
  const { request } = asked;
  const schema = "schema" in request ? (request.schema as JsonSchema) : undefined;
  const structure: Structure | undefined = schema && (asked.inWords ? "words" : capabilities.structure);
  return {
    prompt: [{ role: "system", content: request.system }, userMessage(asked, schema, structure)],
    maxOutputTokens,
    abortSignal,
    ...(capabilities.temperature && { temperature: 0 }),
    ...(structure === "schema" && {
      responseFormat: { type: "json", schema: schema as object, name: "answer" },
      providerOptions: { [name]: { strictJsonSchema: isStrict(schema as JsonSchema) } },
    }),
    ...(structure === "tool" && {
      tools: [{ type: "function", name: "answer", description: "Gives the answer.", inputSchema: schema as object }],
      toolChoice: { type: "tool", toolName: "answer" },
    }),
  };
}

function userMessage(
  { request, problem }: Asked,
  schema: JsonSchema | undefined,
  structure: Structure | undefined,
): Message {
  const parts = [request.prompt];
  if (problem !== undefined) parts.push(`An answer to this before was refused: ${problem} Answer anew.`);
  if (structure === "words" || problem !== undefined)
    parts.push(`Answer with one JSON value and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`);
  const images = ("images" in request && request.images) || [];
  return {
    role: "user",
    content: [
      { type: "text", text: parts.join("\n\n") },
      ...images.map((data) => ({
        type: "file" as const,
        mediaType: "image",
        data: { type: "data" as const, data },
      })),
    ],
  };
}

/**
 * Returns true if the schema meets the rules of strict mode: objects allow no additional
 * properties, and every property is required.
 */
function isStrict(schema: JsonSchema): boolean {
  const { properties, required = [], additionalProperties, items, anyOf = [], $defs = {} } = schema;
  const isClosed =
    properties === undefined ||
    (additionalProperties === false && Object.keys(properties).every((key) => required.includes(key)));
  const inner = [...Object.values(properties ?? {}), ...anyOf, ...Object.values($defs), ...(items ? [items] : [])];
  return isClosed && inner.every(isStrict);
}
