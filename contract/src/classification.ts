/** Classification: the documents that a file is made of, and the kind of each. Asynchronous only. */
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
      start: Type.Integer({ minimum: 1, description: "First page, from 1." }),
      end: Type.Integer({ minimum: 1, description: "Last page, inclusive." }),
      label: Type.String({
        description: "One of the given classes; where none fits, or none were given, a discovered one.",
        examples: ["invoice"],
      }),
      title: Type.String({
        description: "The document's own title, as found on its first page.",
        examples: ["Invoice F-2026-118"],
      }),
      confidence: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "The chance that the label is right.",
        examples: [0.93],
      }),
    },
    { description: "A run of pages that is one document. Segments cover every page once, in order." },
  ),
);
export type SegmentJson = Static<typeof Segment>;

export const DiscoveredClass = component(
  "DiscoveredClass",
  Type.Object({
    label: Type.String({ examples: ["delivery note"] }),
    description: Type.String({ examples: ["Lists goods as delivered, with quantities and no prices."] }),
    pages: Type.Array(Type.Integer({ minimum: 1 }), { description: "The pages that bear it, from 1." }),
  }),
);
export type DiscoveredClassJson = Static<typeof DiscoveredClass>;

export const Classification = component(
  "Classification",
  Type.Object({
    source_name: Type.String({ description: "Name of the file, as sent.", examples: ["scans-2026-03.pdf"] }),
    mode: choice(classificationModes, { description: "As asked for." }),
    segments: Type.Array(Segment),
    discovered_classes: Type.Array(DiscoveredClass, { description: "The labels that were not given." }),
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

/** How a classification ended: the body of the callback and the `data` of the event. */
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

/** What `classes` of a request may be. */
export const ClassInputs = Type.Array(ClassInput, {
  maxItems: limits.maxClasses,
  description: "The classes to choose from. Without them classes are discovered.",
});

export const StartClassificationRequest = component(
  "StartClassificationRequest",
  Type.Object({
    filename,
    file: base64File,
    callback: Type.Optional(callbackUrl),
    classes: Type.Optional(ClassInputs),
    mode: Type.Optional(
      choice(classificationModes, {
        default: "auto",
        description:
          "`auto`: a segment wherever one document ends and the next begins; `page`: one segment a page; `document`: one segment " +
          "for the file.",
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
    "Answers at once. The result is emitted as the event `classification.completed` and posted to `callback`, where one is given.",
  tag: "Classification",
  auth: "administrator",
  app: "member",
  body: StartClassificationRequest,
  upload: { extensions: extractionExtensions, maxFileBytes: limits.maxExtractionFileBytes },
  callback: {
    field: "callback",
    summary:
      "The result, in the same form as the `data` of the event `classification.completed`, retried and signed like it.",
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
  description: `The state and, once finished, the result for ${limits.resultDays} days. A failed classification answers 200 with \`status\` \`error\`. An unknown or expired \`classification_id\` is 404 \`not_found\`.`,
  tag: "Classification",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    classification_id: Type.String({ description: "`classification_id` of the classification." }),
  }),
  responses: {
    200: {
      description: "The classification as it is now.",
      body: Type.Union([ClassificationStarted, ClassificationSuccess, ClassificationFailure]),
    },
  },
  errors: ["not_found"],
});

export const classificationEndpoints = { startClassification, getClassification };
