/**
 * Mounts the route of a feature: authentication, rate limits, admission, body, idempotency key,
 * handler, response.
 */
import { deprecationHeaders } from "@sheaf/contract/deprecation.ts";
import { type Endpoint, successStatus } from "@sheaf/contract/endpoint.ts";
import { resourceMetadataPath } from "@sheaf/contract/mcp.ts";
import { lowerCaseId } from "@sheaf/contract/normalize.ts";
import { compile } from "@sheaf/contract/validate.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KeyClaim } from "../features/idempotency/idempotency.service.ts";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import { networkOf } from "../lib/ip-addresses.ts";
import { originOf } from "../lib/origin.ts";
import type { AnyRoute } from "../lib/route.ts";
import { withTenant } from "../lib/tenant.ts";
import { answerOnce, boundsOf, claimOf, keeperOf, type RouteResponse } from "./answer-once.ts";
import type { AppDeps } from "./app-deps.ts";
import { replyWithError } from "./error-reply.ts";
import { shedRequest } from "./load-shedding.ts";
import { tokenOf } from "./presented-tokens.ts";
import { bodyReceiver } from "./request-body.ts";
import { bodyMapper, requestWithoutBody } from "./route-request.ts";
import { textStream } from "./text-stream.ts";

export function mountRoute(app: FastifyInstance, deps: AppDeps, route: AnyRoute): void {
  const { endpoint } = route;
  const receive = bodyReceiver(endpoint, deps.temporaryFiles);
  const bodyOf = bodyMapper(endpoint);
  const checkPath = endpoint.pathParameters ? compile(endpoint.pathParameters) : () => [];
  app.route({
    method: endpoint.method,
    config: { probe: endpoint.probe, isEndless: endpoint.isEndless },
    url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
    errorHandler: (error, request, reply) => replyWithError(error, request, reply, endpoint.plainTextErrors),
    onRequest: async (request, reply) => {
      if (endpoint.deprecated)
        reply.headers(deprecationHeaders(endpoint.deprecated, successorParameters(endpoint, request)));
      await deps.rateLimits.countAddress(endpoint, request, reply);
      request.caller = await authenticated(deps, endpoint, request, reply);
      if (request.caller) deps.rateLimits.countCaller(request.caller, request, reply);
      if (!endpoint.probe) {
        const admission = deps.loadGate.enter(tenantOf(request), request.caller && request.headers);
        if (admission === undefined) return shedRequest(deps, request, reply);
        request.admission = admission;
        reply.raw.once("close", () => admission[Symbol.dispose]());
      }
      request.params = withLowerCaseIds(request.params as Record<string, string>);
      const issues = checkPath(request.params);
      if (issues.length > 0) throw new AppError("invalid_request", { issues });
      const { beforeBody } = route;
      if (beforeBody)
        request.bounds = await boundsOf(deps, endpoint, request, () => beforeBody(requestWithoutBody(request)));
    },
    handler: (request, reply) => withTenant(tenantOf(request), () => handle(request, reply)),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // Uploads are admitted before their body is read, so that slow uploads cannot use up the slots
    // of other requests.
    const hasFiles = endpoint.upload !== undefined || endpoint.uploads !== undefined;
    using upload = hasFiles ? deps.uploads.admit(tenantOf(request)) : undefined;
    if (hasFiles && upload === undefined) return shedRequest(deps, request, reply);
    const admissions = [request.admission, upload].flatMap((admission) => admission?.signal ?? []);
    const signal = AbortSignal.any([clientLeft(reply), deps.shutdown, ...admissions]);
    if (awaitsContinue(request)) reply.raw.writeContinue();
    const received = await receive(request.raw, signal, request.bounds);
    const files = received.file ? [received.file] : received.files;
    for (const { size } of files) request.observed?.uploaded(size);
    try {
      const work = async (claim?: KeyClaim): Promise<RouteResponse> => {
        for (const file of files) await deps.antivirus?.scan(file, signal);
        const keep = keeperOf(endpoint, claim);
        const answer = await route.handle({
          ...requestWithoutBody(request),
          ...bodyOf(request, received),
          signal,
          keep,
          confirm: () => deps.authenticate(request, endpoint, { isUse: false }) as Promise<Caller>,
        });
        return { status: successStatus(endpoint), headers: {}, ...answer };
      };
      const { operationId } = endpoint;
      const claim = claimOf(deps, endpoint, request);
      const answer = await (claim ? answerOnce(claim, { operationId, path: request.params, received }, work) : work());
      reply.headers(answer.headers).code(answer.status);
      if (endpoint.isEndless) request.admission?.[Symbol.dispose]();
      const { contentType, empty } = endpoint.responses[answer.status] ?? {};
      if (empty) return reply.send();
      if (contentType === undefined) return answer.body;
      if (answer.body instanceof Uint8Array) return reply.type(contentType).send(answer.body);
      return reply.type(contentType).send(textStream(answer.body as AsyncIterable<string | Uint8Array>, reply));
    } finally {
      await received.dispose();
    }
  }
}

/**
 * Returns the tenant to whom a request is attributed. A request without a caller is attributed to
 * the network of its client.
 */
const tenantOf = ({ caller, address }: FastifyRequest): string => caller?.organizationId ?? networkOf(address);

/**
 * Returns true if the client waits for 100 Continue before it sends the body. Other expectations
 * have already been refused.
 */
export const awaitsContinue = ({ raw: { httpVersion, headers } }: FastifyRequest): boolean =>
  httpVersion === "1.1" && headers.expect !== undefined;

/**
 * Returns the caller; undefined if the endpoint needs no caller. A refused token counts towards the
 * rate limit of the client's address.
 */
async function authenticated(
  { authenticate, rateLimits, publicUrl }: AppDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  try {
    return await authenticate(request, endpoint);
  } catch (error) {
    const isGuess = tokenOf(request.headers) !== undefined || request.headers.cookie !== undefined;
    if (endpoint.challenge && error instanceof AppError && error.code === "unauthorized")
      reply.header("www-authenticate", challengeOf(endpoint, publicUrl ?? originOf(request.headers.host)));
    if (isGuess && error instanceof AppError && error.code === "unauthorized")
      rateLimits.countRefusedToken(request, reply);
    throw error;
  }
}

/**
 * Returns the challenge that names the metadata of a protected resource. The metadata tells clients
 * how to get a token.
 */
const challengeOf = ({ path }: Endpoint, base: string): string =>
  `Bearer realm="Sheaf", resource_metadata="${base}${resourceMetadataPath}${path}"`;

/** Converts ids to lower case, because they are compared without regard to case. */
const withLowerCaseIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, lowerCaseId(value)]));

/**
 * Maps the path parameters of a deprecated endpoint to those of its successor. Both have the same
 * parameters in the same order, but perhaps with different names.
 */
function successorParameters({ deprecated }: Endpoint, { params }: FastifyRequest): Record<string, string> {
  const values = Object.values(params as Record<string, string>);
  const names = [...(deprecated?.successor ?? "").matchAll(/\{(\w+)\}/g)];
  return Object.fromEntries(names.map(([, name], index) => [name, values[index] ?? ""]));
}

/**
 * Returns a signal that aborts if the client disconnects before the whole response has been sent.
 */
export function clientLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished)
      controller.abort(new AppError("agent_unavailable", undefined, { message: "The client disconnected." }));
  });
  return controller.signal;
}
