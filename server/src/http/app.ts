/** The HTTP application: mounts the routes of the features, with everything that all of them share. Built without listening. */
import { Readable } from "node:stream";
import { deprecationHeaders } from "@sheaf/contract/deprecation.ts";
import { type Endpoint, takesIdempotencyKey } from "@sheaf/contract/endpoint.ts";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import { lowerCaseId } from "@sheaf/contract/normalize.ts";
import { compile } from "@sheaf/contract/validate.ts";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Antivirus } from "../antivirus/antivirus.ts";
import type { KeyClaim, StoredReply } from "../features/idempotency/idempotency.service.ts";
import type { TemporaryFiles } from "../files/temporary-files.ts";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import type { Admission, FairAdmission } from "../lib/fair-admission.ts";
import { newId } from "../lib/ids.ts";
import { networkOf } from "../lib/ip-addresses.ts";
import { type Logger, loggablePath, withLogContext } from "../lib/log.ts";
import type { AnyRoute, BodyBounds, RouteRequest } from "../lib/route.ts";
import { withTenant } from "../lib/tenant.ts";
import { type Answer, answerOnce } from "./answer-once.ts";
import type { Authenticate } from "./authentication.ts";
import type { AddressOf } from "./client-address.ts";
import type { Connections } from "./connections.ts";
import { lingering } from "./early-answer.ts";
import { replyBusy, replyWithError } from "./error-reply.ts";
import type { LoadGate } from "./load-gate.ts";
import type { CountedRequest, RateLimits } from "./rate-limits.ts";
import { answerBrokenConnection, answerUnmetExpectation, replyWithoutHost } from "./raw-errors.ts";
import { bodyReceiver } from "./request-body.ts";
import type { ObservedRequest, RequestObserver } from "./request-observer.ts";
import { bodyMapper, headerText, requestWithoutBody } from "./route-request.ts";

export interface AppDeps {
  log: Logger;
  authenticate: Authenticate;
  temporaryFiles: TemporaryFiles;
  /** Scans the file of every request before anything is done with it; undefined: none does. */
  antivirus: Pick<Antivirus, "scan"> | undefined;
  /** Finds out where a request comes from. */
  addressOf: AddressOf;
  rateLimits: RateLimits;
  connections: Connections;
  loadGate: LoadGate;
  /** Uploads that are received, or whose file is worked on. */
  uploads: FairAdmission;
  /** Takes an idempotency key for a request, or answers what the first request with it was answered. */
  beginRequest(caller: Caller, key: string, fingerprint: string): Promise<KeyClaim | StoredReply>;
  observer: RequestObserver;
  /** Whether clients reach the service over TLS. */
  isTls: boolean;
  /** Aborts when the service stops waiting for requests under way: what still runs then ends with its reason. */
  shutdown: AbortSignal;
}

/** Of a request's headers and its URL together. A token that is far too long is a wrong token, and no broken request. */
const maxHeaderBytes = 32 * 1024;
/** Headers must be there within this time, and checks for it run this often: Node's own checks are 30 s apart. */
const headersTimeoutMs = 12_000;
const connectionsCheckingIntervalMs = 1_000;
/** Time for a whole request to arrive: a 60 MB file over 2 Mbit/s takes 5 minutes. */
const requestTimeoutMs = 600_000;
/** A client that takes nothing of its answer for so long, at most twice as long, has gone. */
const stalledReaderMs = 20_000;
/** What the log says of a request whose client left before the answer was sent, after the custom of other servers. */
const statusOfAbandoned = 499;

/**
 * Answers are for their callers alone, are what they say that they are, tell no other site where they came from, and load and run nothing
 * if a browser shows them.
 */
const headersOfEveryAnswer = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
/** Sent if clients reach the service over TLS: browsers then use nothing else for a year. */
const strictTransport = { "strict-transport-security": "max-age=31536000" };

declare module "fastify" {
  interface FastifyContextConfig {
    probe?: boolean | undefined;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** IP address of the client, behind trusted proxies too. */
    address: string;
    counted: CountedRequest | undefined;
    /** Refused for want of time: without a line of its own in the log. */
    isShed: boolean;
    /** Its place among the requests under way; undefined for a probe. */
    admission: Admission | undefined;
    bounds: BodyBounds | undefined;
    observed: ObservedRequest | undefined;
  }
}

const refuseSchemas = (): never => {
  throw new Error("Routes have no schemas of Fastify: `http/request-body.ts` validates by the contract.");
};

/** Without its own compilers Fastify loads 100 modules of validation that no route uses. */
const noSchemas = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

export function buildApp(deps: AppDeps, routes: AnyRoute[]): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    // Every line of a request says which by itself.
    childLoggerFactory: (logger) => logger,
    schemaController: { compilersFactory: noSchemas },
    return503OnClosing: false,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // Whatever arrives: it is for the route to say what is no reference.
    routerOptions: { maxParamLength: maxHeaderBytes, ignoreTrailingSlash: true },
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      // Answered here, in the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket, deps.connections),
    // No hook runs for these.
    frameworkErrors: (error, request, reply) => {
      begin(deps, request, reply);
      replyWithError(error, request, reply);
      reply.raw.once("close", () => over(deps, request, reply));
    },
  });
  // Bodies are received by the routes themselves: streamed, strict, and only after the caller is known.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.decorateRequest("caller");
  app.decorateRequest("bounds");
  app.decorateRequest("address", "");
  app.decorateRequest("counted");
  app.decorateRequest("observed");
  app.decorateRequest("isShed", false);
  app.decorateRequest("admission");
  app.addHook("onRequest", (request, reply, next) => {
    const observed = begin(deps, request, reply);
    observed.run(() => withLogContext({ request: request.id }, next));
  });
  app.addHook("onRequest", async (request, reply) => {
    const { headers, raw, routeOptions } = request;
    if (raw.httpVersion === "1.1" && !hasOneHost(raw.rawHeaders)) return replyWithoutHost(reply);
    request.address = deps.addressOf(raw.socket.remoteAddress, headerText(headers["x-forwarded-for"]));
    if (routeOptions.config.probe) return;
    if (deps.loadGate.isClosedTo(headers, networkOf(request.address))) return shed(deps, request, reply);
  });
  deps.connections.watch(app.server);
  app.server.on("checkExpectation", answerUnmetExpectation);
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (request, reply, payload) => {
    deps.rateLimits.tell(request, reply);
    if (typeof payload === "string") reply.raw.setTimeout(stalledReaderMs);
    // What is left of a body that nobody will read must not be taken for the next request; and a service that stops waits for
    // connections to end, which a kept-alive one would not for a minute.
    const isUnread = hasBody(request) && !request.raw.complete;
    if (closing || isUnread) reply.header("connection", "close");
    if (!isUnread || typeof payload !== "string") return payload;
    reply.header("content-length", Buffer.byteLength(payload));
    return lingering(payload, request.raw);
  });
  app.addHook("onResponse", async (request, reply) => over(deps, request, reply));
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler((request, reply) => replyWithError(new AppError("not_found"), request, reply));
  for (const route of routes) mount(app, deps, route);
  return app;
}

function begin({ observer, isTls }: AppDeps, request: FastifyRequest, reply: FastifyReply): ObservedRequest {
  const { id, method, headers, routeOptions } = request;
  reply.header("x-request-id", id).headers(headersOfEveryAnswer);
  if (isTls) reply.headers(strictTransport);
  const observed = observer.begin({ id, method, route: patternOf(routeOptions.url), headers });
  request.observed = observed;
  return observed;
}

function over({ log }: AppDeps, { method, url, id, observed, isShed }: FastifyRequest, reply: FastifyReply): void {
  const status = reply.raw.writableFinished ? reply.statusCode : statusOfAbandoned;
  observed?.end(status);
  if (isShed) return;
  log.info({ request: id, method, path: loggablePath(url), status, ms: Math.round(reply.elapsedTime) }, "request");
}

function shed({ loadGate }: AppDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.isShed = true;
  loadGate.refuse();
  request.observed?.shed();
  return replyBusy(reply);
}

function mount(app: FastifyInstance, deps: AppDeps, route: AnyRoute): void {
  const { endpoint } = route;
  const receive = bodyReceiver(endpoint, deps.temporaryFiles);
  const bodyOf = bodyMapper(endpoint);
  const checkPath = endpoint.pathParameters ? compile(endpoint.pathParameters) : () => [];
  app.route({
    method: endpoint.method,
    config: { probe: endpoint.probe },
    url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
    errorHandler: (error, request, reply) => replyWithError(error, request, reply, endpoint.plainTextErrors),
    onRequest: async (request, reply) => {
      if (endpoint.deprecated)
        reply.headers(deprecationHeaders(endpoint.deprecated, successorParameters(endpoint, request)));
      deps.rateLimits.countAddress(endpoint, request, reply);
      request.caller = await authenticated(deps, endpoint, request, reply);
      if (request.caller) deps.rateLimits.countCaller(request.caller, request, reply);
      if (!endpoint.probe) {
        const admission = deps.loadGate.enter(tenantOf(request), request.headers);
        if (admission === undefined) return shed(deps, request, reply);
        request.admission = admission;
        reply.raw.once("close", () => admission[Symbol.dispose]());
      }
      request.params = withPlainIds(request.params as Record<string, string>);
      const issues = checkPath(request.params);
      if (issues.length > 0) throw new AppError("invalid_request", { issues });
      request.bounds = await route.beforeBody?.(requestWithoutBody(request));
    },
    handler: (request, reply) => withTenant(tenantOf(request), () => handle(request, reply)),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // Before any of the body is read: files that are sent slowly must not take every place either.
    using upload = endpoint.upload && deps.uploads.admit(tenantOf(request));
    if (endpoint.upload && upload === undefined) return shed(deps, request, reply);
    const places = [request.admission, upload].flatMap((place) => place?.signal ?? []);
    const signal = AbortSignal.any([clientLeft(reply), deps.shutdown, ...places]);
    const received = await receive(request.raw, signal, request.bounds);
    if (received.file) request.observed?.uploaded(received.file.size);
    try {
      const work = async (claim?: KeyClaim): Promise<Answer> => {
        if (received.file) await deps.antivirus?.scan(received.file, signal);
        const keep = keeperOf(endpoint, claim);
        const answer = await route.handle({
          ...requestWithoutBody(request),
          ...bodyOf(request, received),
          signal,
          keep,
        });
        return { status: successStatus(endpoint), headers: {}, ...answer };
      };
      const { operationId } = endpoint;
      const begin = beginningOf(deps, endpoint, request);
      const answer = await (begin ? answerOnce(begin, { operationId, path: request.params, received }, work) : work());
      reply.headers(answer.headers).code(answer.status);
      const { contentType } = endpoint.responses[answer.status] ?? {};
      if (contentType === undefined) return answer.body;
      return reply.type(contentType).send(streamOf(watched(answer.body as AsyncIterable<string>, reply)));
    } finally {
      await received.dispose();
    }
  }
}

/** The tenant that a request's work is counted for. Callers without a token share by network. */
const tenantOf = ({ caller, address }: FastifyRequest): string => caller?.organizationId ?? networkOf(address);

/** The caller of a request; undefined where none is needed. A token that is refused counts for the address. */
async function authenticated(
  { authenticate, rateLimits }: AppDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  try {
    return await authenticate(request, endpoint);
  } catch (error) {
    const { "x-api-key": token, cookie } = request.headers;
    const isGuess = token !== undefined || cookie !== undefined;
    if (isGuess && error instanceof AppError && error.code === "unauthorized")
      rateLimits.countRefusedToken(request, reply);
    throw error;
  }
}

/** Identifiers are compared without case. */
const withPlainIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, lowerCaseId(value)]));

/** As the contract writes it. */
const patternOf = (url: string | undefined): string | undefined => url?.replace(/:(\w+)/g, "{$1}");

/** How to begin a request that bears an idempotency key; undefined for any other. */
function beginningOf(deps: AppDeps, endpoint: Endpoint, { caller, headers }: FastifyRequest) {
  const key = headers[idempotencyKey.header];
  if (caller === undefined || key === undefined || !takesIdempotencyKey(endpoint)) return undefined;
  return (fingerprint: string) => deps.beginRequest(caller, String(key), fingerprint);
}

/** Stores replies with a claim, each as its endpoint wants it; without a claim it does nothing. */
const keeperOf =
  (endpoint: Endpoint, claim: KeyClaim | undefined): RouteRequest["keep"] =>
  (replyOf) =>
  async (transaction, result) => {
    if (claim === undefined) return;
    const reply = { status: successStatus(endpoint), headers: {}, ...replyOf(result) };
    const { secretReply } = endpoint;
    if (secretReply === undefined) return claim.keep(transaction, reply);
    const { data } = reply.body as unknown as { data: Record<string, string> };
    await claim.keepReference(transaction, String(data[secretReply.reference]));
  };

/** Text goes out piece by piece; a reader that is slow holds back the making of more. */
const streamOf = (pieces: AsyncIterable<string>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 });

/** Once there is something to take, a reader has to take it. */
async function* watched(pieces: AsyncIterable<string>, reply: FastifyReply): AsyncGenerator<string> {
  for await (const piece of pieces) {
    reply.raw.setTimeout(stalledReaderMs);
    yield piece;
  }
}

/** The successor has the same parameters in the same order, perhaps under other names. */
function successorParameters({ deprecated }: Endpoint, { params }: FastifyRequest): Record<string, string> {
  const values = Object.values(params as Record<string, string>);
  const names = [...(deprecated?.successor ?? "").matchAll(/\{(\w+)\}/g)];
  return Object.fromEntries(names.map(([, name], index) => [name, values[index] ?? ""]));
}

/** What has none is complete, though that is known only after the hooks that answer at once. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Headers as they came: name, value, name, value. */
const hasOneHost = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host").length ===
  1;

const successStatus = (endpoint: Endpoint): number => Number(Object.keys(endpoint.responses)[0]);

function clientLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished)
      controller.abort(new AppError("agent_unavailable", undefined, { message: "The client went away." }));
  });
  return controller.signal;
}
