/** Rules of Spectral for docs/reference/openapi.json: all recommended ones, with exceptions. */
import type { RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

export const ruleset: RulesetDefinition = {
  extends: [oas as RulesetDefinition],
  rules: {
    // The contact would be the operator of each installation, whom the document cannot know.
    "info-contact": "off",
    // This rule checks scopes as OpenAPI 3.0 does. OpenAPI 3.1 allows roles for every security
    // scheme.
    "oas3-operation-security-defined": "off",
    // GET and DELETE of /mcp exist only to refuse these methods, as the MCP specification requires.
    "operation-success-response": "off",
  },
};
