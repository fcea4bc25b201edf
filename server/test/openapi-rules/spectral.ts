/** Rules of Spectral for docs/reference/openapi.json: all recommended ones, with exceptions. */
import type { RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

export const ruleset: RulesetDefinition = {
  extends: [oas as RulesetDefinition],
  rules: {
    // Whoever runs the service is the contact, and the document cannot know them.
    "info-contact": "off",
    // Applies OpenAPI 3.0 to scopes. OpenAPI 3.1 allows roles for every security scheme.
    "oas3-operation-security-defined": "off",
    // GET and DELETE of /mcp exist only to refuse these methods, as its protocol demands.
    "operation-success-response": "off",
  },
};
