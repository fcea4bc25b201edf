/** The stored files of a document: the uploaded original, and the Document read from it. */
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Document, Page } from "../../reading/document.ts";
import type { DocumentKey, DocumentRow } from "./documents.repo.ts";
import { readDocumentAt, readPagesAt } from "./stored-document.ts";

const originalEnding = ".original";
const documentEnding = ".document";

export const corpusPrefix = (organizationId: string, agent: string): string => `${organizationId}/${agent}`;

export const originalKey = (of: DocumentKey): string =>
  `${corpusPrefix(of.organizationId, of.agent)}/${of.document}${originalEnding}`;

export const documentKey = (of: DocumentKey): string =>
  `${corpusPrefix(of.organizationId, of.agent)}/${of.document}${documentEnding}`;

/** Returns the keys of the files that a document needs in its current status. */
export const filesOfDocument = (row: Pick<DocumentRow, "id" | "organization_id" | "agent_id" | "status">): string[] => {
  const of = { organizationId: row.organization_id, agent: row.agent_id, document: row.id };
  return row.status === "ready" ? [originalKey(of), documentKey(of)] : [originalKey(of)];
};

/**
 * Returns the document that a stored file belongs to; undefined for other files. Documents are
 * recognized by their folder: its name is the id of the agent.
 */
export function ownerOf(key: string): (DocumentKey & { kind: "original" | "document" }) | undefined {
  const [, organizationId, agent, document, kind] =
    /^([^/]+)\/([^/]{36})\/([^/.]+)\.(original|document)$/.exec(key) ?? [];
  if (!organizationId || !agent || !document) return undefined;
  return { organizationId, agent, document, kind: kind === "original" ? "original" : "document" };
}

/** @throws Error if the stored Document is missing or incomplete */
export const readStoredDocument = (files: StoredFiles, of: DocumentKey): Promise<Document> =>
  readDocumentAt(files, documentKey(of));

/**
 * Returns the given pages, without reading the others. Leaves out pages that do not exist.
 * @throws Error if there is no such Document
 */
export const readStoredPages = (
  files: StoredFiles,
  of: DocumentKey,
  numbers: ReadonlySet<number>,
): Promise<Map<number, Page>> => readPagesAt(files, documentKey(of), numbers);
