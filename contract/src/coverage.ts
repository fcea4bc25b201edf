/**
 * Coverage: for each field and wanted precision, the confidence threshold and the share of values
 * that reach it.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { count } from "./formats.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });

export const CoverageLevel = component(
  "CoverageLevel",
  Type.Object(
    {
      precision: share("Target share of correct values (precision).", 0.95),
      minimum_values: count(
        "Minimum number of reviewed values needed to establish this precision. It suffices only if all of them are right.",
        52,
      ),
      confidence: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description:
          "Confidence threshold of the field. The values with at least this confidence reach the precision. Null if there are too few values, or too many are wrong.",
        examples: [0.87],
      }),
      values: count("Number of reviewed values with at least this confidence; 0 if `confidence` is null.", 140),
      right: count("Number of these values that were correct.", 139),
      lower_bound: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description:
          "Lower bound of the true share of correct values, with 95 % certainty (Wilson); null if `confidence` is null.",
        examples: [0.967],
      }),
      coverage: share(
        "Share of the reviewed values that have at least this confidence. Such values need no review.",
        0.88,
      ),
    },
    { description: "Coverage of one field for one wanted precision." },
  ),
);
export type CoverageLevelJson = Static<typeof CoverageLevel>;

const levels = Type.Array(CoverageLevel, { description: "One entry for each of the precisions 0.95, 0.98 and 0.99." });
const values = count("Number of reviewed values that have a confidence. For a list, one row per document counts.", 160);
const right = count("Number of these values that were correct.", 155);

export const Coverage = component(
  "Coverage",
  Type.Object({
    documents: count(
      "Number of reviewed extractions that were used. The most recently reviewed ones are used first.",
      160,
    ),
    fields: Type.Array(
      Type.Object({
        path: Type.String({
          description: "Path to the field: the names of its lists, outermost first, and then its own name.",
          examples: ["/lines/amount"],
        }),
        values,
        right,
        levels,
      }),
    ),
  }),
);
export type CoverageJson = Static<typeof Coverage>;

const getExtractorCoverage = defineEndpoint({
  operationId: "getExtractorCoverage",
  method: "GET",
  path: "/v2/extractor/{agentReference}/coverage",
  summary: "Get the coverage of an extractor at a wanted precision",
  description:
    "Returns, for each field, the confidence above which 95, 98 and 99 % of its values are correct, measured on the reviewed extractions of the " +
    "agent. All reviewed extractions of the agent count, whichever version of its configuration they were made with.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    agentReference: Type.String({ description: "Reference of the extractor agent." }),
  }),
  responses: { 200: { description: "The coverage of each field.", body: success(Coverage) } },
  errors: ["agent_not_found"],
});

export const coverageEndpoints = { getExtractorCoverage };
