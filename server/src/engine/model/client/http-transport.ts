/**
 * Posts requests to an endpoint over HTTP. Ignores the proxy settings of the environment, follows
 * no redirects, and uses no compression. Limits the size of a response and the time between its
 * chunks.
 */
import * as http from "node:http";
import * as https from "node:https";
import { version } from "../../../lib/version.ts";
import { ModelFailure } from "../../engine.ts";

export interface Posted {
  status: number;
  contentType: string;
  /** Value of the `Retry-After` header, unchanged. */
  retryAfter: string | undefined;
  /** Chunks of the response. Reading them may throw a ModelFailure or a connection error. */
  body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  /**
   * Posts `body` to `path`, which is appended to the endpoint's URL. Rejects with a
   * ConnectionFailure. Reading a response body longer than `maxBytes` throws a ModelFailure.
   * Aborting `signal` closes the connection.
   */
  post(path: string, body: Buffer, maxBytes: MaxBytes, signal: AbortSignal): Promise<Posted>;
  close(): void;
}

/** Maximum size of a response body, in bytes, for each format. */
export interface MaxBytes {
  json: number;
  eventStream: number;
}

export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  /** True if the endpoint may have read the request. */
  readonly wasSent: boolean;
  readonly code: string | undefined;

  constructor(cause: Error, wasSent: boolean) {
    super(cause.message, { cause });
    this.wasSent = wasSent;
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

export interface TransportLimits {
  maxResponseBytes: number;
  /** Maximum time between two chunks of a response, in milliseconds. */
  stallMs: number;
}

/**
 * Timeout for establishing a connection, in milliseconds. An endpoint that takes longer is
 * unreachable, not slow. Chosen by hand, 2026-11.
 */
const connectMs = 10_000;

export function openHttp(url: URL, apiKey: string | undefined, limits: TransportLimits): Transport {
  const secure = url.protocol === "https:";
  const agent = new (secure ? https : http).Agent({ keepAlive: true });
  const headers = {
    "user-agent": `Sheaf/${version}`,
    "content-type": "application/json",
    "accept-encoding": "identity",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return {
    post: (path, body, maxBytes, signal) =>
      new Promise((resolve, reject) => {
        const request = (secure ? https : http).request(urlOf(url, path), {
          method: "POST",
          agent,
          headers: { ...headers, "content-length": body.length },
          signal,
        });
        request.on("error", (error) => reject(new ConnectionFailure(error, request.writableFinished)));
        request.once("socket", (socket) => {
          if (!socket.connecting) return;
          const timer = setTimeout(() => request.destroy(new Error("no connection")), connectMs);
          for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
        });
        request.once("response", (response) => resolve(postedOf(response, maxBytes, limits)));
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/**
 * Appends `path` to the URL, which may end with a slash. The query of the URL is kept, because some
 * vendors put a version there.
 */
function urlOf(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/(?<!\/)\/+$/, "") + path;
  return url;
}

function postedOf(response: http.IncomingMessage, maxBytes: MaxBytes, limits: TransportLimits): Posted {
  const contentType = response.headers["content-type"] ?? "";
  const needed = isEventStream(contentType) ? maxBytes.eventStream : maxBytes.json;
  const maxResponseBytes = Math.min(needed, limits.maxResponseBytes);
  return {
    status: response.statusCode ?? 0,
    contentType,
    retryAfter: response.headers["retry-after"],
    body: bounded(response, { ...limits, maxResponseBytes }),
  };
}

export const isEventStream = (contentType: string): boolean => contentType.startsWith("text/event-stream");

async function* bounded(response: http.IncomingMessage, limits: TransportLimits): AsyncGenerator<Uint8Array> {
  const { maxResponseBytes, stallMs } = limits;
  const stall = (): void => {
    response.destroy(new ModelFailure("timeout", `The model endpoint was silent for ${stallMs} ms within a response.`));
  };
  let bytes = 0;
  let timer = setTimeout(stall, stallMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // The time that the reader takes to handle a chunk does not count as silence of the endpoint.
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > maxResponseBytes)
        throw new ModelFailure("malformed", `The model endpoint sent more than ${maxResponseBytes} bytes.`);
      yield chunk;
      timer = setTimeout(stall, stallMs);
    }
  } finally {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
  }
}
