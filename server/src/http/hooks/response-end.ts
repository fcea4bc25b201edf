/** Hooks that run when a response is about to be sent, and when it has been sent. */
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { loggablePath } from "../../lib/log.ts";
import type { AppDeps } from "../app-deps.ts";
import { lingering } from "../early-answer.ts";
import { stalledReaderMs } from "../text-stream.ts";

/** Status logged if the client disconnected before the response was sent, as in nginx. */
const clientClosedRequest = 499;

export function addResponseEndHooks(app: FastifyInstance, deps: AppDeps): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (request, reply, payload) => {
    await deps.rateLimits.setHeaders(request, reply);
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    if (isWhole) reply.raw.setTimeout(stalledReaderMs);
    else endWithConnection(deps, request, reply);
    // Waits until the current turn of the event loop ends. If the body arrived together with the
    // headers, Node parses it in the same turn, but only after the first hooks.
    if (hasBody(request) && !request.raw.complete) await endOfTurn();
    // Closes the connection after the response in two cases. If the body was not read, its rest
    // must not be parsed as the next request. If the service is stopping, it waits for all
    // connections to end. With keep-alive, this could take a minute.
    const isUnread = hasBody(request) && !request.raw.complete;
    if (closing || isUnread) reply.header("connection", "close");
    if (!isUnread || !isWhole) return payload;
    reply.header("content-length", Buffer.byteLength(payload));
    return lingering(payload, request.raw);
  });
  app.addHook("onResponse", async (request, reply) => endRequest(deps, request, reply));
}

/**
 * Ends a request with a streamed response as soon as the client disconnects, because Fastify calls
 * `onResponse` only when the stream ends.
 */
function endWithConnection(deps: AppDeps, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished && !reply.raw.errored) endRequest(deps, request, reply);
  });
}

/**
 * Ends the metrics and the trace of a request, and logs it unless it was shed. Requests for files
 * of the web application are logged at debug level, because a page loads dozens of files and its
 * API calls are logged anyway. So are successful probes, which are sent every few seconds.
 */
export function endRequest(
  { log }: Pick<AppDeps, "log">,
  { method, url, id, observed, isShed, webFile, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  // A stream without an end normally ends because the client disconnects, so it counts as complete.
  const isWhole = reply.raw.writableFinished || routeOptions.config.isEndless;
  const status = isWhole ? reply.statusCode : clientClosedRequest;
  observed?.end(status);
  if (isShed) return;
  const line = { request: id, method, path: loggablePath(url), status, ms: Math.round(reply.elapsedTime) };
  const isRoutine = webFile !== undefined || (routeOptions.config?.probe === true && status < 400);
  if (isRoutine) log.debug(line, "request");
  else log.info(line, "request");
}

/**
 * Returns whether a request has a body. The `complete` property cannot be used for this: if there
 * is no body, Node sets it only after the `onRequest` hooks.
 */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
