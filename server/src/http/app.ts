/** The HTTP application: mounts the routes of the features, with everything that all of them share. Built without listening. */
import { Readable } from "node:stream";
import { deprecationHeaders } from "@sheaf/contract/deprecation.ts";
import { type Endpoint, takesIdempotencyKey } from "@sheaf/contract/endpoint.ts";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import { compile } from "@sheaf/contract/validate.ts";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { FirstRequest, KeptAnswer } from "../features/idempotency/idempotency.service.ts";
import type { TemporaryFiles } from "../files/temporary-files.ts";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { type Logger, loggablePath } from "../lib/log.ts";
import type { AnyRoute, BodyBounds, RouteRequest } from "../lib/route.ts";
import { type Answer, answerOnce } from "./answer-once.ts";
import type { Authenticate } from "./authentication.ts";
import { lingering } from "./early-answer.ts";
import { replyWithError } from "./error-reply.ts";
import { answerBrokenConnection } from "./raw-errors.ts";
import { bodyReceiver, type ReceivedBody } from "./request-body.ts";

export interface AppDeps {
  log: Logger;
  authenticate: Authenticate;
  temporaryFiles: TemporaryFiles;
  /** Takes an idempotency key for a request, or answers what the first request with it was answered. */
  beginRequest(caller: Caller, key: string, fingerprint: string): Promise<FirstRequest | KeptAnswer>;
  /** Aborts when the service stops waiting for requests under way: what still runs then ends with its reason. */
  shutdown: AbortSignal;
}

/** Headers must be there within this time, and checks for it run this often: Node's own checks are 30 s apart. */
const headersTimeoutMs = 15_000;
const connectionsCheckingIntervalMs = 2_000;
/** Time for a whole request to arrive: a 60 MB file over 2 Mbit/s takes 5 minutes. */
const requestTimeoutMs = 600_000;

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    bounds: BodyBounds | undefined;
  }
}

export function buildApp(deps: AppDeps, routes: AnyRoute[]): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    return503OnClosing: false,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: connectionsCheckingIntervalMs },
    clientErrorHandler: answerBrokenConnection,
    frameworkErrors: (error, request, reply) => replyWithError(error, request, reply),
  });
  // Bodies are received by the routes themselves: streamed, strict, and only after the caller is known.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.decorateRequest("caller");
  app.decorateRequest("bounds");
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (request, reply, payload) => {
    // What is left of a body that nobody will read must not be taken for the next request; and a service that stops waits for
    // connections to end, which a kept-alive one would not for a minute.
    if (closing || !request.raw.complete) reply.header("connection", "close");
    if (request.raw.complete || typeof payload !== "string") return payload;
    reply.header("content-length", Buffer.byteLength(payload));
    return lingering(payload, request.raw);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, url, id } = request;
    deps.log.info(
      { id, method, path: loggablePath(url), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
  });
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler((request, reply) => replyWithError(new AppError("not_found"), request, reply));
  for (const route of routes) mount(app, deps, route);
  return app;
}

function mount(app: FastifyInstance, deps: AppDeps, route: AnyRoute): void {
  const { endpoint } = route;
  const receive = bodyReceiver(endpoint, deps.temporaryFiles);
  const checkPath = endpoint.pathParameters ? compile(endpoint.pathParameters) : () => [];
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
    errorHandler: (error, request, reply) => replyWithError(error, request, reply, endpoint.plainTextErrors),
    onRequest: async (request, reply) => {
      if (endpoint.deprecated)
        reply.headers(deprecationHeaders(endpoint.deprecated, successorParameters(endpoint, request)));
      request.caller = await deps.authenticate(request, endpoint.auth);
      const issues = checkPath(request.params);
      if (issues.length > 0) throw new AppError("invalid_request", { issues });
      request.bounds = await route.beforeBody?.(requestWithoutBody(request));
    },
    handler: async (request, reply) => {
      const signal = AbortSignal.any([clientLeft(reply), deps.shutdown]);
      const received = await receive(request.raw, signal, request.bounds);
      try {
        const work = async (): Promise<Answer> => {
          const answer = await route.handle({ ...requestWithoutBody(request), ...fieldsOf(request, received), signal });
          return { status: successStatus(endpoint), headers: {}, ...answer };
        };
        const { operationId } = endpoint;
        const begin = beginningOf(deps, endpoint, request);
        const answer = await (begin
          ? answerOnce(begin, { operationId, path: request.params, received }, work)
          : work());
        reply.headers(answer.headers).code(answer.status);
        const { contentType } = endpoint.responses[answer.status] ?? {};
        if (contentType === undefined) return answer.body;
        return reply.type(contentType).send(streamOf(answer.body as AsyncIterable<string>));
      } finally {
        await received.dispose();
      }
    },
  });
}

/** How to begin a request that bears an idempotency key; undefined for any other. */
function beginningOf(deps: AppDeps, endpoint: Endpoint, { caller, headers }: FastifyRequest) {
  const key = headers[idempotencyKey.header];
  if (caller === undefined || key === undefined || !takesIdempotencyKey(endpoint)) return undefined;
  return (fingerprint: string) => deps.beginRequest(caller, String(key), fingerprint);
}

/** Text goes out piece by piece; a reader that is slow holds back the making of more. */
const streamOf = (pieces: AsyncIterable<string>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 });

/** The successor has the same parameters in the same order, perhaps under other names. */
function successorParameters({ deprecated }: Endpoint, { params }: FastifyRequest): Record<string, string> {
  const values = Object.values(params as Record<string, string>);
  const names = [...(deprecated?.successor ?? "").matchAll(/\{(\w+)\}/g)];
  return Object.fromEntries(names.map(([, name], index) => [name, values[index] ?? ""]));
}

const requestWithoutBody = (request: FastifyRequest): Pick<RouteRequest, "caller" | "path"> =>
  ({ caller: request.caller, path: request.params }) as Pick<RouteRequest, "caller" | "path">;

const fieldsOf = (
  request: FastifyRequest,
  received: ReceivedBody,
): Pick<RouteRequest, "body" | "file" | "query" | "header"> =>
  ({
    body: received.fields,
    file: received.file,
    query: request.query,
    header: (name: string) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  }) as Pick<RouteRequest, "body" | "file" | "query" | "header">;

const successStatus = (endpoint: Endpoint): number => Number(Object.keys(endpoint.responses)[0]);

function clientLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished)
      controller.abort(new AppError("agent_unavailable", undefined, { message: "The client went away." }));
  });
  return controller.signal;
}
