/**
 * Mounts the SCIM routes. The limits of other routes also apply to them. Their tokens, media type
 * and errors differ, because the protocol defines them.
 */
import { errors } from "@sheaf/contract/errors.ts";
import { scimPath } from "@sheaf/contract/scim.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Resource } from "../features/scim/patch.ts";
import { ScimError, type ScimType, scimErrorJson } from "../features/scim/scim-error.ts";
import type { ScimQuery } from "../features/scim/scim-list.ts";
import { type ScimRoute, scimType } from "../features/scim/scim-route.ts";
import type { Provisioner } from "../features/scim/scim-tokens.service.ts";
import { AppError } from "../lib/errors.ts";
import { originOf } from "../lib/origin.ts";
import { withTenant } from "../lib/tenant.ts";
import type { AppDeps } from "./app-deps.ts";
import { reportError } from "./error-reply.ts";
import { shedRequest } from "./load-shedding.ts";
import { awaitsContinue, clientLeft } from "./mount-route.ts";
import { hasDifferentTokens, tokenOf } from "./presented-tokens.ts";
import { checkHeaders } from "./request-body.ts";
import { receiveJson } from "./upload/receive-upload.ts";

/** Maximum size of a body. A PATCH that names 2,000 members is about 200 kB. */
const maxBodyBytes = 1_048_576;

export function mountScim(app: FastifyInstance, deps: AppDeps, routes: readonly ScimRoute[]): void {
  const provisioners = new WeakMap<FastifyRequest, Provisioner>();
  const hooks = {
    errorHandler: replyWithScimError,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const provisioner = await authenticated(deps, request, reply);
      deps.rateLimits.countCaller({ credentialId: provisioner.tokenId, memberId: "" }, request, reply);
      const admission = deps.loadGate.enter(provisioner.organizationId, request.headers);
      if (admission === undefined) return shedRequest(deps, request, reply);
      request.admission = admission;
      reply.raw.once("close", () => admission[Symbol.dispose]());
      provisioners.set(request, provisioner);
    },
  };
  for (const route of routes)
    app.route({
      method: route.method,
      url: `${scimPath}${route.path}`,
      ...hooks,
      handler: (request, reply) => {
        const provisioner = provisioners.get(request);
        if (provisioner === undefined) throw new AppError("unauthorized");
        return withTenant(provisioner.organizationId, () => handle(deps, route, provisioner, request, reply));
      },
    });
  const notFound = async () => {
    throw new ScimError(404, "No such endpoint.");
  };
  app.all(`${scimPath}/*`, hooks, notFound);
}

async function handle(
  { publicUrl, shutdown }: AppDeps,
  route: ScimRoute,
  provisioner: Provisioner,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const signals = [clientLeft(reply), shutdown, ...(request.admission ? [request.admission.signal] : [])];
  const body = await bodyOf(route, request, reply, AbortSignal.any(signals));
  const { id = "" } = request.params as { id?: string };
  const base = `${publicUrl ?? originOf(request.headers.host)}${scimPath}`;
  const answer = await route.handle({ provisioner, id, query: request.query as ScimQuery, body, base });
  reply.code(answer.status);
  if (answer.location !== undefined) reply.header("location", answer.location);
  if (answer.body === undefined) return reply.send();
  return reply.type(scimType).send(JSON.stringify(answer.body));
}

async function bodyOf(
  route: ScimRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<Resource> {
  if (route.method === "GET" || route.method === "DELETE") return {};
  checkHeaders(request.raw, [scimType, "application/json"]);
  if (awaitsContinue(request)) reply.raw.writeContinue();
  return receiveJson(request.raw, { signal, maxBytes: maxBodyBytes });
}

/** @throws AppError `unauthorized`; `rate_limited` after too many refused tokens */
async function authenticated(deps: AppDeps, request: FastifyRequest, reply: FastifyReply): Promise<Provisioner> {
  const token = tokenOf(request.headers);
  try {
    if (hasDifferentTokens(request.raw)) throw new AppError("unauthorized");
    return await deps.authenticateProvisioner(token, { address: request.address, requestId: request.id });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    reply.header("www-authenticate", 'Bearer realm="Sheaf SCIM"');
    if (token !== undefined) deps.rateLimits.countRefusedToken(request, reply);
    throw error;
  }
}

/**
 * SCIM status and keyword of an error code. All other codes keep their HTTP status and have no
 * keyword.
 */
const translated: Partial<Record<AppError["code"], { status: number; scimType?: ScimType }>> = {
  invalid_request: { status: 400, scimType: "invalidSyntax" },
};

function replyWithScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScimError) {
    const { status, message, scimType: keyword } = error;
    return reply
      .code(status)
      .type(scimType)
      .send(JSON.stringify(scimErrorJson(status, message, keyword)));
  }
  const appError = reportError(error, request, reply);
  const { status, scimType: keyword } = translated[appError.code] ?? { status: errors[appError.code].status };
  return reply
    .code(status)
    .type(scimType)
    .send(JSON.stringify(scimErrorJson(status, detailOf(appError), keyword)));
}

function detailOf({ detail, message }: AppError): string {
  const issues = detail !== undefined && "issues" in detail ? detail.issues : [];
  return [message, ...issues.map((issue) => `${issue.path || "The body"}: ${issue.message}.`)].join(" ");
}
