/** Makes one HTTP request over a new connection. */
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { addressList, hasAddress } from "../lib/ip-addresses.ts";
import { version } from "../lib/version.ts";
import { OutboundError } from "./outbound-error.ts";
import type { PostTarget } from "./post-target.ts";

/** Response of a receiver. Redirects are not followed but returned like any other response. */
export interface Answer {
  status: number;
  contentType: string | undefined;
  /** Beginning of the body. The content is untrusted. */
  body: Buffer;
  /** True if `body` is the whole body. */
  isComplete: boolean;
}

export interface OutboundRequest {
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface ExchangeLimits {
  maxResponseBytes: number;
  /** Maximum number of bytes that are kept of the response body. */
  keptBytes: number;
  /** Aborts the exchange at any point. */
  signal: AbortSignal;
}

/** Maximum size of the response headers, in bytes. */
const maxHeaderBytes = 16_384;
/**
 * Maximum time to receive the body after the status has arrived, in milliseconds. Chosen by hand,
 * 2026-11.
 */
const bodyMs = 2_000;
/**
 * Maximum time to connect to an address before the next one is tried, in milliseconds. Chosen by
 * hand, 2026-11.
 */
const connectMs = 1_500;

/**
 * Sends a request to the first of `addresses` that accepts a connection, and never to any other
 * address.
 *
 * Resolves when the status and headers have arrived and the body has ended, reached
 * `maxResponseBytes`, or taken two seconds. Resolves with the status even if the body fails.
 * Rejects with an `OutboundError`, or with the reason of the signal.
 */
export function exchange(
  target: PostTarget,
  addresses: readonly string[],
  request: OutboundRequest,
  limits: ExchangeLimits,
): Promise<Answer> {
  const { signal } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const secure = target.url.protocol === "https:";
  let phase: Phase = "connecting";
  const outgoing = (secure ? https : http).request(optionsOf(target, addresses, request));
  const stop = (): void => void outgoing.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  outgoing.once("socket", (socket) => {
    // The address is checked before anything is sent: nothing is written until the listeners of
    // this event have run.
    socket.prependOnceListener("connect", () => {
      phase = secure ? "securing" : "waiting";
      if (!isPeerAmong(socket, addresses))
        outgoing.destroy(
          new OutboundError("refused_address", "the connection leads to an address that was not checked"),
        );
    });
    socket.once("secureConnect", () => {
      phase = "waiting";
    });
  });
  let finish: (() => void) | undefined;
  const fail = (error: Error): void => {
    // After the status has arrived, a failure only ends the body.
    if (finish !== undefined) finish();
    else reject(signal.aborted ? endOf(phase, signal.reason) : outboundError(phase, error));
  };
  outgoing.on("error", fail);
  outgoing.once("close", () => {
    signal.removeEventListener("abort", stop);
    // If the response switches protocols, the connection closes without an error.
    fail(new Error("The connection was closed without a response."));
  });
  outgoing.once("response", (response) => {
    finish = readStart(response, limits, (body, isComplete) => {
      const contentType = response.headers["content-type"];
      resolve({ status: response.statusCode as number, contentType, body, isComplete });
      outgoing.destroy();
    });
  });
  outgoing.end(request.body);
  return promise;
}

function optionsOf(target: PostTarget, addresses: readonly string[], request: OutboundRequest): https.RequestOptions {
  const secure = target.url.protocol === "https:";
  return {
    method: request.method,
    host: target.host,
    port: target.url.port,
    path: target.url.pathname + target.url.search,
    agent: openAgent(secure),
    maxHeaderSize: maxHeaderBytes,
    lookup: fixedLookup(addresses),
    headers: {
      "user-agent": `Sheaf/${version}`,
      ...request.headers,
      "accept-encoding": "identity",
      ...(request.method === "POST" && { "content-length": request.body.length }),
    },
    // `rejectUnauthorized` is set explicitly, so that no environment variable can disable it.
    ...(secure && { servername: target.isAddress ? "" : target.host, rejectUnauthorized: true }),
  };
}

/** State of a connection. */
type Phase = "connecting" | "securing" | "waiting";

/**
 * Returns a new agent that uses no proxy. Each request has its own agent, so that requests share
 * neither connections nor TLS sessions.
 */
function openAgent(secure: boolean): http.Agent {
  const options = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: connectMs };
  return secure ? new https.Agent(options) : new http.Agent(options);
}

/** Returns a lookup function that always returns the checked addresses. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]?.address ?? "", all[0]?.family);
  };
}

/**
 * Returns true if the peer has one of the addresses. Also returns true if the peer is unknown
 * because the connection was reset at once: nothing can be sent over it.
 */
function isPeerAmong({ remoteAddress }: Socket, addresses: readonly string[]): boolean {
  return remoteAddress === undefined || hasAddress(addressList(addresses), remoteAddress);
}

function outboundError(phase: Phase, error: Error & { code?: string }): OutboundError {
  if (error instanceof OutboundError) return error;
  if (phase === "connecting") return new OutboundError("unreachable", error);
  // In TLS 1.3, the receiver may refuse a connection that the client already considers established.
  if (phase === "securing" || error.code?.startsWith("ERR_SSL_")) return new OutboundError("tls", error);
  return new OutboundError("protocol", error);
}

/**
 * Returns the error for an aborted exchange. If the time runs out before a connection is
 * established, the error is the same as for a closed port.
 */
function endOf(phase: Phase, reason: unknown): unknown {
  const isTimeout = reason instanceof OutboundError && reason.kind === "timeout";
  return isTimeout && phase === "connecting" ? new OutboundError("unreachable", reason) : reason;
}

/**
 * Reads the body up to the limits, or until the returned function is called. Then calls `done` once
 * with the start of the body.
 */
function readStart(
  response: http.IncomingMessage,
  { maxResponseBytes, keptBytes }: ExchangeLimits,
  done: (start: Buffer, isComplete: boolean) => void,
): () => void {
  const kept: Buffer[] = [];
  let bytes = 0;
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done(Buffer.concat(kept).subarray(0, keptBytes), response.complete && bytes <= keptBytes);
  };
  const timer = setTimeout(finish, bodyMs);
  response.on("data", (chunk: Buffer) => {
    if (bytes < keptBytes) kept.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxResponseBytes) finish();
  });
  response.on("error", finish);
  response.once("end", finish);
  response.once("close", finish);
  return finish;
}
