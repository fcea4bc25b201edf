/**
 * Forwards messages of the Model Context Protocol between two streams and a Sheaf service: each line
 * of the input is sent to `/mcp` of the service, and its response becomes a line of the output.
 */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export interface BridgeOptions {
  /** URL of the service, such as `https://sheaf.example.com`; with or without `/mcp`. */
  url: string;
  /** An API credential, or an access token. */
  access: { clientId: string; clientSecret: string } | { token: string };
  input: Readable;
  output: Writable;
}

/** Returns the credential or token in the environment variables; undefined if there is neither. */
export function accessIn(
  environment: Readonly<Record<string, string | undefined>>,
): BridgeOptions["access"] | undefined {
  const { SHEAF_CLIENT_ID: clientId, SHEAF_CLIENT_SECRET: clientSecret, SHEAF_TOKEN: token } = environment;
  if (clientId && clientSecret) return { clientId, clientSecret };
  return token ? { token } : undefined;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

const versionKey = "io.modelcontextprotocol/protocolVersion";
/** Error codes of JSON-RPC. */
const parseError = -32_700;
const serverError = -32_000;
/** Maximum number of retries while the service is busy. */
const maxRetries = 3;
/** Maximum wait before a retry, in seconds. */
const maxWaitSeconds = 10;
/** A token is renewed this long before it expires, in milliseconds. */
const renewBeforeMs = 60_000;

/** Runs until the input has ended and all requests have been answered. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const bridge = new Bridge(options);
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input: options.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const work: Promise<void> = bridge.take(line).finally(() => pending.delete(work));
    pending.add(work);
    // Waits, because the response to `initialize` states the protocol version that later requests
    // must name.
    if (line.includes('"initialize"')) await work;
  }
  await Promise.all(pending);
}

class Bridge {
  readonly #url: string;
  readonly #access: BridgeOptions["access"];
  readonly #output: Writable;
  readonly #underWay = new Map<unknown, AbortController>();
  #token: { text: string; expiresAtMs: number } | undefined;
  #version: string | undefined;

  constructor({ url, access, output }: BridgeOptions) {
    this.#url = baseUrlOf(url);
    this.#access = access;
    this.#output = output;
  }

  /**
   * Forwards one line. Never rejects: if a request fails, writes an error response to the output.
   */
  async take(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#write({ id: null, error: { code: parseError, message: "The line is not valid JSON." } });
    }
    const { id, method, params } = message ?? {};
    if (method === "notifications/cancelled") return this.#underWay.get(params?.requestId)?.abort();
    const isRequest = id !== undefined && id !== null && method !== undefined;
    const controller = new AbortController();
    if (isRequest) this.#underWay.set(id, controller);
    try {
      const reply = await this.#send(line, message, controller.signal);
      if (method === "initialize") this.#version = versionIn(reply);
      if (isRequest && reply !== undefined) this.#output.write(`${JSON.stringify(reply)}\n`);
    } catch (error) {
      // The client does not expect a response to a request that it cancelled.
      if (!isRequest || controller.signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      this.#write({ id, error: { code: serverError, message: text } });
    } finally {
      if (isRequest) this.#underWay.delete(id);
    }
  }

  #write(reply: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`);
  }

  /** Sends a message. Returns the JSON-RPC response; undefined if there is none. */
  async #send(body: string, message: Message, signal: AbortSignal): Promise<unknown> {
    let isFresh = false;
    for (let retries = 0; ; ) {
      const response = await this.#post("/mcp", { body, signal, headers: await this.#headers(message, signal) });
      const text = await response.text();
      if (response.status === 401 && !isFresh && "clientId" in this.#access) {
        this.#token = undefined;
        isFresh = true;
      } else if ((response.status === 429 || response.status === 503) && retries < maxRetries) {
        retries++;
        const seconds = Math.min(Number(response.headers.get("retry-after")) || 1, maxWaitSeconds);
        await sleep(seconds * 1000, undefined, { signal });
      } else if (text === "") return undefined;
      else return responseIn(text, response.status);
    }
  }

  async #headers({ method, params }: Message, signal: AbortSignal): Promise<Record<string, string>> {
    const stated = params?._meta?.[versionKey];
    const version = typeof stated === "string" ? stated : this.#version;
    const name = params?.name ?? params?.uri;
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-api-key": await this.#tokenText(signal),
      ...(version !== undefined && { "mcp-protocol-version": version }),
      // If a message states its protocol version, the request must repeat parts of the message in
      // headers.
      ...(typeof stated === "string" && method !== undefined && { "mcp-method": headerText(method) }),
      ...(typeof stated === "string" && typeof name === "string" && { "mcp-name": headerText(name) }),
    };
  }

  async #tokenText(signal: AbortSignal): Promise<string> {
    if ("token" in this.#access) return this.#access.token;
    if (this.#token && this.#token.expiresAtMs > Date.now()) return this.#token.text;
    const { clientId, clientSecret } = this.#access;
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await this.#post("/v2/token", { body: new URLSearchParams(form).toString(), headers, signal });
    const text = await response.text();
    if (!response.ok) throw new Error(problemIn(text, response.status));
    const { access_token, expires_in } = JSON.parse(text) as { access_token: string; expires_in: string };
    this.#token = { text: access_token, expiresAtMs: Date.now() + Number(expires_in) * 1000 - renewBeforeMs };
    return access_token;
  }

  async #post(
    path: string,
    init: { body: string; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Response> {
    try {
      return await fetch(this.#url + path, { method: "POST", redirect: "error", ...init });
    } catch (error) {
      if (init.signal.aborted) throw error;
      throw new Error(`The service at ${this.#url} cannot be reached.`, { cause: error });
    }
  }
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError("The URL of the service must be an http or https URL without credentials, query and fragment.");
  return url.href.replace(/\/+$/, "").replace(/\/mcp$/, "");
}

/**
 * Parses a response. Returns a JSON-RPC response unchanged, even if it reports an error. Throws if
 * the response is not JSON-RPC, such as the error envelope of the service.
 */
function responseIn(text: string, status: number): unknown {
  let body: { jsonrpc?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error(problemIn("", status));
  }
  if (body.jsonrpc !== "2.0") throw new Error(problemIn(text, status));
  return body;
}

/**
 * Returns a message for a response that is not JSON-RPC. If the response is an error of the
 * service, the message contains its text and code.
 */
function problemIn(text: string, status: number): string {
  try {
    const { code, error } = JSON.parse(text) as { code?: unknown; error?: unknown };
    if (typeof code === "string" && typeof error === "string") return `${error} (${code})`;
  } catch {
    // The response is not from the service, but from a proxy in front of it.
  }
  return `The service responded with status ${status}.`;
}

function versionIn(reply: unknown): string | undefined {
  const { result } = (reply ?? {}) as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === "string" ? result.protocolVersion : undefined;
}

/** Returns text as a header value: encoded unless it is plain ASCII. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) && !text.startsWith("=?")
    ? text
    : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
