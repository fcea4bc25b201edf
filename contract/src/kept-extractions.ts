/**
 * Kept extractions: results that are stored with their file and evidence. People review and correct
 * them. The original result never changes.
 */
import type { Static } from "typebox";
import { defineEndpoint, type HeaderSpec } from "./endpoint.ts";
import { success } from "./envelope.ts";
import {
  EvidenceRecord,
  type EvidenceRecordJson,
  ExtractedRecord,
  type ExtractedRecordJson,
  type ExtractedValueJson,
  FailedRule,
  fromMemory,
} from "./extraction-result.ts";
import { Box, count, text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { PageWords, pageImageErrors, pageImageQuery, pageImageResponses } from "./pages.ts";
import { list, pageQuery } from "./paging.ts";
import { type ExtractionParam, ExtractionParamSchema } from "./params.ts";
import { choice, component, documentedAs } from "./schema.ts";
import Type from "./type.ts";

export const reviewStatuses = ["to_review", "reviewed"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

export const correctionOperations = ["set", "insert", "remove"] as const;

const correctedValue = documentedAs(
  Type.Unsafe<ExtractedValueJson | ExtractedRecordJson>({}),
  Type.Union(
    [Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(ExtractedRecord), ExtractedRecord],
    {
      description:
        "The correct value, which must have the type of the field: null if there is none, an array of rows for a list, an object for a row. Members that a row " +
        "does not have are null, or `[]` for lists.",
    },
  ),
);

export const Correction = component(
  "Correction",
  Type.Object(
    {
      path: text({
        maxLength: limits.correctionPathMaxLength,
        description:
          "JSON pointer into `data` with all previous corrections applied: `/0/total`, `/0/lines/2/amount`, `/0/lines/2` for a row, " +
          "`/0/lines/-` to insert one at the end.",
        examples: ["/0/lines/2/amount"],
      }),
      op: Type.Optional(
        choice(correctionOperations, {
          description:
            "Default: `set`, which replaces a value. `insert` puts a row before the one at `path`; `remove` removes the row at `path`.",
        }),
      ),
      value: Type.Optional(correctedValue),
      confirmed: Type.Optional(
        Type.Literal(true, {
          description: "States that a person has confirmed the value at `path`. Used in place of `value`.",
        }),
      ),
      reason: Type.Optional(
        text({
          maxLength: limits.correctionReasonMaxLength,
          description: "Reason for the correction, in words.",
          examples: ["misread digit"],
        }),
      ),
      page: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "Page on which the person marked the value, starting at 1. Required with `boxes`.",
        }),
      ),
      boxes: Type.Optional(
        Type.Array(Box, {
          maxItems: limits.maxCorrectionBoxes,
          description: "Boxes that the person drew around the value.",
        }),
      ),
    },
    {
      description: "One change to a result. It has either `value` or `confirmed`; a `remove` has neither.",
      examples: [
        { path: "/0/lines/0/quantity", value: 12, reason: "misread digit", page: 1, boxes: [[72, 96.5, 88, 108]] },
      ],
    },
  ),
);
export type CorrectionJson = Static<typeof Correction>;

const data = (description: string) => Type.Unsafe<ExtractedRecordJson[]>(Type.Array(ExtractedRecord, { description }));
const version = (description: string) => Type.Integer({ minimum: 1, description, examples: [1] });
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const summaryFields = {
  id: uuid("Id of the kept extraction. For an asynchronous extraction, this is its `extract_id`."),
  agent_reference: nullable(
    uuid("The extractor agent."),
    "The extractor agent that was used; null for the global extractor.",
  ),
  filename: Type.String({ description: "Name of the uploaded file.", examples: ["invoice-2026-03.pdf"] }),
  mime: Type.String({ description: "Media type of the file.", examples: ["application/pdf"] }),
  size: count("Size of the file in bytes.", 482_113),
  pages: count("Number of pages.", 2),
  status: choice(reviewStatuses, {
    description: "`reviewed` once a person has marked it as reviewed. A later correction resets it to `to_review`.",
  }),
  needs_review: Type.Boolean({
    description: "True if the status is `to_review` and `values_to_review` is not 0.",
  }),
  values_to_review: count(
    `Number of extracted values whose confidence is below ${limits.reviewBelowConfidence} or that have no evidence. Missing values are not counted.`,
    1,
  ),
  version: version("Version of the kept extraction. It increases with each change of corrections or status."),
  reviewed_by: nullable(uuid("The user."), "The user who reviewed it; null if it is to be reviewed."),
  reviewed_at: nullable(timestamp("Time of the review."), "Time of the review; null if it is to be reviewed."),
  created_at: timestamp("Time at which the extraction ended."),
  expires_at: timestamp("Time at which the extraction and its file will be removed."),
};

export const KeptExtractionSummary = component(
  "KeptExtractionSummary",
  Type.Object(summaryFields, { description: "A kept extraction in a list, without its result." }),
);
export type KeptExtractionSummaryJson = Static<typeof KeptExtractionSummary>;

export const KeptExtraction = component(
  "KeptExtraction",
  Type.Object({
    ...summaryFields,
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "SHA-256 of the file, hexadecimal.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    params: Type.Unsafe<ExtractionParam[]>(
      Type.Array(ExtractionParamSchema, { description: "The fields that were extracted." }),
    ),
    data: data("The result as it was extracted. It never changes."),
    corrected_data: data("The result with all corrections applied."),
    failed_rules: Type.Optional(
      Type.Array(FailedRule, {
        description:
          "Rules that `corrected_data` does not satisfy, without evidence. Present only if a field has rules.",
      }),
    ),
    evidence: Type.Unsafe<EvidenceRecordJson[]>(
      Type.Array(EvidenceRecord, { description: "Location of each value of `data`." }),
    ),
    from_memory: fromMemory("Present only if there are such values."),
    learned: Type.Optional(
      Type.Object(
        {
          id: uuid("Id of the entry in the list of what the extractor has learned."),
          fields: count("Number of fields that were learned.", 12),
        },
        {
          description:
            "What the extractor learned from this review. Present only in the response to a change to `reviewed`, if the extraction has an agent.",
        },
      ),
    ),
    corrections: Type.Array(Correction, { description: "The corrections, in the order in which they are applied." }),
  }),
);
export type KeptExtractionJson = Static<typeof KeptExtraction>;

export const PutCorrectionsRequest = component(
  "PutCorrectionsRequest",
  Type.Object({
    corrections: Type.Array(Correction, {
      maxItems: limits.maxCorrections,
      description: "All corrections. They replace the previous ones.",
    }),
    version: version("The version on which the corrections are based."),
  }),
);
export type PutCorrectionsRequestJson = Static<typeof PutCorrectionsRequest>;

export const UpdateKeptExtractionRequest = component(
  "UpdateKeptExtractionRequest",
  Type.Object({
    status: choice(reviewStatuses),
    version: Type.Optional(version("If given, the version that the kept extraction must still have.")),
  }),
);
export type UpdateKeptExtractionRequestJson = Static<typeof UpdateKeptExtractionRequest>;

/** Path parameters of the endpoints of one kept extraction. */
export const keptExtractionParameters = Type.Object({
  extractionId: Type.String({ description: "Id of the kept extraction." }),
});

const common = { tag: "Extraction", auth: "administrator", app: "member" } as const;
const ofOne = { ...common, pathParameters: keptExtractionParameters } as const;

const listKeptExtractions = defineEndpoint({
  ...common,
  operationId: "listKeptExtractions",
  method: "GET",
  path: "/v2/extractions",
  summary: "List the kept extractions",
  description:
    "Lists extractions kept for review, oldest first. A member sees the extractions of agents that they can see, and their own extractions without an " +
    "agent. An administrator sees all extractions without an agent.",
  query: Type.Object({
    ...pageQuery.properties,
    agent: Type.Optional(Type.String({ description: "Only extractions of the agent with this reference." })),
    status: Type.Optional(choice(reviewStatuses, { description: "Only extractions with this status." })),
    needs_review: Type.Optional(
      choice(["true", "false"], { description: "Only extractions whose `needs_review` has this value." }),
    ),
  }),
  responses: { 200: { description: "The kept extractions.", body: list(KeptExtractionSummary) } },
  errors: ["invalid_request"],
});

const getKeptExtraction = defineEndpoint({
  ...ofOne,
  operationId: "getKeptExtraction",
  method: "GET",
  path: "/v2/extractions/{extractionId}",
  summary: "Get a kept extraction",
  responses: { 200: { description: "The extraction with its corrections.", body: success(KeptExtraction) } },
  errors: ["not_found"],
});

const deleteKeptExtraction = defineEndpoint({
  ...ofOne,
  operationId: "deleteKeptExtraction",
  method: "DELETE",
  path: "/v2/extractions/{extractionId}",
  summary: "Delete a kept extraction",
  description: "Removes the extraction, its corrections and its file.",
  responses: {
    200: { description: "It was deleted.", body: success(Type.Object({ id: uuid("Id of the extraction.") })) },
  },
  errors: ["not_found"],
});

const fileHeaders: Record<string, HeaderSpec> = {
  "content-disposition": { description: "Always `attachment`, with the name of the file." },
};

const getKeptExtractionFile = defineEndpoint({
  ...ofOne,
  operationId: "getKeptExtractionFile",
  method: "GET",
  path: "/v2/extractions/{extractionId}/file",
  summary: "Download the file of a kept extraction",
  description: "Returns the bytes that were uploaded, as a download that browsers never display.",
  responses: {
    200: { description: "The file.", contentType: "application/octet-stream", bytes: true, headers: fileHeaders },
  },
  errors: ["not_found"],
});

const ofPage = {
  ...common,
  pathParameters: Type.Object({
    ...keptExtractionParameters.properties,
    page: Type.String({ description: "Number of the page, starting at 1." }),
  }),
} as const;

const getKeptExtractionPageWords = defineEndpoint({
  ...ofPage,
  operationId: "getKeptExtractionPageWords",
  method: "GET",
  path: "/v2/extractions/{extractionId}/pages/{page}/words",
  summary: "Get the words of a page of a kept extraction",
  description:
    "Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of the page. The boxes of the evidence are in the same units.",
  responses: { 200: { description: "The words of the page.", body: success(PageWords) } },
  errors: ["not_found", "document_not_found", "page_not_found"],
});

const getKeptExtractionPageImage = defineEndpoint({
  ...ofPage,
  operationId: "getKeptExtractionPageImage",
  method: "GET",
  path: "/v2/extractions/{extractionId}/pages/{page}/image",
  summary: "Get the image of a page of a kept extraction",
  description:
    "Returns one page as WebP, rotated upright. Pages of docx and xlsx files, and damaged pages, have no image: 404 `page_image_unavailable`.",
  query: pageImageQuery,
  responses: pageImageResponses,
  errors: ["not_found", "document_not_found", ...pageImageErrors],
});

const putExtractionCorrections = defineEndpoint({
  ...ofOne,
  operationId: "putExtractionCorrections",
  method: "PUT",
  path: "/v2/extractions/{extractionId}/corrections",
  summary: "Correct a kept extraction",
  description:
    "Replaces all corrections. They are applied to `data` in order, and their values must have the type of the field. If `version` is not the " +
    "current one, somebody else has changed the extraction: 409 `conflict`, and nothing changes.",
  body: PutCorrectionsRequest,
  responses: { 200: { description: "The corrected extraction.", body: success(KeptExtraction) } },
  errors: ["not_found", "conflict"],
});

const updateKeptExtraction = defineEndpoint({
  ...ofOne,
  operationId: "updateKeptExtraction",
  method: "PATCH",
  path: "/v2/extractions/{extractionId}",
  summary: "Mark a kept extraction as reviewed",
  description:
    "Records who reviewed the extraction and when. If `version` is given but not the current one, the response is 409 `conflict`.",
  body: UpdateKeptExtractionRequest,
  responses: { 200: { description: "The changed extraction.", body: success(KeptExtraction) } },
  errors: ["not_found", "conflict"],
});

export const keptExtractionsEndpoints = {
  listKeptExtractions,
  getKeptExtraction,
  deleteKeptExtraction,
  getKeptExtractionFile,
  getKeptExtractionPageWords,
  getKeptExtractionPageImage,
  putExtractionCorrections,
  updateKeptExtraction,
};
