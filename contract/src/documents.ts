/** Documents: the corpus of a documentalist agent. */
import type { Static } from "typebox";
import { agentParameters } from "./agents.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { documentPathIssues } from "./filename.ts";
import { count, timestamp, uuid } from "./formats.ts";
import { documentExtensions, limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component, documentedAs, withIssues } from "./schema.ts";
import Type from "./type.ts";
import { base64File, filename } from "./upload.ts";

/** `pending` until ingestion ends; then `ready` or `error`, which are final. */
export const documentStatuses = ["pending", "ready", "error"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const Document = component(
  "Document",
  Type.Object(
    {
      reference: uuid("Id of the document."),
      name: Type.String({ description: "File name with extension.", examples: ["terms-2026.pdf"] }),
      path: Type.String({
        description: "Path of the document in the corpus; empty at the top.",
        examples: ["contracts/2026"],
      }),
      status: choice(documentStatuses, {
        description: "`pending` until ingestion ends. `error` is final: delete the document and upload it again.",
      }),
      size: count("Size of the file in bytes.", 482_113),
      mime: Type.String({ description: "Media type.", examples: ["application/pdf"] }),
      created_at: timestamp("When the document was uploaded."),
      updated_at: timestamp("When the document last changed."),
    },
    { description: "A document, identified in its corpus by path and name." },
  ),
);
export type DocumentJson = Static<typeof Document>;

const path = withIssues(
  documentedAs(
    Type.Unsafe<string>({}),
    Type.String({
      minLength: 1,
      maxLength: limits.documentPathMaxLength,
      description:
        "Path of the document in the corpus: segments separated by single slashes, none at either end, no `.` or `..`, each of " +
        `at most ${limits.documentPathSegmentMaxLength} characters. Absent: the top.`,
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
    "Ingestion is asynchronous and ends in status `ready` or `error`, reported by the event `document.ingestion_completed`. A document " +
    "whose content does not match its extension ends in `error`. Documents cannot be updated: delete the document and upload it again.",
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
    "Lists the documents of the agent's corpus. Polling it is the reliable way to learn the status of an ingestion.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  responses: { 200: { description: "The documents.", body: list(Document) } },
  query: pageQuery,
  errors: ["agent_not_found", "invalid_agent_type", "invalid_request"],
});

const deleteDocument = defineEndpoint({
  operationId: "deleteDocument",
  method: "DELETE",
  path: "/v2/agents/{reference}/documents/{documentReference}",
  summary: "Delete a document",
  description: "Once the response is sent, no question finds or cites the document again.",
  tag: "Documents",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    ...agentParameters.properties,
    documentReference: Type.String({ description: "Reference of the document." }),
  }),
  responses: { 200: { description: "The document was deleted.", body: success(DocumentDeletion) } },
  errors: ["agent_not_found", "document_not_found", "invalid_agent_type"],
});

export const documentsEndpoints = { uploadDocument, listDocuments, deleteDocument };
