/**
 * Extraction of structured data from a file. The fields are given in the request or in an extractor
 * agent. There are synchronous and asynchronous endpoints.
 */
import type { Static } from "typebox";
import { defineEndpoint, type UploadSpec } from "./endpoint.ts";
import { success } from "./envelope.ts";
import type { ErrorCode } from "./errors.ts";
import { ExtractionMetadata, extractedData } from "./extraction-result.ts";
import { extractionExtensions, limits, megabyte } from "./limits.ts";
import { RequestParams } from "./params.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";
import { base64File, callbackUrl, failure, filename, include, started, succeeded } from "./upload.ts";

export const ExtractionSuccess = component(
  "ExtractionSuccess",
  succeeded("extract_id", extractedData, ExtractionMetadata),
);
export type ExtractionSuccessJson = Static<typeof ExtractionSuccess>;
export const ExtractionFailure = component("ExtractionFailure", failure("extract_id", "extraction_failed"));
export type ExtractionFailureJson = Static<typeof ExtractionFailure>;
export const ExtractionStarted = component("ExtractionStarted", started("extract_id"));
export type ExtractionStartedJson = Static<typeof ExtractionStarted>;

/** Outcome of an asynchronous extraction: the body of the callback and the `data` of the event. */
export const ExtractionOutcome = component("ExtractionOutcome", Type.Union([ExtractionSuccess, ExtractionFailure]));
export type ExtractionOutcomeJson = Static<typeof ExtractionOutcome>;

const fileFields = {
  filename,
  file: base64File,
  include: Type.Optional(include(["evidence"], "`evidence` adds `metadata.evidence`: the location of each value.")),
  keep: Type.Optional(
    Type.Boolean({
      description:
        "True to keep the file and the result for review in `/v2/extractions`. Default: extractions in the web application are kept, others " +
        "only if `keep_extractions_days` of the agent or the organization is set. If that setting is 0, nothing is kept, whatever the value of this member.",
    }),
  ),
};

export const ExtractRequest = component("ExtractRequest", Type.Object({ ...fileFields, params: RequestParams }));
export type ExtractRequestJson = Static<typeof ExtractRequest>;

export const ExtractWithAgentRequest = component("ExtractWithAgentRequest", Type.Object(fileFields));
export type ExtractWithAgentRequestJson = Static<typeof ExtractWithAgentRequest>;

/**
 * Without a callback, the client polls for the result or receives it at the webhook of the
 * organization.
 */
const optionalCallback = Type.Optional(callbackUrl);

export const StartExtractionRequest = component(
  "StartExtractionRequest",
  Type.Object({ ...fileFields, callback: optionalCallback, params: RequestParams }),
);
export type StartExtractionRequestJson = Static<typeof StartExtractionRequest>;

export const StartExtractionWithAgentRequest = component(
  "StartExtractionWithAgentRequest",
  Type.Object({ ...fileFields, callback: optionalCallback }),
);
export type StartExtractionWithAgentRequestJson = Static<typeof StartExtractionWithAgentRequest>;

const upload: UploadSpec = { extensions: extractionExtensions, maxFileBytes: limits.maxExtractionFileBytes };
const agentParameters = Type.Object({
  agentReference: Type.String({ description: "Reference of the extractor agent." }),
});
const callback = {
  field: "callback",
  summary:
    "The result. It has the structure of the `data` of the event `extraction.completed`, and is retried and signed like that event.",
  body: ExtractionOutcome,
} as const;

const fileErrors = [
  "file_too_large",
  "unsupported_file_type",
  "infected_file",
  "antivirus_unavailable",
] as const satisfies ErrorCode[];
const agentErrors = ["agent_not_found", "invalid_config"] as const satisfies ErrorCode[];
const workErrors = [
  "extraction_failed",
  "agent_unavailable",
  "agent_timeout",
  "quota_exceeded",
] as const satisfies ErrorCode[];

const result = {
  200: { description: "The extracted data.", body: success(extractedData, ExtractionMetadata) },
} as const;
const startedAnswer = { 200: { description: "The extraction was started.", body: ExtractionStarted } } as const;

const extract = defineEndpoint({
  operationId: "extract",
  method: "POST",
  path: "/v2/extractor",
  summary: "Extract data, with the schema in the request",
  description: "Responds with the result.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  body: ExtractRequest,
  upload,
  responses: result,
  errors: [...fileErrors, ...workErrors],
});

const extractWithAgent = defineEndpoint({
  operationId: "extractWithAgent",
  method: "POST",
  path: "/v2/extractor/{agentReference}",
  summary: "Extract data, with the schema of an agent",
  description:
    "Responds with the result. For an agent of another type, the response is 404 `agent_not_found`; for one without params, 422 `invalid_config`.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: ExtractWithAgentRequest,
  upload,
  responses: result,
  errors: [...agentErrors, ...fileErrors, ...workErrors],
});

const startExtraction = defineEndpoint({
  operationId: "startExtraction",
  method: "POST",
  path: "/v2/extractor/async",
  summary: "Start an extraction, with the schema in the request",
  description:
    "Responds at once. When the extraction ends, the result is posted to `callback`, if given, emitted as the event `extraction.completed`, and returned by " +
    "`GET /v2/extractor/async/{extract_id}`. Recommended for files " +
    `above ${limits.asynchronousAboveBytes / megabyte} MB.`,
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  body: StartExtractionRequest,
  upload,
  callback,
  responses: startedAnswer,
  errors: [...fileErrors, "agent_unavailable"],
});

const startExtractionWithAgent = defineEndpoint({
  operationId: "startExtractionWithAgent",
  method: "POST",
  path: "/v2/extractor/async/{agentReference}",
  summary: "Start an extraction, with the schema of an agent",
  description:
    "Responds at once. When the extraction ends, the result is posted to `callback`, if given, emitted as the event `extraction.completed`, and returned by " +
    "`GET /v2/extractor/async/{extract_id}`.",
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: StartExtractionWithAgentRequest,
  upload,
  callback,
  responses: startedAnswer,
  errors: [...agentErrors, ...fileErrors, "agent_unavailable"],
});

const getExtraction = defineEndpoint({
  operationId: "getExtraction",
  method: "GET",
  path: "/v2/extractor/async/{extract_id}",
  summary: "Get the state of an extraction",
  description: `Returns the state and, for ${limits.resultDays} days after the end, the result. For a failed extraction, the response is 200 with \`status\` \`error\`. For an unknown or expired \`extract_id\`, the response is 404 \`not_found\`.`,
  tag: "Extraction",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({ extract_id: Type.String({ description: "`extract_id` of the extraction." }) }),
  responses: {
    200: {
      description: "The state of the extraction.",
      body: Type.Union([ExtractionStarted, ExtractionSuccess, ExtractionFailure]),
    },
  },
  errors: ["not_found"],
});

export const extractionEndpoints = {
  extract,
  extractWithAgent,
  startExtraction,
  startExtractionWithAgent,
  getExtraction,
};
