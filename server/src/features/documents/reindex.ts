/** Makes the index of an agent anew from what was read of its documents. Nothing else may write to the index meanwhile. */
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Db } from "../../records/records.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import { passagesOf } from "../../search/passages.ts";
import { readStoredDocument } from "./document-files.ts";
import { listDocuments, updatePassages } from "./documents.repo.ts";

export interface ReindexResult {
  indexed: number;
  /** Documents of which nothing is stored that could be indexed, with the reason. */
  failed: { document: string; message: string }[];
}

export async function reindexAgent(
  { db, files, index }: { db: Db; files: StoredFiles; index: PassageIndex },
  { organizationId, agent }: { organizationId: string; agent: string },
): Promise<ReindexResult> {
  const rows = (await listDocuments(db, organizationId, agent)).filter(({ status }) => status === "ready");
  await index.removeAgent(agent);
  const result: ReindexResult = { indexed: 0, failed: [] };
  for (const { id: document, name, path } of rows) {
    const of = { organizationId, agent, document };
    try {
      const passages = passagesOf(await readStoredDocument(files, of), { name, path });
      await index.put(agent, { reference: document, name, path }, passages);
      await updatePassages(db, of, passages.length);
      result.indexed++;
    } catch (error) {
      result.failed.push({ document, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
}
