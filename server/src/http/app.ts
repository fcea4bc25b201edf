/**
 * The HTTP application: mounts the routes of the features, after the hooks that all routes share.
 * Does not listen on a port.
 */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { ScimRoute } from "../features/scim/scim-route.ts";
import { AppError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import type { AnyRoute } from "../lib/route.ts";
import type { AppDeps } from "./app-deps.ts";
import { replyWithError } from "./error-reply.ts";
import { addRequestStartHooks, startRequest } from "./hooks/request-start.ts";
import { declareRequestState } from "./hooks/request-state.ts";
import { addResponseEndHooks, endRequest } from "./hooks/response-end.ts";
import { mountRoute } from "./mount-route.ts";
import { mountScim } from "./mount-scim.ts";
import { refuseExpectation, replyToMalformedRequest } from "./raw-errors.ts";
import { replyWithWebFile } from "./serve-web-files.ts";

/** Combined limit of URL and headers, high enough that an oversized token yields 401, not 431. */
const maxHeaderBytes = 32 * 1024;
/** Maximum time for the headers of a request to arrive, in milliseconds. */
const headersTimeoutMs = 12_000;
/**
 * Interval at which Node checks the timeouts. With its default of 30 s, a timeout could come 30 s
 * late.
 */
const connectionsCheckingIntervalMs = 1_000;
/** Maximum time for a whole request to arrive. A 60 MB file takes 5 minutes at 2 Mbit/s. */
const requestTimeoutMs = 600_000;

const refuseSchemas = (): never => {
  throw new Error("Fastify schemas are not supported: `http/request-body.ts` validates requests by the contract.");
};

/** Replaces Fastify's compilers, which would load 100 validation modules that no route uses. */
const noSchemas = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

export function buildApp(deps: AppDeps, routes: AnyRoute[], scimRoutes: readonly ScimRoute[]): FastifyInstance {
  const app = createFastify(deps);
  // Routes receive their bodies themselves: streamed, validated strictly, and only after
  // authentication.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  declareRequestState(app);
  addRequestStartHooks(app, deps);
  addResponseEndHooks(app, deps);
  deps.connections.watch(app.server);
  app.server.on("checkExpectation", refuseExpectation);
  // Node would send 100 Continue before authentication. `mountRoute` sends it after admission.
  app.server.on("checkContinue", (request, response) => app.server.emit("request", request, response));
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler((request, reply) =>
    request.webFile
      ? replyWithWebFile(deps, request.webFile, request, reply)
      : replyWithError(new AppError("not_found"), request, reply),
  );
  for (const route of routes) mountRoute(app, deps, route);
  mountScim(app, deps, scimRoutes);
  return app;
}

const createFastify = (deps: AppDeps): FastifyInstance =>
  Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    // Uses one logger for all requests, because the log context already adds the request id to each
    // line.
    childLoggerFactory: (logger) => logger,
    schemaController: { compilersFactory: noSchemas },
    return503OnClosing: false,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // Accept any path parameter; each route validates its own ids.
    routerOptions: { maxParamLength: maxHeaderBytes, ignoreTrailingSlash: true },
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      // A hook checks the Host header instead, because Node would not respond with the error
      // envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => replyToMalformedRequest(error, socket, deps.connections),
    // Fastify runs no hooks for these errors.
    frameworkErrors: (error, request, reply) => {
      startRequest(deps, request, reply);
      replyWithError(error, request, reply);
      reply.raw.once("close", () => endRequest(deps, request, reply));
    },
  });
