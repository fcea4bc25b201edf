/**
 * Classification: splits a file into documents and classifies each. All endpoints that classify are
 * asynchronous.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { text } from "./formats.ts";
import { extractionExtensions, limits } from "./limits.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";
import { base64File, callbackUrl, failure, filename, ResultMetadata, started, succeeded } from "./upload.ts";

export const classificationModes = ["auto", "page", "document"] as const;
export type ClassificationMode = (typeof classificationModes)[number];

export const Segment = component(
  "Segment",
  Type.Object(
    {
      start: Type.Integer({ minimum: 1, description: "First page; pages are numbered from 1." }),
      end: Type.Integer({ minimum: 1, description: "Last page, inclusive." }),
      label: Type.String({
        description:
          "One of the given classes. If none fits or none were given, a class that was discovered in the file.",
        examples: ["invoice"],
      }),
      title: Type.String({
        description: "Title found on the first page of the document.",
        examples: ["Invoice F-2026-118"],
      }),
      confidence: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Probability that the label is correct.",
        examples: [0.93],
      }),
    },
    { description: "A range of pages that is one document. Segments cover every page once, in order." },
  ),
);
export type SegmentJson = Static<typeof Segment>;

export const DiscoveredClass = component(
  "DiscoveredClass",
  Type.Object({
    label: Type.String({ examples: ["delivery note"] }),
    description: Type.String({ examples: ["Lists goods as delivered, with quantities and no prices."] }),
    pages: Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Numbers of the pages with this label. The first page is 1.",
    }),
  }),
);
export type DiscoveredClassJson = Static<typeof DiscoveredClass>;

export const Classification = component(
  "Classification",
  Type.Object({
    source_name: Type.String({ description: "Name of the uploaded file.", examples: ["scans-2026-03.pdf"] }),
    mode: choice(classificationModes, { description: "Mode of the request." }),
    segments: Type.Array(Segment),
    discovered_classes: Type.Array(DiscoveredClass, { description: "Labels that were not among the given classes." }),
    pages_count: Type.Integer({ minimum: 1 }),
  }),
);
export type ClassificationJson = Static<typeof Classification>;

export const ClassificationSuccess = component(
  "ClassificationSuccess",
  succeeded("classification_id", Classification, ResultMetadata),
);
export type ClassificationSuccessJson = Static<typeof ClassificationSuccess>;
export const ClassificationFailure = component(
  "ClassificationFailure",
  failure("classification_id", "classification_failed"),
);
export type ClassificationFailureJson = Static<typeof ClassificationFailure>;
export const ClassificationStarted = component("ClassificationStarted", started("classification_id"));
export type ClassificationStartedJson = Static<typeof ClassificationStarted>;

/** Outcome of a classification: the body of the callback and the `data` of the event. */
export const ClassificationOutcome = component(
  "ClassificationOutcome",
  Type.Union([ClassificationSuccess, ClassificationFailure]),
);
export type ClassificationOutcomeJson = Static<typeof ClassificationOutcome>;

export const ClassInput = component(
  "ClassInput",
  Type.Object({
    label: text({ minLength: 1, maxLength: limits.classLabelMaxLength, examples: ["invoice"] }),
    description: Type.Optional(text({ maxLength: limits.classDescriptionMaxLength })),
  }),
);
export type ClassInputJson = Static<typeof ClassInput>;

/** Schema of `classes` in a request. */
export const ClassInputs = Type.Array(ClassInput, {
  maxItems: limits.maxClasses,
  description: "The classes to choose from. If absent, classes are discovered.",
});

export const StartClassificationRequest = component(
  "StartClassificationRequest",
  Type.Object({
    filename,
    file: base64File,
    callback: Type.Optional(callbackUrl),
    classes: Type.Optional(ClassInputs),
    keep: Type.Optional(
      Type.Boolean({
        description:
          "True to keep the file and the result for review in `/v2/classifications`. Default: classifications in the web application are kept, " +
          "others only if `keep_extractions_days` of the organization is set. If that setting is 0, nothing is kept, whatever the value of this member.",
      }),
    ),
    mode: Type.Optional(
      choice(classificationModes, {
        default: "auto",
        description:
          "`auto`: a new segment at each document boundary; `page`: one segment per page; `document`: one segment " +
          "for the whole file.",
      }),
    ),
  }),
);
export type StartClassificationRequestJson = Static<typeof StartClassificationRequest>;

const startClassification = defineEndpoint({
  operationId: "startClassification",
  method: "POST",
  path: "/v2/classification/async",
  summary: "Start a classification",
  description:
    "Responds at once. When the classification ends, the result is emitted as the event `classification.completed` and posted to `callback`, if given.",
  tag: "Classification",
  auth: "administrator",
  app: "member",
  body: StartClassificationRequest,
  upload: { extensions: extractionExtensions, maxFileBytes: limits.maxExtractionFileBytes },
  callback: {
    field: "callback",
    summary:
      "The result. It has the structure of the `data` of the event `classification.completed`, and is retried and signed like that event.",
    body: ClassificationOutcome,
  },
  responses: { 200: { description: "The classification was started.", body: ClassificationStarted } },
  errors: ["file_too_large", "unsupported_file_type", "infected_file", "antivirus_unavailable", "agent_unavailable"],
});

const getClassification = defineEndpoint({
  operationId: "getClassification",
  method: "GET",
  path: "/v2/classification/async/{classification_id}",
  summary: "Get the state of a classification",
  description: `Returns the state and, for ${limits.resultDays} days after the end, the result. For a failed classification, the response is 200 with \`status\` \`error\`. For an unknown or expired \`classification_id\`, the response is 404 \`not_found\`.`,
  tag: "Classification",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    classification_id: Type.String({ description: "`classification_id` of the classification." }),
  }),
  responses: {
    200: {
      description: "The state of the classification.",
      body: Type.Union([ClassificationStarted, ClassificationSuccess, ClassificationFailure]),
    },
  },
  errors: ["not_found"],
});

export const classificationEndpoints = { startClassification, getClassification };
