/**
 * Serves the built web application and documentation. Their files have no routes. A path is looked
 * up here only if no route matches it, so the API always has priority.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../lib/ip-addresses.ts";
import type { AppDeps } from "./app-deps.ts";
import { shedRequest } from "./load-shedding.ts";
import { type Coding, codings, type WebFile, type WebFiles } from "./web-files.ts";

/**
 * Headers of every file. The page may load scripts and styles only from this service, and may
 * connect only to it.
 */
const webHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  vary: "accept-encoding",
};

/** The content of a file with a hash in its name never changes. */
const forever = "public, max-age=31536000, immutable";

/**
 * Prefixes of the paths of the API and of hashed files. A missing path with one of these prefixes
 * gets a 404 response, never the application page.
 */
const reserved = /^\/(?:v2|assets|healthz|readyz|metrics)(?:\/|$)/i;
/** Prefix of the paths of the documentation, which has its own page for missing paths. */
const documentation = /^\/docs(?:\/|$)/i;

/** A file to send with a status, or a redirect to the path of the file. */
export interface WebAnswer {
  file: WebFile;
  status: 200 | 308 | 404;
  /** Target of a redirect. */
  location?: string;
}

/**
 * Returns the file for a request that no route matches; undefined if the response must be the 404
 * envelope. The paths of screens have no files: a browser that opens such a path gets the
 * application page, which evaluates the path itself. The path of a folder without its final slash
 * is redirected.
 */
export function findWebFile(
  files: WebFiles,
  { method, url, headers }: Pick<FastifyRequest, "method" | "url" | "headers">,
): WebAnswer | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const path = pathOf(url);
  if (path === undefined) return undefined;
  const file = files.get(path.replace(/\/index\.html$/, "/"));
  if (file !== undefined) return { file, status: 200 };
  const folder = files.get(`${path}/`);
  if (folder !== undefined) return { file: folder, status: 308, location: encodeURI(`${path}/`) };
  if (reserved.test(path) || !acceptsHtml(headers.accept)) return undefined;
  const isDocumentation = documentation.test(path);
  const page = files.get(isDocumentation ? "/docs/404.html" : "/");
  return page && { file: page, status: isDocumentation ? 404 : 200 };
}

/**
 * Sends a file or a redirect. Like every request without a caller, the request is attributed to the
 * network of the client.
 */
export function replyWithWebFile(
  deps: Pick<AppDeps, "loadGate">,
  { file, status, location }: WebAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const admission = deps.loadGate.enter(networkOf(request.address));
  if (admission === undefined) return shedRequest(deps, request, reply);
  reply.raw.once("close", () => admission[Symbol.dispose]());
  if (location !== undefined)
    return reply
      .code(status)
      .headers(webHeaders)
      .header("cache-control", "no-cache")
      .header("location", location)
      .send();
  const coding = codingOf(file, request.headers["accept-encoding"]?.toString());
  const etag = `"${file.hash}${coding === undefined ? "" : `-${coding}`}"`;
  reply
    .headers(webHeaders)
    .header("etag", etag)
    .header("cache-control", file.isImmutable ? forever : "no-cache");
  if (status === 200 && isKnown(etag, request.headers["if-none-match"])) return reply.code(304).send();
  if (coding !== undefined) reply.header("content-encoding", coding);
  const content = (coding && file.encoded[coding]) ?? file.content;
  return reply.code(status).type(file.contentType).header("content-length", content.length).send(content);
}

/**
 * Returns the decoded path of a URL; undefined if the URL is not a path or its encoding is invalid.
 */
function pathOf(url: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  if (!path.startsWith("/")) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the client explicitly accepts HTML, as browsers do. Programs accept anything or
 * send no Accept header.
 */
const acceptsHtml = (accept: string | undefined): boolean => (weightsOf(accept).get("text/html") ?? 0) > 0;

/** Returns the preferred content coding that the file has and the client accepts. */
function codingOf(file: WebFile, acceptEncoding: string | undefined): Coding | undefined {
  const weights = weightsOf(acceptEncoding);
  const accepted = (coding: Coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
  return (Object.keys(codings) as Coding[]).find((coding) => file.encoded[coding] !== undefined && accepted(coding));
}

/** Parses a header such as `gzip, br;q=0.8` into weights by lower-case name. */
function weightsOf(header = ""): Map<string, number> {
  const entries = header.split(",").map((part): [string, number] => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return [name, weight === undefined ? 1 : Number(weight) || 0];
  });
  return new Map(entries);
}

/** Compares weakly, as RFC 9110 requires for If-None-Match: a proxy may have weakened the ETag. */
const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? "")
    .split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((each) => each === etag || each === "*");
