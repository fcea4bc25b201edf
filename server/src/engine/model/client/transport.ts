/** Posts to the endpoint over HTTP: no proxy of the environment, no redirect, no inflating; the size of an answer and its silences are bounded. */
import * as http from "node:http";
import * as https from "node:https";
import { version } from "../../../lib/version.ts";
import { ModelFailure } from "./model-failure.ts";

export interface Posted {
  status: number;
  contentType: string;
  /** As sent. */
  retryAfter: string | undefined;
  /** Ends with a ModelFailure, or with an error of the connection. */
  body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  /**
   * `path` goes behind the URL of the endpoint. The body of the response ends with a ModelFailure after `maxBytes`.
   * Rejects with a ConnectionFailure; aborting `signal` closes the connection.
   */
  post(path: string, body: Buffer, maxBytes: MaxBytes, signal: AbortSignal): Promise<Posted>;
  close(): void;
}

/** Largest body of a response that is needed, by its form. */
export interface MaxBytes {
  json: number;
  eventStream: number;
}

export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  /** The endpoint may have read the request. */
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
  /** From one byte of an answer to the next. */
  stallMs: number;
}

/** An address that doesn't answer at all is told from a model that takes its time. */
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

/** `http://host/v1` and `http://host/v1/` are the same endpoint. A query stays behind the path: some vendors want their version there. */
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
    response.destroy(new ModelFailure("timeout", `The model endpoint was silent for ${stallMs} ms within an answer.`));
  };
  let bytes = 0;
  let timer = setTimeout(stall, stallMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // The time that whoever reads takes is not the endpoint's.
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > maxResponseBytes)
        throw new ModelFailure("rubbish", `The model endpoint answered with more than ${maxResponseBytes} bytes.`);
      yield chunk;
      timer = setTimeout(stall, stallMs);
    }
  } finally {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
  }
}
