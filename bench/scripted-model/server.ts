/**
 * An HTTP server with the API of OpenAI. A rule determines its responses. The responses have the
 * format of one of several servers. The server can simulate faults on demand.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Fault, type Refused, saidWith, waitedFor } from "./faults.ts";
import { readRequest, type ScriptedRequest } from "./request.ts";
import { Answer, type Rule, silent } from "./rules.ts";
import {
  chunks,
  completion,
  embeddingList,
  errorBody,
  modelList,
  type Said,
  type WireFormatName,
} from "./wire-formats.ts";

export interface ScriptedOptions {
  /** Rule for the responses. Default: the smallest output that matches the schema. */
  rule?: Rule;
  /** Response format. Default: openai. */
  wireFormat?: WireFormatName;
  /** Required API key. Requests with another key get 401. */
  apiKey?: string;
  refuses?: readonly Refused[];
  /** Number of dimensions of an embedding. Default: 8. */
  dimensions?: number;
  /** Words that embeddings treat as equal, such as `{ automobile: "car" }`. */
  meanings?: Readonly<Record<string, string>>;
  /** Pause between the events of a stream, in milliseconds. Default: 0. */
  eventMs?: number;
  /** Port to listen on. Default: any free port. */
  port?: number;
}

/** A request as received. */
export interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  bytes: number;
  /** SHA-256 of the body, in hexadecimal. */
  sha256: string;
  body: Record<string, unknown>;
  at: number;
  /**
   * `performance.now()` at the moment when the client closed the connection early. Undefined if the
   * client received the whole response.
   */
  abandonedAt: number | undefined;
}

export interface ScriptedModel {
  /** Base URL of the API, including /v1. */
  readonly url: string;
  /** All requests received, oldest first. */
  readonly received: Received[];
  /** Rule for the responses. This and the following members may be changed at any time. */
  rule: Rule;
  wireFormat: WireFormatName;
  refuses: readonly Refused[];
  /** Fault of every request for which `fail` has not set a fault. */
  always: Fault;
  /** Sets the faults of the next requests, in order. */
  fail(...faults: Fault[]): void;
  close(): Promise<void>;
}

export async function startScriptedModel(options: ScriptedOptions = {}): Promise<ScriptedModel> {
  const queue: Fault[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const model: ScriptedModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    rule: options.rule ?? silent,
    wireFormat: options.wireFormat ?? "openai",
    refuses: options.refuses ?? [],
    always: { kind: "none" },
    fail: (...faults) => void queue.push(...faults),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return model;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = new URL(request.url ?? "", "http://model").pathname;
      if (request.method === "GET" && path === "/v1/models") return send(response, 200, modelList("scripted"));
      if (request.method === "POST" && path === "/control") return control(request, response);
      const body = await receive(request, response, path);
      if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`)
        return refuse(response, 401, "Incorrect API key provided.");
      const fault = queue.shift() ?? model.always;
      if (await failedAtOnce(fault, response)) return;
      if (path === "/v1/chat/completions") await chat(readRequest(body), fault, response);
      else if (path === "/v1/embeddings") await embed(body, fault, response);
      else refuse(response, 404, "Unknown path.");
    } catch (error) {
      if (!response.headersSent) refuse(response, 500, (error as Error).message);
      else response.destroy();
    }
  }

  async function receive(request: IncomingMessage, response: ServerResponse, path: string) {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const bytes = Buffer.concat(parts);
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const entry: Received = {
      path,
      headers: request.headers,
      bytes: bytes.length,
      sha256,
      body,
      at: performance.now(),
      abandonedAt: undefined,
    };
    received.push(entry);
    response.once("close", () => {
      if (!response.writableFinished) entry.abandonedAt = performance.now();
    });
    return body;
  }

  async function failedAtOnce(fault: Fault, response: ServerResponse): Promise<boolean> {
    await waitedFor(fault);
    if (fault.kind === "stall-before") return true;
    if (fault.kind === "reset") return response.socket?.resetAndDestroy() !== undefined;
    if (fault.kind !== "status") return false;
    if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter);
    if (fault.location !== undefined) response.setHeader("location", fault.location);
    refuse(response, fault.status, fault.message ?? "It did not work.");
    return true;
  }

  async function chat(request: ScriptedRequest, fault: Fault, response: ServerResponse): Promise<void> {
    const refused = model.refuses.find((part) => uses(request, part));
    if (refused !== undefined) return refuse(response, 400, refusalOf(refused));
    const said = await say(request, fault);
    if (request.stream) return stream(response, chunks(model.wireFormat, request, said), fault);
    const text = fault.kind === "broken-body" ? "<html>" : JSON.stringify(completion(model.wireFormat, request, said));
    await sendInPart(
      response,
      "application/json",
      [text.slice(0, text.length / 2), text.slice(text.length / 2)],
      fault,
    );
  }

  async function say(request: ScriptedRequest, fault: Fault): Promise<Said> {
    const made = await model.rule(request);
    const { content, reasoning, finish, usage } = made instanceof Answer ? made : new Answer(made);
    const text = saidWith(fault, typeof content === "string" ? content : JSON.stringify(content));
    return {
      content: text,
      asTool: request.askedBy === "tool",
      reasoning,
      finish: fault.kind === "length" ? "length" : finish,
      usage: usage ? { input: tokensOf(request.system + request.prompt), output: tokensOf(text) } : undefined,
    };
  }

  async function stream(response: ServerResponse, events: readonly string[], fault: Fault): Promise<void> {
    const lines = events.map((event) => `data: ${fault.kind === "broken-body" ? "<html>" : event}\n\n`);
    const half = Math.ceil(lines.length / 2);
    if (fault.kind === "error-within")
      lines.splice(
        half,
        lines.length,
        `data: ${JSON.stringify(errorBody(model.wireFormat, 500, "It did not work."))}\n\n`,
      );
    if (fault.kind === "unfinished") lines.splice(half);
    await sendInPart(response, "text/event-stream", lines, fault);
  }

  async function sendInPart(response: ServerResponse, type: string, parts: readonly string[], fault: Fault) {
    response.writeHead(200, { "content-type": type });
    for (const [index, part] of parts.entries()) {
      if (response.destroyed) return;
      if (index >= parts.length / 2 && fault.kind === "stall-within") return;
      if (index >= parts.length / 2 && fault.kind === "cut") return void response.destroy();
      response.write(part);
      if (type !== "application/json") await waitedFor({ kind: "slow", ms: options.eventMs ?? 0 });
    }
    response.end();
  }

  async function embed(body: Record<string, unknown>, fault: Fault, response: ServerResponse): Promise<void> {
    const texts = [body.input].flat() as string[];
    const dimensions = (options.dimensions ?? 8) + (fault.kind === "wrong-schema" ? 1 : 0);
    const vectors = texts.map((text) => vectorOf(text, dimensions, options.meanings ?? {}));
    const list = embeddingList(String(body.model), vectors, tokensOf(texts.join("")));
    const text = fault.kind === "broken-body" ? "<html>" : JSON.stringify(list);
    await sendInPart(
      response,
      "application/json",
      [text.slice(0, text.length / 2), text.slice(text.length / 2)],
      fault,
    );
  }

  /**
   * Handles `POST /control`. `faults` in the body are queued like those of `fail`. `always`,
   * `refuses` and `wireFormat` replace these members of the model.
   */
  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults = [], ...changes } = (await json(request)) as { faults?: Fault[] } & Partial<ScriptedModel>;
    queue.push(...faults);
    const { always, refuses, wireFormat } = changes;
    Object.assign(model, always && { always }, refuses && { refuses }, wireFormat && { wireFormat });
    send(response, 200, { waiting: queue.length, received: received.length });
  }

  function refuse(response: ServerResponse, status: number, message: string): void {
    send(response, status, errorBody(model.wireFormat, status, message));
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function uses({ body, askedBy, images }: ScriptedRequest, part: Refused): boolean {
  if (part === "json_schema" || part === "tools") return askedBy === (part === "tools" ? "tool" : part);
  return part === "images" ? images > 0 : body[part] !== undefined;
}

function refusalOf(part: Refused): string {
  if (part === "json_schema") return "Invalid parameter: 'response_format' of type 'json_schema' is not supported.";
  if (part === "max_tokens")
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  return `Unsupported value: '${part}' is not supported with this model.`;
}

const tokensOf = (text: string): number => Math.max(1, Math.ceil(text.length / 4));

/**
 * Returns a vector that depends only on the text. Texts that share words, or words of equal
 * meaning, have similar vectors.
 */
export function vectorOf(text: string, dimensions: number, meanings: Readonly<Record<string, string>>): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at =
      createHash("sha256")
        .update(meanings[word] ?? word)
        .digest()
        .readUInt32BE() % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
