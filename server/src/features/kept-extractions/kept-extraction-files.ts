/**
 * The stored files of kept extractions: the uploaded file, and the Document read from it. They have
 * the same format as the files of a corpus. Each agent has a folder for the files of its
 * extractions, which is removed with the agent.
 */
import type { Handler } from "../../jobs/runner.ts";
import type { Db } from "../../records/records.ts";
import { type DocumentKey, documentKey, originalKey } from "../documents/documents.service.ts";
import { type KeptFilesDeps, removeFiles } from "../kept-files/kept-files.service.ts";
import { type KeptExtractionRow, listIds } from "./kept-extractions.repo.ts";

const folderName = "extractions";

/**
 * Returns the folder for the extractions of an agent. All extractions without an agent share one
 * folder.
 */
const folderOf = (agentId: string | null): string => (agentId === null ? folderName : `${folderName}.${agentId}`);

export const keptPrefix = (organizationId: string, agentId: string): string => `${organizationId}/${folderOf(agentId)}`;

/**
 * Returns the place of the files as a DocumentKey, so that functions for stored Documents accept
 * it.
 */
export const placeOf = (row: Pick<KeptExtractionRow, "id" | "organization_id" | "agent_id">): DocumentKey => ({
  organizationId: row.organization_id,
  agent: folderOf(row.agent_id),
  document: row.id,
});

/** Returns the keys of the files that a kept extraction needs. */
export const filesOfKept = (row: Parameters<typeof placeOf>[0]): string[] => {
  const place = placeOf(row);
  return [originalKey(place), documentKey(place)];
};

const keptKey = /^([^/]+)\/extractions(?:\.([^/]+))?\/([^/.]+)\.(?:original|document)$/;

export const isKeptFile = (key: string): boolean => keptKey.test(key);

/** The job that removes the files of a deleted extraction. */
export const cleanKeptJob = ({ files }: Pick<KeptFilesDeps, "files">): Handler<"extraction.clean"> => ({
  concurrency: 2,
  run: async ({ organizationId, payload: { folder, extraction } }) => {
    await removeFiles({ files }, { organizationId, agent: folder, document: extraction });
    return undefined;
  },
});

/**
 * Returns the keys of files of kept extractions that no longer exist in the database. Ignores the
 * keys of all other files.
 */
export async function findStrays(db: Db, keys: readonly string[]): Promise<string[]> {
  const named = keys.flatMap((key) => {
    const [, organizationId, agentId = null, id] = keptKey.exec(key) ?? [];
    return organizationId && id ? [{ key, id, owner: ownerOf(organizationId, agentId) }] : [];
  });
  const rows = await listIds(
    db,
    named.map(({ id }) => id),
  );
  const owners = new Map(rows.map((row) => [row.id, ownerOf(row.organization_id, row.agent_id)]));
  return named.filter(({ id, owner }) => owners.get(id) !== owner).map(({ key }) => key);
}

const ownerOf = (organizationId: string, agentId: string | null): string => `${organizationId}/${folderOf(agentId)}`;
