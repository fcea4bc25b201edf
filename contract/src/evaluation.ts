/** Evaluation of a proposed configuration on the reviewed extractions of an extractor agent. */
import type { Static } from "typebox";
import { agentEngine } from "./agent-configurations.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { count } from "./formats.ts";
import { limits } from "./limits.ts";
import { AgentParamSchema } from "./params.ts";
import { component, documentedAs } from "./schema.ts";
import { changes, lostFields, Score } from "./scores.ts";
import Type from "./type.ts";

/** Value of the request header `If-Quality`. */
export const atLeastCurrent = "at-least-current";

export const Evaluation = component(
  "Evaluation",
  Type.Object({
    documents: count(
      "Number of reviewed extractions that were evaluated. The most recently reviewed ones are evaluated first.",
      20,
    ),
    reviewed: count("Number of reviewed extractions of the agent.", 20),
    before: Score,
    after: Score,
    fields: Type.Array(
      Type.Object({
        path: Type.String({
          description: "Path to the field: the names of its lists, outermost first, and then its own name.",
          examples: ["/lines/amount"],
        }),
        before: Score,
        after: Score,
      }),
      { description: "Scores of each field whose correct values are known." },
    ),
    lost: lostFields,
    without_truth: Type.Array(Type.String(), {
      description: "Proposed fields whose correct values are not known in any evaluated extraction.",
      examples: [["/discount"]],
    }),
    changes: changes("Values that differ between the two configurations. Those that become wrong come first."),
    changes_left_off: count("Number of further changes that are not listed."),
    duration: Type.Number({ minimum: 0, description: "Duration in seconds." }),
    tokens_consumed: count("Language model tokens used for both configurations together."),
  }),
);
export type EvaluationJson = Static<typeof Evaluation>;

export const EvaluateRequest = component(
  "EvaluateRequest",
  Type.Object({
    params: Type.Optional(
      documentedAs(
        Type.Unknown(),
        Type.Array(AgentParamSchema, { maxItems: limits.maxParams, description: "Proposed fields." }),
      ),
    ),
    engine: Type.Optional(documentedAs(Type.Unknown(), agentEngine)),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Version on which the proposal is based. Default: the current configuration.",
      }),
    ),
    documents: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.maxEvaluatedDocuments,
        description: `Maximum number of reviewed extractions to evaluate. Default: ${limits.maxEvaluatedDocuments}.`,
      }),
    ),
  }),
);
export type EvaluateRequestJson = Static<typeof EvaluateRequest>;

const evaluateExtractor = defineEndpoint({
  operationId: "evaluateExtractor",
  method: "POST",
  path: "/v2/extractor/{agentReference}/evaluate",
  summary: "Evaluate a configuration of an extractor",
  description:
    "Runs the current and a proposed configuration on the reviewed extractions of the agent and compares both results with the reviewed values. " +
    "Files are not read again, and nothing is changed. Responds when the evaluation is done. If it takes longer than the time limit of an extraction, the response is 504 " +
    "`agent_timeout`: evaluate fewer `documents`.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    agentReference: Type.String({ description: "Reference of the extractor agent." }),
  }),
  body: EvaluateRequest,
  responses: { 200: { description: "The scores and the differences.", body: success(Evaluation) } },
  errors: [
    "agent_not_found",
    "not_found",
    "invalid_config",
    "extraction_failed",
    "agent_unavailable",
    "agent_timeout",
    "quota_exceeded",
  ],
});

export const evaluationEndpoints = { evaluateExtractor };
