/**
 * Kept classifications: results that are stored with their file. People correct and download the
 * segments. The original result never changes.
 */
import type { Static } from "typebox";
import { Classification, type ClassificationJson } from "./classification.ts";
import { defineEndpoint, type HeaderSpec } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { count, text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { PageWords, pageImageErrors, pageImageQuery, pageImageResponses } from "./pages.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const keptClassificationStatuses = ["original", "corrected"] as const;
export type KeptClassificationStatus = (typeof keptClassificationStatuses)[number];

const version = (description: string) => Type.Integer({ minimum: 1, description, examples: [1] });

export const CorrectedSegment = component(
  "CorrectedSegment",
  Type.Object({
    start: Type.Integer({ minimum: 1, description: "First page; pages are numbered from 1." }),
    end: Type.Integer({ minimum: 1, description: "Last page, inclusive." }),
    label: text({ minLength: 1, maxLength: limits.classLabelMaxLength, examples: ["invoice"] }),
    title: text({
      maxLength: limits.segmentTitleMaxLength,
      description: "Title of the document, which is also used for the name of the segment's file.",
      examples: ["Invoice F-2026-118"],
    }),
  }),
);
export type CorrectedSegmentJson = Static<typeof CorrectedSegment>;

const summaryFields = {
  id: uuid("Id of the kept classification, which is the `classification_id` of its request."),
  filename: Type.String({ description: "Name of the uploaded file.", examples: ["scans-2026-03.pdf"] }),
  mime: Type.String({ description: "Media type of the file.", examples: ["application/pdf"] }),
  size: count("Size of the file in bytes.", 482_113),
  pages: count("Number of pages.", 12),
  segments_count: count("Number of segments after correction.", 4),
  status: choice(keptClassificationStatuses, {
    description: "`corrected` once a person has saved segments.",
  }),
  version: version("Version of the segments. It increases with each change."),
  created_at: timestamp("Time at which the classification ended."),
  expires_at: timestamp("Time at which the classification and its file will be removed."),
};

export const KeptClassificationSummary = component(
  "KeptClassificationSummary",
  Type.Object(summaryFields, { description: "A kept classification in a list, without its result." }),
);
export type KeptClassificationSummaryJson = Static<typeof KeptClassificationSummary>;

export const KeptClassification = component(
  "KeptClassification",
  Type.Object({
    ...summaryFields,
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "SHA-256 of the file, hexadecimal.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    data: Type.Unsafe<ClassificationJson>(Classification),
    corrected_segments: Type.Array(CorrectedSegment, {
      description: "The segments as last saved, or those of `data` if nobody has corrected them.",
    }),
  }),
);
export type KeptClassificationJson = Static<typeof KeptClassification>;

export const PutSegmentsRequest = component(
  "PutSegmentsRequest",
  Type.Object({
    segments: Type.Array(CorrectedSegment, {
      minItems: 1,
      maxItems: limits.maxCorrectedSegments,
      description: "All segments, in the order of their pages. Every page must be in exactly one segment.",
    }),
    version: version("The version on which the segments are based."),
  }),
);
export type PutSegmentsRequestJson = Static<typeof PutSegmentsRequest>;

const parameters = {
  classificationId: Type.String({ description: "Id of the kept classification." }),
};
const common = { tag: "Classification", auth: "administrator", app: "member" } as const;
const ofOne = { ...common, pathParameters: Type.Object(parameters) } as const;

const listKeptClassifications = defineEndpoint({
  ...common,
  operationId: "listKeptClassifications",
  method: "GET",
  path: "/v2/classifications",
  summary: "List the kept classifications",
  description:
    "Lists classifications kept for review, oldest first. A member sees their own, an administrator sees all.",
  query: pageQuery,
  responses: { 200: { description: "The kept classifications.", body: list(KeptClassificationSummary) } },
  errors: ["invalid_request"],
});

const getKeptClassification = defineEndpoint({
  ...ofOne,
  operationId: "getKeptClassification",
  method: "GET",
  path: "/v2/classifications/{classificationId}",
  summary: "Get a kept classification",
  responses: { 200: { description: "The classification with its segments.", body: success(KeptClassification) } },
  errors: ["not_found"],
});

const putClassificationSegments = defineEndpoint({
  ...ofOne,
  operationId: "putClassificationSegments",
  method: "PUT",
  path: "/v2/classifications/{classificationId}/segments",
  summary: "Correct the segments of a kept classification",
  description:
    "Replaces all segments. If `version` is not the current one, somebody else has changed them: 409 `conflict`, and nothing changes.",
  body: PutSegmentsRequest,
  responses: { 200: { description: "The corrected classification.", body: success(KeptClassification) } },
  errors: ["not_found", "conflict"],
});

const deleteKeptClassification = defineEndpoint({
  ...ofOne,
  operationId: "deleteKeptClassification",
  method: "DELETE",
  path: "/v2/classifications/{classificationId}",
  summary: "Delete a kept classification",
  description: "Removes the classification, its corrected segments and its file.",
  responses: {
    200: { description: "It was deleted.", body: success(Type.Object({ id: uuid("Id of the classification.") })) },
  },
  errors: ["not_found"],
});

const fileHeaders: Record<string, HeaderSpec> = {
  "content-disposition": { description: "Always `attachment`, with the name of the file." },
};

const getKeptClassificationFile = defineEndpoint({
  ...ofOne,
  operationId: "getKeptClassificationFile",
  method: "GET",
  path: "/v2/classifications/{classificationId}/file",
  summary: "Download the file of a kept classification",
  description: "Returns the bytes that were uploaded, as a download that browsers never display.",
  responses: {
    200: { description: "The file.", contentType: "application/octet-stream", bytes: true, headers: fileHeaders },
  },
  errors: ["not_found"],
});

const getClassificationSegmentFile = defineEndpoint({
  ...common,
  operationId: "getClassificationSegmentFile",
  method: "GET",
  path: "/v2/classifications/{classificationId}/segments/{segmentIndex}/file",
  pathParameters: Type.Object({
    ...parameters,
    segmentIndex: Type.String({ description: "Index of the segment in `corrected_segments`, starting at 0." }),
  }),
  summary: "Download a segment as a PDF",
  description:
    "Returns a PDF of the pages of one segment, as a download named after its title. Available for PDF files only; for others 404 " +
    "`segment_file_unavailable`.",
  responses: { 200: { description: "The pages.", contentType: "application/pdf", bytes: true, headers: fileHeaders } },
  errors: ["not_found", "document_not_found", "segment_file_unavailable", "extraction_failed", "agent_timeout"],
});

const ofPage = {
  ...common,
  pathParameters: Type.Object({
    ...parameters,
    page: Type.String({ description: "Number of the page, starting at 1." }),
  }),
} as const;

const getKeptClassificationPageWords = defineEndpoint({
  ...ofPage,
  operationId: "getKeptClassificationPageWords",
  method: "GET",
  path: "/v2/classifications/{classificationId}/pages/{page}/words",
  summary: "Get the words of a page of a kept classification",
  description:
    "Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of the page.",
  responses: { 200: { description: "The words of the page.", body: success(PageWords) } },
  errors: ["not_found", "document_not_found", "page_not_found"],
});

const getKeptClassificationPageImage = defineEndpoint({
  ...ofPage,
  operationId: "getKeptClassificationPageImage",
  method: "GET",
  path: "/v2/classifications/{classificationId}/pages/{page}/image",
  summary: "Get the image of a page of a kept classification",
  description:
    "Returns one page as WebP, rotated upright. Pages of docx and xlsx files, and damaged pages, have no image: 404 `page_image_unavailable`.",
  query: pageImageQuery,
  responses: pageImageResponses,
  errors: ["not_found", "document_not_found", ...pageImageErrors],
});

export const keptClassificationsEndpoints = {
  listKeptClassifications,
  getKeptClassification,
  putClassificationSegments,
  deleteKeptClassification,
  getKeptClassificationFile,
  getClassificationSegmentFile,
  getKeptClassificationPageWords,
  getKeptClassificationPageImage,
};
