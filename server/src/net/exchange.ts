/** One request and its answer over a connection of its own. */
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { addressList, hasAddress } from "../lib/ip-addresses.ts";
import { version } from "../lib/version.ts";
import { OutboundError } from "./outbound-error.ts";
import type { PostTarget } from "./post-target.ts";

/** The answer of a receiver. Redirects are answers like any other. */
export interface PostAnswer {
  status: number;
  /** What the first kilobyte of the body reads as in UTF-8, without NUL. It is the receiver's word: never show it to others. */
  body: string;
}

export interface PostRequest {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface ExchangeLimits {
  maxResponseBytes: number;
  /** Ends the exchange where it stands. */
  signal: AbortSignal;
}

const maxHeaderBytes = 16_384;
const keptBytes = 1_024;
/** The status is the answer; for a body that comes slowly nobody waits longer than this. */
const bodyMs = 2_000;
/** For each address but the last. */
const connectMs = 1_500;

/**
 * Posts to one of `addresses`, tried in turn, and never to another.
 *
 * Resolves as soon as status and headers have come and the body has ended, reached `maxResponseBytes` or taken two seconds: whatever a body
 * does, the status counts. Rejects with an `OutboundError`, or with the reason of the signal.
 */
export function exchange(
  target: PostTarget,
  addresses: readonly string[],
  request: PostRequest,
  { maxResponseBytes, signal }: ExchangeLimits,
): Promise<PostAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  const secure = target.url.protocol === "https:";
  let phase: Phase = "connecting";
  const outgoing = (secure ? https : http).request({
    method: "POST",
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
      "content-length": request.body.length,
    },
    // Explicit, so that no variable of the environment turns it off.
    ...(secure && { servername: target.isAddress ? "" : target.host, rejectUnauthorized: true }),
  });
  const stop = (): void => void outgoing.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  outgoing.once("socket", (socket) => {
    // Before the first byte of ours: nothing is written until the listeners of this event have run.
    socket.prependOnceListener("connect", () => {
      phase = secure ? "securing" : "waiting";
      if (!isPeerAmong(socket, addresses))
        outgoing.destroy(new OutboundError("refused_address", "not the checked address"));
    });
    socket.once("secureConnect", () => {
      phase = "waiting";
    });
  });
  let finish: (() => void) | undefined;
  const fail = (error: Error): void => {
    // Once there is a status, a failure only cuts the body.
    if (finish !== undefined) finish();
    else reject(signal.aborted ? endOf(phase, signal.reason) : outboundError(phase, error));
  };
  outgoing.on("error", fail);
  outgoing.once("close", () => {
    signal.removeEventListener("abort", stop);
    // An answer that switches to another protocol closes the connection without an error.
    fail(new Error("The connection was closed without an answer."));
  });
  outgoing.once("response", (response) => {
    finish = readStart(response, maxResponseBytes, (body) => {
      resolve({
        status: response.statusCode as number,
        body: textOf(body),
      });
      outgoing.destroy();
    });
  });
  outgoing.end(request.body);
  return promise;
}

/** How far a connection has come. */
type Phase = "connecting" | "securing" | "waiting";

/** A new one for each request, without a proxy: no connection and no TLS session is shared. */
function openAgent(secure: boolean): http.Agent {
  const options = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: connectMs };
  return secure ? new https.Agent(options) : new http.Agent(options);
}

/** Hands the checked addresses to whoever asks for those of the host. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]?.address ?? "", all[0]?.family);
  };
}

/** True also of a connection that was reset at once, which has no peer any more. */
function isPeerAmong({ remoteAddress }: Socket, addresses: readonly string[]): boolean {
  return remoteAddress === undefined || hasAddress(addressList(addresses), remoteAddress);
}

function outboundError(phase: Phase, error: Error & { code?: string }): OutboundError {
  if (error instanceof OutboundError) return error;
  if (phase === "connecting") return new OutboundError("unreachable", error);
  // In TLS 1.3 the receiver may refuse after the client has taken the connection for made.
  if (phase === "securing" || error.code?.startsWith("ERR_SSL_")) return new OutboundError("tls", error);
  return new OutboundError("protocol", error);
}

/** Time that is over before there is a connection tells no more than a closed port does. */
function endOf(phase: Phase, reason: unknown): unknown {
  const isTimeout = reason instanceof OutboundError && reason.kind === "timeout";
  return isTimeout && phase === "connecting" ? new OutboundError("unreachable", reason) : reason;
}

/** Reads the body as far as the limits go, or until the returned function is called, and calls `done` once with the first kilobyte. */
function readStart(response: http.IncomingMessage, maxBytes: number, done: (start: Buffer) => void): () => void {
  const kept: Buffer[] = [];
  let bytes = 0;
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done(Buffer.concat(kept).subarray(0, keptBytes));
  };
  const timer = setTimeout(finish, bodyMs);
  response.on("data", (chunk: Buffer) => {
    if (bytes < keptBytes) kept.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) finish();
  });
  response.on("error", finish);
  response.once("end", finish);
  response.once("close", finish);
  return finish;
}

/** A character that was cut is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");
}
