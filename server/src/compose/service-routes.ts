/** The routes of the service. */
import type { Antivirus } from "../antivirus/antivirus.ts";
import type { Config } from "../config.ts";
import { agentVersionsRoutes } from "../features/agents/agent-versions.routes.ts";
import { agentsRoutes } from "../features/agents/agents.routes.ts";
import { auditRoutes } from "../features/audit/audit.routes.ts";
import { classificationRoutes } from "../features/classification/classification.routes.ts";
import { documentsRoutes } from "../features/documents/documents.routes.ts";
import { extractionRoutes } from "../features/extraction/extraction.routes.ts";
import { Extractor } from "../features/extraction/extraction.service.ts";
import { inferenceRoutes } from "../features/extraction/inference.routes.ts";
import { healthRoutes } from "../features/health/health.routes.ts";
import type { IdentitySource } from "../features/identity/identity.ts";
import { passkeysRoutes } from "../features/identity/passkeys.routes.ts";
import { sessionsRoutes } from "../features/identity/sessions.routes.ts";
import { signOnRoutes } from "../features/identity/sign-on.routes.ts";
import { keptClassificationsRoutes } from "../features/kept-classifications/kept-classifications.routes.ts";
import { keptExtractionsRoutes } from "../features/kept-extractions/kept-extractions.routes.ts";
import { knowledgeRoutes } from "../features/knowledge/knowledge.routes.ts";
import { learningRoutes } from "../features/learning/learning.routes.ts";
import { liveStatesRoutes } from "../features/live-states/live-states.routes.ts";
import type { LiveStates } from "../features/live-states/live-states.service.ts";
import { mcpRoutes } from "../features/mcp/mcp.routes.ts";
import type { OperationDeps } from "../features/operations/operations.service.ts";
import { organizationRoutes } from "../features/organizations/organization.routes.ts";
import { tokenRoutes } from "../features/organizations/token.routes.ts";
import { Pages } from "../features/pages/pages.service.ts";
import { subscriptionsRoutes } from "../features/plans/subscriptions.routes.ts";
import { Evaluator } from "../features/quality/evaluation.service.ts";
import { qualityRoutes } from "../features/quality/quality.routes.ts";
import { scimTokensRoutes } from "../features/scim/scim-tokens.routes.ts";
import { templatesRoutes } from "../features/templates/templates.routes.ts";
import { threadsRoutes } from "../features/threads/threads.routes.ts";
import { usageRoutes } from "../features/usage/usage.routes.ts";
import { deliveryLogRoutes } from "../features/webhooks/delivery-log.routes.ts";
import { webhooksRoutes } from "../features/webhooks/webhooks.routes.ts";
import { openApiRoutes } from "../http/openapi.routes.ts";
import { checkServed } from "../http/served-endpoints.ts";
import type { Logger } from "../lib/log.ts";
import type { AnyRoute } from "../lib/route.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { agentDeps, openKnowledge, openTools, type ServiceParts } from "./service-parts.ts";

/** Returns all routes that the service serves. */
export function serviceRoutes(
  config: Config,
  log: Logger,
  {
    db,
    keys,
    reader,
    engine,
    corpus,
    temporaryFiles,
    outbound,
    antivirus,
    identity,
    liveStates,
    secureCookies,
    deliverer,
    telemetry,
    metricsToken,
    wake,
    stopping,
  }: ServiceParts & {
    identity: IdentitySource;
    liveStates: LiveStates;
    secureCookies: boolean;
    antivirus: Antivirus | undefined;
    telemetry: Telemetry;
    metricsToken: string;
    wake(): void;
    stopping: AbortSignal;
  },
): AnyRoute[] {
  const mayPost = (url: string) => outbound.mayPost(url);
  const cancelDeliveries = (deliveries: readonly string[]) => deliverer.cancelDeliveries(deliveries);
  const { maxStarted } = config.operations;
  const operations: OperationDeps = { db, files: corpus.files, mayPost, maxStarted, wake };
  const { files } = corpus;
  const extractor = new Extractor({
    db,
    reader,
    engine,
    files,
    temporaryFiles,
    budgetTokens: config.budgetTokens,
    ...config.extraction,
  });
  const knowledge = openKnowledge(config, { db, corpus, engine });
  const pages = new Pages({ files: corpus.files, reader, renderings: Math.max(1, config.reading.processes - 1) });
  const hasModel = config.model !== undefined;
  const { timeoutMs } = config.extraction;
  const evaluator = new Evaluator({ db, files, engine, hasModel, timeoutMs, budgetTokens: config.budgetTokens });
  const checkChange: Evaluator["checkChange"] = (...change) => evaluator.checkChange(...change);
  const { publicUrl } = config;
  const signOn = { db, keys, outbound, allowHttp: config.outbound.allowHttp, publicUrl, secureCookies };
  const routes = [
    ...tokenRoutes({ db, keys, tokenLifetimeSeconds: config.tokenLifetimeSeconds }),
    ...agentsRoutes({ ...agentDeps(db, log, corpus), hasModel, checkChange }),
    ...agentVersionsRoutes({ db, hasModel }),
    ...documentsRoutes({ db, log, ...corpus, wake, pages }),
    ...extractionRoutes({ db, extractor, operations }),
    ...inferenceRoutes({ extractor }),
    ...templatesRoutes(),
    ...keptExtractionsRoutes({ db, log, files, engine, pages }),
    ...learningRoutes({ db }),
    ...qualityRoutes({ db, evaluator }),
    ...classificationRoutes(operations),
    ...keptClassificationsRoutes({ db, log, files, pages }),
    ...webhooksRoutes({ db, keys, mayPost, cancelDeliveries }),
    ...deliveryLogRoutes({ db, wake }),
    ...knowledgeRoutes({ db, log, knowledge, stream: config.knowledge.stream }),
    ...threadsRoutes({ db }),
    ...liveStatesRoutes({ liveStates }),
    ...auditRoutes({ db }),
    ...usageRoutes({ db }),
    ...sessionsRoutes({ db, keys, identity, publicUrl: config.publicUrl, dataDir: config.dataDir }),
    ...passkeysRoutes({ db, keys, identity, publicUrl: config.publicUrl, dataDir: config.dataDir }),
    ...signOnRoutes({ ...signOn, identity }),
    ...organizationRoutes(signOn),
    ...scimTokensRoutes({ db, keys }),
    ...subscriptionsRoutes({ db, log, ...config.stripe }),
    ...mcpRoutes({
      tools:
        config.mcp === "off"
          ? undefined
          : openTools(config, log, {
              ...{ db, corpus, temporaryFiles, antivirus, extractor },
              operations: config.mcp === "write" ? operations : undefined,
            }),
      publicUrl: config.publicUrl,
    }),
    ...healthRoutes({
      db,
      files: corpus.files,
      reader,
      antivirus,
      stopping,
      metrics: { scrape: telemetry.metrics.scrape, token: metricsToken },
    }),
    ...openApiRoutes(config.publicUrl),
  ];
  checkServed(routes);
  return routes;
}
