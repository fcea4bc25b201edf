/**
 * The stored files of kept extractions: the uploaded file, and the Document read from it, as a
 * corpus stores them. Those of an agent have a folder of their own, which is removed with the agent.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { TemporaryFiles } from "../../files/temporary-files.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import { type DocumentKey, DocumentWriter, documentKey, originalKey } from "../documents/documents.service.ts";
import { type KeptExtractionRow, listIds } from "./kept-extractions.repo.ts";

export interface KeptFilesDeps {
  files: StoredFiles;
  temporaryFiles: TemporaryFiles;
}

const folderName = "extractions";

/** Returns the folder of an agent's extractions, or of those without an agent. */
const folderOf = (agentId: string | null): string => (agentId === null ? folderName : `${folderName}.${agentId}`);

export const keptPrefix = (organizationId: string, agentId: string): string => `${organizationId}/${folderOf(agentId)}`;

/** Returns the place of the files, for the functions that read stored Documents. */
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

/**
 * Stores both files. They are on disk when this resolves. The result holds the temporary file of
 * the Document: dispose of it when the row is inserted. Until then a crash leaves it, and the next
 * start knows by it that the stored file is abandoned.
 */
export async function storeFiles(
  { files, temporaryFiles }: KeptFilesDeps,
  place: DocumentKey,
  { path, document }: { path: string; document: Document },
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const file = stack.use(await temporaryFiles.create());
  const writer = new DocumentWriter(file);
  const { pages, ...rest } = document;
  for (const page of pages) await writer.page(page);
  await writer.end(rest);
  await files.put(documentKey(place), file.path);
  await files.put(originalKey(place), path);
  return stack.move();
}

export async function removeFiles({ files }: Pick<KeptFilesDeps, "files">, place: DocumentKey): Promise<void> {
  await files.remove(documentKey(place));
  await files.remove(originalKey(place));
}

/** Returns size and SHA-256 of a file on a local disk. */
export async function digestOf(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { size, sha256: hash.digest("hex") };
}

/** The job that removes the files of a deleted extraction. */
export const cleanKeptJob = ({ files }: Pick<KeptFilesDeps, "files">): Handler<"extraction.clean"> => ({
  concurrency: 2,
  run: async ({ organizationId, payload: { folder, extraction } }) => {
    await removeFiles({ files }, { organizationId, agent: folder, document: extraction });
    return undefined;
  },
});

/** Returns the keys that belong to no kept extraction. Ignores keys of other files. */
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
