/** Every endpoint of the interface, by operation id. */
import { agentsEndpoints } from "./agents.ts";
import { classificationEndpoints } from "./classification.ts";
import { documentsEndpoints } from "./documents.ts";
import { extractionEndpoints } from "./extraction.ts";
import { knowledgeEndpoints } from "./knowledge.ts";
import { serviceEndpoints } from "./service.ts";
import { tokenEndpoints } from "./token.ts";
import { usageEndpoints } from "./usage.ts";
import { webhooksEndpoints } from "./webhooks.ts";

export const endpoints = {
  ...tokenEndpoints,
  ...agentsEndpoints,
  ...documentsEndpoints,
  ...knowledgeEndpoints,
  ...extractionEndpoints,
  ...classificationEndpoints,
  ...usageEndpoints,
  ...webhooksEndpoints,
  ...serviceEndpoints,
};
