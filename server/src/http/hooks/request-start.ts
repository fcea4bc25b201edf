/** Hooks that run when a request arrives, before its route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../../lib/ip-addresses.ts";
import { withLogContext } from "../../lib/log.ts";
import type { AppDeps } from "../app-deps.ts";
import { shedRequest } from "../load-shedding.ts";
import { refuseMissingHost } from "../raw-errors.ts";
import type { ObservedRequest } from "../request-observer.ts";
import { headerText } from "../route-request.ts";
import { findWebFile } from "../serve-web-files.ts";

/**
 * Headers of every response. They tell browsers not to cache the response, guess its media type or
 * send a referrer. A browser that displays a response loads no resources and runs no scripts.
 */
const commonHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
/** Sent if clients reach the service over TLS. Browsers then connect only over TLS for a year. */
const strictTransport = { "strict-transport-security": "max-age=31536000" };

export function addRequestStartHooks(app: FastifyInstance, deps: AppDeps): void {
  app.addHook("onRequest", (request, reply, next) => {
    if (request.routeOptions.url === undefined) request.webFile = findWebFile(deps.webFiles, request);
    const observed = startRequest(deps, request, reply);
    observed.run(() => withLogContext({ request: request.id }, next));
  });
  app.addHook("onRequest", async (request, reply) => {
    const { headers, raw, routeOptions } = request;
    if (raw.httpVersion === "1.1" && !hasOneHost(raw.rawHeaders)) return refuseMissingHost(reply);
    request.address = deps.addressOf(raw.socket.remoteAddress, headerText(headers["x-forwarded-for"]));
    if (routeOptions.config.probe) return;
    if (deps.loadGate.isClosedTo(headers, networkOf(request.address))) return shedRequest(deps, request, reply);
  });
}

/** Sets the common headers and starts the metrics and the trace of a request. */
export function startRequest(
  { observer, isTls }: Pick<AppDeps, "observer" | "isTls">,
  request: FastifyRequest,
  reply: FastifyReply,
): ObservedRequest {
  const { id, method, headers, routeOptions, webFile } = request;
  reply.header("x-request-id", id).headers(commonHeaders);
  if (isTls) reply.headers(strictTransport);
  const route = webFile ? webFile.file.label : patternOf(routeOptions.url);
  const observed = observer.begin({ id, method, route, headers });
  request.observed = observed;
  return observed;
}

/** Returns the path pattern as the contract writes it. */
const patternOf = (url: string | undefined): string | undefined => url?.replace(/:(\w+)/g, "{$1}");

/** @param rawHeaders alternating names and values, as received: name, value, name, value, … */
const hasOneHost = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host").length ===
  1;
