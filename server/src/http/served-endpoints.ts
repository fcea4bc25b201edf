/**
 * The endpoints of the contract that this version serves. The OpenAPI document and the API
 * reference describe exactly these endpoints.
 */
import { agentVersionsEndpoints } from "@sheaf/contract/agent-versions.ts";
import { agentsEndpoints } from "@sheaf/contract/agents.ts";
import { auditEndpoints } from "@sheaf/contract/audit.ts";
import { classificationEndpoints } from "@sheaf/contract/classification.ts";
import { correctionsEndpoints } from "@sheaf/contract/corrections.ts";
import { coverageEndpoints } from "@sheaf/contract/coverage.ts";
import { deliveriesEndpoints } from "@sheaf/contract/deliveries.ts";
import { documentsEndpoints } from "@sheaf/contract/documents.ts";
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import { evaluationEndpoints } from "@sheaf/contract/evaluation.ts";
import { extractionEndpoints } from "@sheaf/contract/extraction.ts";
import { inferenceEndpoints } from "@sheaf/contract/inference.ts";
import { keptClassificationsEndpoints } from "@sheaf/contract/kept-classifications.ts";
import { keptExtractionsEndpoints } from "@sheaf/contract/kept-extractions.ts";
import { knowledgeEndpoints } from "@sheaf/contract/knowledge.ts";
import { liveStatesEndpoints } from "@sheaf/contract/live-states.ts";
import { mcpEndpoints } from "@sheaf/contract/mcp.ts";
import { organizationEndpoints } from "@sheaf/contract/organization.ts";
import { passkeysEndpoints } from "@sheaf/contract/passkeys.ts";
import { scimEndpoints } from "@sheaf/contract/scim.ts";
import { serviceEndpoints } from "@sheaf/contract/service.ts";
import { sessionsEndpoints } from "@sheaf/contract/sessions.ts";
import { signOnEndpoints } from "@sheaf/contract/sign-on.ts";
import { subscriptionsEndpoints } from "@sheaf/contract/subscriptions.ts";
import { templatesEndpoints } from "@sheaf/contract/templates.ts";
import { threadsEndpoints } from "@sheaf/contract/threads.ts";
import { tokenEndpoints } from "@sheaf/contract/token.ts";
import { usageEndpoints } from "@sheaf/contract/usage.ts";
import { webhooksEndpoints } from "@sheaf/contract/webhooks.ts";
import type { AnyRoute } from "../lib/route.ts";

export const servedEndpoints: readonly Endpoint[] = [
  ...Object.values(tokenEndpoints),
  ...Object.values(agentsEndpoints),
  ...Object.values(agentVersionsEndpoints),
  ...Object.values(documentsEndpoints),
  ...Object.values(extractionEndpoints),
  ...Object.values(inferenceEndpoints),
  ...Object.values(templatesEndpoints),
  ...Object.values(evaluationEndpoints),
  ...Object.values(coverageEndpoints),
  ...Object.values(keptExtractionsEndpoints),
  ...Object.values(correctionsEndpoints),
  ...Object.values(keptClassificationsEndpoints),
  ...Object.values(classificationEndpoints),
  ...Object.values(knowledgeEndpoints),
  ...Object.values(threadsEndpoints),
  ...Object.values(liveStatesEndpoints),
  ...Object.values(webhooksEndpoints),
  ...Object.values(deliveriesEndpoints),
  ...Object.values(auditEndpoints),
  ...Object.values(usageEndpoints),
  ...Object.values(subscriptionsEndpoints),
  ...Object.values(organizationEndpoints),
  ...Object.values(sessionsEndpoints),
  ...Object.values(passkeysEndpoints),
  ...Object.values(signOnEndpoints),
  ...Object.values(scimEndpoints),
  ...Object.values(mcpEndpoints),
  ...Object.values(serviceEndpoints),
];

/** Throws if an endpoint has no route, or a route has no endpoint. */
export function checkServed(routes: readonly AnyRoute[]): void {
  const mounted = routes.map((route) => route.endpoint.operationId).sort();
  const described = servedEndpoints.map((endpoint) => endpoint.operationId).sort();
  if (mounted.join() !== described.join())
    throw new Error(
      `Mounted routes and described endpoints differ. Mounted: ${mounted.join()}. Described: ${described.join()}.`,
    );
}
