/** Creates the HTTP application of the service from its settings and parts. */
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { beginRequest, isAnswered } from "../features/idempotency/idempotency.service.ts";
import { FailedAttempts } from "../features/identity/failed-attempts.service.ts";
import type { IdentitySource } from "../features/identity/identity.ts";
import { scimRoutes } from "../features/scim/scim.routes.ts";
import { authenticateProvisioner } from "../features/scim/scim-tokens.service.ts";
import { buildApp } from "../http/app.ts";
import type { AppDeps } from "../http/app-deps.ts";
import { authenticateWith } from "../http/authentication.ts";
import { openAddressOf } from "../http/client-address.ts";
import { Connections, connectionLimitsOf } from "../http/connections.ts";
import { RateLimits } from "../http/rate-limits.ts";
import { FairAdmission } from "../lib/fair-admission.ts";
import { addressList } from "../lib/ip-addresses.ts";
import type { Logger } from "../lib/log.ts";
import type { AnyRoute } from "../lib/route.ts";
import { observeRequests } from "../telemetry/observed.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ServiceParts } from "./service-parts.ts";

/** @param parts `process`: id of this process in the list of live processes */
export async function buildServiceApp(
  config: Config,
  log: Logger,
  parts: Pick<ServiceParts, "db" | "keys"> &
    Pick<AppDeps, "temporaryFiles" | "antivirus" | "loadGate" | "webFiles" | "shutdown"> & {
      identity: IdentitySource;
      telemetry: Telemetry;
      process: string;
    },
  routes: AnyRoute[],
): Promise<FastifyInstance> {
  const { db, keys, identity, telemetry, process, temporaryFiles, antivirus, loadGate, webFiles, shutdown } = parts;
  return buildApp(
    {
      log,
      authenticate: authenticateWith({ db, keys, identity, publicUrl: config.publicUrl }),
      authenticateProvisioner: (token, source) => authenticateProvisioner({ db, keys }, token, source),
      temporaryFiles,
      antivirus,
      addressOf: openAddressOf(config.trustedProxies, (peer) =>
        log.warn({ peer }, "X-Forwarded-For was ignored because its sender is not in SHEAF_TRUSTED_PROXIES"),
      ),
      rateLimits: new RateLimits(config.rateLimits, (limit) => new FailedAttempts(db, { ...limit, log })),
      connections: new Connections(
        await connectionLimitsOf(config.connections, log),
        addressList(config.trustedProxies),
      ),
      loadGate,
      uploads: new FairAdmission(config.maxUploads),
      beginRequest: (caller, key, fingerprint) => beginRequest({ db, keys, process }, caller, key, fingerprint),
      isAnswered: (caller, key) => isAnswered({ db }, caller, key),
      observer: observeRequests(telemetry),
      webFiles,
      publicUrl: config.publicUrl,
      isTls: config.publicUrl?.startsWith("https:") ?? false,
      shutdown,
    },
    routes,
    scimRoutes({ db }),
  );
}
