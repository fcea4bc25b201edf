/** All endpoints of the API, by operation id. */
import { agentVersionsEndpoints } from "./agent-versions.ts";
import { agentsEndpoints } from "./agents.ts";
import { auditEndpoints } from "./audit.ts";
import { classificationEndpoints } from "./classification.ts";
import { correctionsEndpoints } from "./corrections.ts";
import { coverageEndpoints } from "./coverage.ts";
import { deliveriesEndpoints } from "./deliveries.ts";
import { documentsEndpoints } from "./documents.ts";
import { evaluationEndpoints } from "./evaluation.ts";
import { extractionEndpoints } from "./extraction.ts";
import { inferenceEndpoints } from "./inference.ts";
import { keptClassificationsEndpoints } from "./kept-classifications.ts";
import { keptExtractionsEndpoints } from "./kept-extractions.ts";
import { knowledgeEndpoints } from "./knowledge.ts";
import { liveStatesEndpoints } from "./live-states.ts";
import { mcpEndpoints } from "./mcp.ts";
import { organizationEndpoints } from "./organization.ts";
import { passkeysEndpoints } from "./passkeys.ts";
import { scimEndpoints } from "./scim.ts";
import { serviceEndpoints } from "./service.ts";
import { sessionsEndpoints } from "./sessions.ts";
import { signOnEndpoints } from "./sign-on.ts";
import { subscriptionsEndpoints } from "./subscriptions.ts";
import { templatesEndpoints } from "./templates.ts";
import { threadsEndpoints } from "./threads.ts";
import { tokenEndpoints } from "./token.ts";
import { usageEndpoints } from "./usage.ts";
import { webhooksEndpoints } from "./webhooks.ts";

export const endpoints = {
  ...tokenEndpoints,
  ...agentsEndpoints,
  ...agentVersionsEndpoints,
  ...documentsEndpoints,
  ...knowledgeEndpoints,
  ...threadsEndpoints,
  ...extractionEndpoints,
  ...inferenceEndpoints,
  ...templatesEndpoints,
  ...evaluationEndpoints,
  ...coverageEndpoints,
  ...keptExtractionsEndpoints,
  ...correctionsEndpoints,
  ...keptClassificationsEndpoints,
  ...classificationEndpoints,
  ...liveStatesEndpoints,
  ...usageEndpoints,
  ...subscriptionsEndpoints,
  ...webhooksEndpoints,
  ...deliveriesEndpoints,
  ...auditEndpoints,
  ...organizationEndpoints,
  ...sessionsEndpoints,
  ...passkeysEndpoints,
  ...signOnEndpoints,
  ...scimEndpoints,
  ...mcpEndpoints,
  ...serviceEndpoints,
};
