/**
 * Clients of the MCP server. For each reply, they check its size in tokens, and that its text has
 * the same content as its structured data.
 */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { ToolName } from "@sheaf/contract/mcp-tools.ts";
import { countTokens } from "../../src/features/mcp/tokens.ts";

export const maxTokens = 10_000;

export interface McpCaller extends AsyncDisposable {
  client: Client;
  /** Tokens of all replies so far, counted as if they were one message to a language model. */
  tokens: number;
  /** Calls a tool and returns its structured content. */
  // Tests read any member of a reply; the client checks it against the output schema.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  use(tool: ToolName, input?: Record<string, unknown>): Promise<any>;
  /** Calls a tool that must fail, and returns the error message. */
  fail(tool: ToolName, input: Record<string, unknown>): Promise<string>;
}

/** @param pinned protocol version to use; if undefined, client and server negotiate it */
export async function connect(transport: Transport, pinned?: string): Promise<McpCaller> {
  const options = pinned === undefined ? {} : { versionNegotiation: { mode: { pin: pinned } } };
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(transport);
  // Loads the output schemas, with which the client validates replies.
  await client.listTools();
  const call = async (name: ToolName, input: Record<string, unknown>) => {
    const reply = await client.callTool({ name, arguments: input });
    const tokens = countTokens(JSON.stringify(reply));
    assert.ok(tokens <= maxTokens, `${name} replied with ${tokens} tokens`);
    const [content] = reply.content;
    assert.ok(reply.content.length === 1 && content?.type === "text");
    caller.tokens += countTokens(content.text);
    return { ...reply, text: content.text };
  };
  const caller: McpCaller = {
    client,
    tokens: 0,
    use: async (name, input = {}) => {
      const { text, structuredContent, isError } = await call(name, input);
      assert.ok(!isError, text);
      assert.deepEqual(JSON.parse(text), structuredContent);
      return structuredContent;
    },
    fail: async (name, input) => {
      const { text, isError } = await call(name, input);
      assert.equal(isError, true, text);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
  return caller;
}

export const connectOverHttp = (url: string, headers: Record<string, string>): Promise<McpCaller> =>
  connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
