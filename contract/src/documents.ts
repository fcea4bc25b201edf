/** Documents: the corpus of a documentalist agent. */
import type { Static } from "typebox";
import { agentParameters } from "./agents.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { failureReasons } from "./errors.ts";
import { documentPathIssues } from "./filename.ts";
import { count, timestamp, uuid } from "./formats.ts";
import { documentExtensions, limits } from "./limits.ts";
import { PageWords, pageImageErrors, pageImageQuery, pageImageResponses } from "./pages.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component, documentedAs, withIssues } from "./schema.ts";
import Type from "./type.ts";
import { base64File, filename } from "./upload.ts";

/** `pending` until ingestion ends; then `ready` or `error`, which are final. */
export const documentStatuses = ["pending", "ready", "error"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const IngestionFailure = component(
  "IngestionFailure",
  Type.Object(
    {
      code: choice(failureReasons),
      message: Type.String({ description: "The reason in words.", examples: ["The file is damaged."] }),
    },
    { description: "Why the ingestion of a document failed." },
  ),
);
export type IngestionFailureJson = Static<typeof IngestionFailure>;

const documentFields = {
  reference: uuid("Id of the document."),
  name: Type.String({ description: "File name with extension.", examples: ["terms-2026.pdf"] }),
  path: Type.String({
    description: "Folder of the document in the corpus; empty at the top level.",
    examples: ["contracts/2026"],
  }),
  status: choice(documentStatuses, {
    description: "`pending` until ingestion ends. `error` is final: delete the document and upload it again.",
  }),
  size: count("Size of the file in bytes.", 482_113),
  mime: Type.String({ description: "Media type.", examples: ["application/pdf"] }),
  created_at: timestamp("Time at which the document was uploaded."),
  updated_at: timestamp("Time at which the document last changed."),
};

const ingestionFields = {
  pages: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: "Number of pages; null until it is known.",
    examples: [12],
  }),
  pages_done: count("Number of pages read so far.", 12),
};

export const Document = component(
  "Document",
  Type.Object(
    {
      ...documentFields,
      pages: Type.Optional(ingestionFields.pages),
      pages_done: Type.Optional(ingestionFields.pages_done),
      error: Type.Optional(IngestionFailure),
    },
    {
      description:
        "A document. Path and name identify it in its corpus. In lists, `pages`, `pages_done` and `error` are present in the web application only.",
    },
  ),
);
export type DocumentJson = Static<typeof Document>;

export const DocumentDetails = component(
  "DocumentDetails",
  Type.Object(
    { ...documentFields, ...ingestionFields, error: Type.Optional(IngestionFailure) },
    { description: "A document with the progress of its ingestion. `error` is present if the status is `error`." },
  ),
);
export type DocumentDetailsJson = Static<typeof DocumentDetails>;

const path = withIssues(
  documentedAs(
    Type.Unsafe<string>({}),
    Type.String({
      minLength: 1,
      maxLength: limits.documentPathMaxLength,
      description:
        "Folder of the document in the corpus: segments separated by single slashes, with no slash at either end and no segment `.` or `..`, each of " +
        `at most ${limits.documentPathSegmentMaxLength} characters. If absent, the top level.`,
      examples: ["contracts/2026"],
    }),
  ),
  documentPathIssues,
);

export const UploadDocumentRequest = component(
  "UploadDocumentRequest",
  Type.Object({ filename, file: base64File, path: Type.Optional(path) }),
);
export type UploadDocumentRequestJson = Static<typeof UploadDocumentRequest>;

export const AcceptedDocument = component(
  "AcceptedDocument",
  Type.Object({ document_reference: uuid("The new document."), status: Type.Literal("pending") }),
);
export type AcceptedDocumentJson = Static<typeof AcceptedDocument>;

export const DocumentDeletion = component(
  "DocumentDeletion",
  Type.Object({ reference: uuid("The deleted document.") }),
);
export type DocumentDeletionJson = Static<typeof DocumentDeletion>;

const uploadDocument = defineEndpoint({
  operationId: "uploadDocument",
  method: "POST",
  path: "/v2/agents/{reference}/documents",
  summary: "Upload a document",
  description:
    "Ingestion is asynchronous. It ends with the status `ready` or `error`, and the event `document.ingestion_completed` reports it. A document " +
    "whose content does not match its extension ends with `error`. Documents cannot be updated: delete the document and upload it again.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  body: UploadDocumentRequest,
  upload: { extensions: documentExtensions, maxFileBytes: limits.maxDocumentFileBytes },
  responses: { 202: { description: "The document was accepted.", body: success(AcceptedDocument) } },
  errors: [
    "quota_exceeded",
    "agent_not_found",
    "document_already_exists",
    "file_too_large",
    "invalid_agent_type",
    "unsupported_file_type",
    "infected_file",
    "antivirus_unavailable",
  ],
});

const listDocuments = defineEndpoint({
  operationId: "listDocuments",
  method: "GET",
  path: "/v2/agents/{reference}/documents",
  summary: "List the documents",
  description:
    "Lists the documents of the agent's corpus. Polling this list is the reliable way to learn the status of an ingestion.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  responses: { 200: { description: "The documents.", body: list(Document) } },
  query: pageQuery,
  errors: ["agent_not_found", "invalid_agent_type", "invalid_request"],
});

const documentParameters = Type.Object({
  ...agentParameters.properties,
  documentReference: Type.String({ description: "Reference of the document." }),
});

const pageParameters = Type.Object({
  ...documentParameters.properties,
  page: Type.String({ description: "Number of the page, starting at 1." }),
});

const getDocument = defineEndpoint({
  operationId: "getDocument",
  method: "GET",
  path: "/v2/agents/{reference}/documents/{documentReference}",
  summary: "Get a document",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: documentParameters,
  responses: { 200: { description: "The document.", body: success(DocumentDetails) } },
  errors: ["agent_not_found", "document_not_found", "invalid_agent_type"],
});

const getDocumentPageWords = defineEndpoint({
  operationId: "getDocumentPageWords",
  method: "GET",
  path: "/v2/agents/{reference}/documents/{documentReference}/pages/{page}/words",
  summary: "Get the words of a page",
  description:
    "Returns the words of one page with their boxes, in reading order, so that they can be drawn over the image of the page. The boxes of citations have the same units.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: pageParameters,
  responses: { 200: { description: "The words of the page.", body: success(PageWords) } },
  errors: ["agent_not_found", "document_not_found", "invalid_agent_type", "document_not_ready", "page_not_found"],
});

const getDocumentPageImage = defineEndpoint({
  operationId: "getDocumentPageImage",
  method: "GET",
  path: "/v2/agents/{reference}/documents/{documentReference}/pages/{page}/image",
  summary: "Get the image of a page",
  description:
    "Returns one page as WebP, rotated upright. To draw boxes of `getDocumentPageWords` on it, scale both to the same width. Pages of docx files, " +
    "and damaged pages, have no image: 404 `page_image_unavailable`.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: pageParameters,
  query: pageImageQuery,
  responses: pageImageResponses,
  errors: ["agent_not_found", "document_not_found", "invalid_agent_type", "document_not_ready", ...pageImageErrors],
});

const deleteDocument = defineEndpoint({
  operationId: "deleteDocument",
  method: "DELETE",
  path: "/v2/agents/{reference}/documents/{documentReference}",
  summary: "Delete a document",
  description: "Once the response has been sent, no answer uses or cites the document.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: documentParameters,
  responses: { 200: { description: "The document was deleted.", body: success(DocumentDeletion) } },
  errors: ["agent_not_found", "document_not_found", "invalid_agent_type"],
});

export const documentsEndpoints = {
  uploadDocument,
  listDocuments,
  getDocument,
  getDocumentPageWords,
  getDocumentPageImage,
  deleteDocument,
};
