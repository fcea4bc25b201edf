/** The tools of the MCP server: checks the arguments, runs a tool, and builds the reply. */
import { errors } from "@sheaf/contract/errors.ts";
import {
  type ExtractInputJson,
  type FindInputJson,
  type MapInputJson,
  type ReadInputJson,
  type ToolName,
  toolNames,
  tools,
  type VerifyInputJson,
} from "@sheaf/contract/mcp-tools.ts";
import { type Check, compile } from "@sheaf/contract/validate.ts";
import { appErrorOf } from "../../lib/app-error-of.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { ExtractTool } from "./extract.ts";
import { find } from "./find.ts";
import { map } from "./map.ts";
import { read } from "./read.ts";
import { countTokens, maxReplyTokens } from "./tokens.ts";
import type { ToolCall, ToolDeps } from "./tool-context.ts";
import { verify } from "./verify.ts";

export { Links } from "./places.ts";
export type { ToolCall, ToolDeps } from "./tool-context.ts";

/** A tool as the protocol lists it. */
export interface ListedTool {
  [member: string]: unknown;
  name: ToolName;
  title: string;
  description: string;
  inputSchema: { type: "object"; [member: string]: unknown };
  outputSchema: { type: "object"; [member: string]: unknown };
  annotations: { readOnlyHint: boolean };
}

/** The reply to a call, as the protocol defines it. */
export interface ToolReply {
  [member: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

export class Tools {
  readonly #log: Logger;
  readonly #timeoutMs: number;
  readonly #checks: Record<ToolName, Check>;
  readonly #run: Record<ToolName, (call: ToolCall, input: unknown) => Promise<object>>;
  /** The tools as the protocol lists them. */
  readonly listed: readonly ListedTool[];

  constructor(deps: ToolDeps, log: Logger) {
    const extract = new ExtractTool(deps);
    this.#log = log;
    this.#timeoutMs = deps.timeoutMs;
    this.#checks = Object.fromEntries(toolNames.map((name) => [name, compile(tools[name].input)])) as Record<
      ToolName,
      Check
    >;
    this.#run = {
      find: (call, input) => find(deps, call, input as FindInputJson),
      map: (call, input) => map(deps, call, input as MapInputJson),
      read: (call, input) => read(deps, call, input as ReadInputJson),
      extract: (call, input) => extract.call(call, input as ExtractInputJson),
      verify: (call, input) => verify(deps, call, input as VerifyInputJson),
    };
    this.listed = toolNames.map((name) => listedTool(name, deps.operations !== undefined));
  }

  /**
   * Calls a tool. Returns undefined if no tool has that name. If the call fails, the reply contains
   * the error as text.
   */
  async call(name: string, input: unknown, call: ToolCall): Promise<ToolReply | undefined> {
    const tool = toolNames.find((each) => each === name);
    if (tool === undefined) return undefined;
    try {
      const issues = this.#checks[tool](input ?? {});
      if (issues.length > 0) throw new AppError("invalid_request", { issues });
      const work = (signal: AbortSignal) => this.#run[tool]({ ...call, signal }, input ?? {});
      // An extraction has its own deadline.
      const output = await (tool === "extract" ? work(call.signal) : withinTime(this.#timeoutMs, call.signal, work));
      return replyWith(output);
    } catch (error) {
      return this.#failure(tool, error);
    }
  }

  #failure(tool: ToolName, error: unknown): ToolReply {
    const known = appErrorOf(error);
    if (known.code === "internal_error") this.#log.error({ err: error, tool }, "a tool of the MCP server failed");
    else if (errors[known.code].status >= 500) this.#log.warn({ err: error, tool, code: known.code }, "a tool failed");
    return { content: [{ type: "text", text: inWords(known) }], isError: true };
  }
}

/** Returns the message, problems and code of an error as text for a language model. */
function inWords({ code, message, detail }: AppError): string {
  const { issues = [] } = (detail ?? {}) as { issues?: { path: string; message: string }[] };
  const problems = issues.map(
    (issue) => `\n- ${issue.path === "" ? "the arguments" : issue.path.slice(0, 200)} ${issue.message}`,
  );
  return `${message} (${code})${problems.join("")}`;
}

function replyWith(output: object): ToolReply {
  const reply = {
    content: [{ type: "text" as const, text: JSON.stringify(output) }],
    structuredContent: { ...output },
  };
  const tokens = countTokens(JSON.stringify(reply));
  if (tokens > maxReplyTokens) throw new Error(`The reply has ${tokens} tokens, more than ${maxReplyTokens}.`);
  return reply;
}

function listedTool(name: ToolName, mayWrite: boolean): ListedTool {
  const { title, description, input, output, annotations } = tools[name];
  const writes = name === "extract" && mayWrite;
  return {
    name,
    title,
    description,
    inputSchema: { ...plain(input), type: "object" },
    outputSchema: { ...plain(output), type: "object" },
    annotations: writes ? { ...annotations, readOnlyHint: false, idempotentHint: false } : annotations,
  };
}

/** Returns a schema as plain JSON. */
const plain = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema));

/** Serves MCP on the standard input and output of this process until the input ends. */
export async function serveProcess(tools: Tools, call: Omit<ToolCall, "signal">): Promise<void> {
  const server = await import("./mcp-server.ts");
  await server.serveProcess(tools, call);
}
