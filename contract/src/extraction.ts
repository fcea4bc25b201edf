/**
 * Extraction: structured data from a file, with the fields in the request or in an extractor agent,
 * synchronous or asynchronous.
 */
import type { Static } from "typebox";
import { defineEndpoint, type UploadSpec } from "./endpoint.ts";
import { success } from "./envelope.ts";
import type { ErrorCode } from "./errors.ts";
import { Box, jsonObject, timestamp, uuid } from "./formats.ts";
import { extractionExtensions, limits, megabyte } from "./limits.ts";
import { RequestParams } from "./params.ts";
import { ruleNames } from "./rules.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";
import { base64File, callbackUrl, failure, filename, include, ResultMetadata, started, succeeded } from "./upload.ts";

/** One object of a result. Its keys are the names of the params. */
export const ExtractedRecord = Type.Cyclic(
  {
    ExtractedRecord: jsonObject(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.Ref("ExtractedRecord"))]),
      {
        description:
          "The keys are the names of all params. `text` is a string as written in the document, `number` a number, `boolean` true " +
          "or false, `date` a string `YYYY-MM-DD`, `list` an array of objects. A missing value is null, a missing list `[]`.",
        examples: [{ invoice_number: "F-2026-118", total: 1240.5, lines: [{ label: "Paper", quantity: 10 }] }],
      },
    ),
  },
  "ExtractedRecord",
);

/** An extracted value; null if the document does not have it. */
export type ExtractedValueJson = string | number | boolean | null | ExtractedRecordJson[];
export interface ExtractedRecordJson {
  [name: string]: ExtractedValueJson;
}

export const Evidence = component(
  "Evidence",
  Type.Object(
    {
      page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1." }),
      boxes: Type.Array(Box, {
        description:
          "Boxes of the words: one per line, or one per word if the box of a line would contain other words.",
      }),
      quote: Type.String({ description: "The words of the page inside the boxes, joined by single spaces." }),
      match: choice(["exact", "normalized", "inferred"], {
        description:
          "`exact`: the quote contains the value literally; `normalized`: it contains the value after parsing numbers, dates and white " +
          "space; `inferred`: the value follows from the quote.",
      }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: "Probability that the value is right." }),
    },
    { description: "Location of a value in the document." },
  ),
);
export type EvidenceJson = Static<typeof Evidence>;

/** Evidence of one object of a result, with the same keys. */
export const EvidenceRecord = Type.Cyclic(
  {
    EvidenceRecord: jsonObject(Type.Union([Evidence, Type.Null(), Type.Array(Type.Ref("EvidenceRecord"))]), {
      description: "Has the same structure as the data, with null for values without evidence.",
    }),
  },
  "EvidenceRecord",
);

export type EvidenceValueJson = EvidenceJson | null | EvidenceRecordJson[];
export interface EvidenceRecordJson {
  [name: string]: EvidenceValueJson;
}

/** Reasons why a line or row of a list should be checked. */
export const listReasons = [
  "no_row",
  "missing_value",
  "several_values",
  "repeated_row",
  "position_gap",
  "balance_mismatch",
  "product_mismatch",
  "sum_mismatch",
  "blank_gap",
] as const;

export const ListLine = component(
  "ListLine",
  Type.Object({
    page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1." }),
    boxes: Type.Array(Box),
    quote: Type.String({ description: "The words of the line." }),
    reason: choice(listReasons, {
      description:
        "`no_row`: the line looks like a row, but no row was extracted from it; `missing_value`: the row lacks a value that nearly all rows have; `several_values`: a " +
        "cell contains more values than in the other rows; `repeated_row`: the row equals the previous one; `position_gap`: the numbering skips " +
        "or repeats a number before this row; `balance_mismatch`, `product_mismatch`, `sum_mismatch`: the arithmetic of the other rows does not " +
        "hold for this row; `blank_gap`: there is space for another row before this one.",
    }),
  }),
);

export const ListLedger = component(
  "ListLedger",
  Type.Object(
    {
      path: Type.String({ description: "JSON Pointer to the list in `data`.", examples: ["/0/lines"] }),
      rows_seen: Type.Integer({
        minimum: 0,
        description: "Number of lines that look like rows: those extracted and `rows_unreadable`.",
      }),
      rows_given: Type.Integer({ minimum: 0, description: "Rows in `data`." }),
      lines_skipped: Type.Object(
        {
          heading: Type.Integer({ minimum: 0, description: "Repeated headings." }),
          sum: Type.Integer({ minimum: 0, description: "Sums and subtotals." }),
          carried: Type.Integer({ minimum: 0, description: "Lines with sums carried forward from page to page." }),
          note: Type.Integer({
            minimum: 0,
            description: "Other lines, such as headings of groups, notes and page numbers.",
          }),
        },
        { description: "Numbers of lines between the rows that are not rows, by kind." },
      ),
      rows_unreadable: Type.Array(ListLine, {
        description: "Lines that look like rows, but from which no row was extracted.",
      }),
      doubts: Type.Array(ListLine, {
        description: "Extracted rows that do not fit the other rows, such as a row that appears twice.",
      }),
    },
    { description: "Overview of the lines of one list." },
  ),
);
export type ListLedgerJson = Static<typeof ListLedger>;

export const FailedRule = component(
  "FailedRule",
  Type.Object(
    {
      path: Type.String({ description: "JSON pointer into `data` to the value.", examples: ["/0/total"] }),
      rule: choice(ruleNames),
      message: Type.String({
        description: "Description of the problem, in English.",
        examples: ["1240.5 is not the sum of lines/amount, which is 1204.5"],
      }),
      evidence: Type.Optional(
        Type.Array(Evidence, {
          description:
            "Location of the value, and with `sum_of` those of the summands. Present only if evidence is requested. Has at most " +
            `${limits.maxRuleEvidence} locations.`,
        }),
      ),
    },
    { description: "A rule of a field that its value does not satisfy." },
  ),
);
export type FailedRuleJson = Static<typeof FailedRule>;

export const LearnedValue = component(
  "LearnedValue",
  Type.Object(
    {
      path: Type.String({ description: "JSON pointer into `data` to the value or list.", examples: ["/0/total"] }),
      learned_id: uuid("Id of the entry in the list of what the extractor has learned. It may no longer exist."),
      filename: Type.String({
        description: "Name of the file from which the extractor learned.",
        examples: ["invoice-2026-03.pdf"],
      }),
      learned_at: timestamp("When it was learned."),
    },
    {
      description: "A value that was read with what the extractor learned from an earlier document of the same layout.",
    },
  ),
);
export type LearnedValueJson = Static<typeof LearnedValue>;

/** Schema of `from_memory`. */
export const fromMemory = (condition: string) =>
  Type.Optional(
    Type.Array(LearnedValue, {
      description: `Values that would be different if the extractor had not learned from earlier documents. A value may be null because such documents do not have it. ${condition}`,
    }),
  );

const data = Type.Unsafe<ExtractedRecordJson[]>(
  Type.Array(ExtractedRecord, { description: "One object per file; empty if the result could not be read." }),
);

export const ExtractionMetadata = component(
  "ExtractionMetadata",
  Type.Object({
    ...ResultMetadata.properties,
    evidence: Type.Optional(
      Type.Unsafe<EvidenceRecordJson[]>(
        Type.Array(EvidenceRecord, { description: 'Present only if requested with `include: ["evidence"]`.' }),
      ),
    ),
    needs_review: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "JSON pointers into `data` to the values that need a review. Present only if the agent has a `wanted_precision`. Lists values whose confidence is below the threshold of their field " +
          "(see the coverage of the extractor), values of fields without a threshold, and values without evidence.",
        examples: [["/0/total"]],
      }),
    ),
    from_memory: fromMemory("Present only if there are such values."),
    failed_rules: Type.Optional(
      Type.Array(FailedRule, {
        maxItems: limits.maxFailedRules,
        description:
          "Rules that the values do not satisfy, in the order of the fields. Present only if a field has rules.",
      }),
    ),
    lists: Type.Optional(
      Type.Array(ListLedger, {
        description:
          'One per list that the built-in engine read. Present only if requested with `include: ["evidence"]`, and if there is such a list.',
      }),
    ),
    extraction_id: Type.Optional(
      uuid(
        "Id of the kept extraction, with which it can be reviewed in `/v2/extractions`. Absent if the extraction is not kept.",
      ),
    ),
  }),
);
export type ExtractionMetadataJson = Static<typeof ExtractionMetadata>;

export const ExtractionSuccess = component("ExtractionSuccess", succeeded("extract_id", data, ExtractionMetadata));
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
        "only if `keep_extractions_days` of the agent or the organization is set. If it is 0, nothing is kept, whatever this member says.",
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
    "The result, in the same form as the `data` of the event `extraction.completed`, with the same retries and signature.",
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

const result = { 200: { description: "The extracted data.", body: success(data, ExtractionMetadata) } } as const;
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
    "Responds with the result. An agent of another type is 404 `agent_not_found`; one without params is 422 `invalid_config`.",
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
  description: `Returns the state and, for ${limits.resultDays} days after the end, the result. For a failed extraction, the response is 200 with \`status\` \`error\`. An unknown or expired \`extract_id\` is 404 \`not_found\`.`,
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
