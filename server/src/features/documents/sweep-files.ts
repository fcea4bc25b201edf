/** Removes stored files that no row knows: what an upload leaves that was cut short between its file and its row. */
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Db } from "../../records/records.ts";
import { lockAgentOfAny } from "../agents/agents.service.ts";
import { ownerOf } from "./document-files.ts";
import { findExisting } from "./documents.repo.ts";

/** Files that are looked at together. */
const batchSize = 500;

/**
 * Sweeps the files that were stored at least `minAgeMs` ago; answers how many were removed. An upload under way loses nothing: it
 * checks for its file under the same lock on the agent, and stores it again.
 */
export async function sweepFiles(deps: { db: Db; files: StoredFiles }, minAgeMs: number): Promise<number> {
  let removed = 0;
  for await (const batch of batchesOf(deps.files, Date.now() - minAgeMs)) removed += await sweepBatch(deps, batch);
  return removed;
}

interface Batch {
  organizationId: string;
  agent: string;
  /** Keys by the document that they name. */
  keys: Map<string, string[]>;
}

/** The files of one agent at a time, as a listing gives them. Keys that are none of a document's are left alone. */
async function* batchesOf(files: StoredFiles, storedBefore: number): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  for await (const { key, storedMs } of files.list()) {
    const owner = ownerOf(key);
    if (owner === undefined || storedMs > storedBefore) continue;
    const { organizationId, agent, document } = owner;
    if (batch && (batch.agent !== agent || batch.organizationId !== organizationId || batch.keys.size >= batchSize)) {
      yield batch;
      batch = undefined;
    }
    batch ??= { organizationId, agent, keys: new Map() };
    batch.keys.set(document, [...(batch.keys.get(document) ?? []), key]);
  }
  if (batch) yield batch;
}

async function sweepBatch({ db, files }: { db: Db; files: StoredFiles }, batch: Batch): Promise<number> {
  const stray = async (on: Db) => {
    const existing = await findExisting(on, batch.organizationId, batch.agent, [...batch.keys.keys()]);
    return [...batch.keys].filter(([document]) => !existing.has(document)).flatMap(([, keys]) => keys);
  };
  if ((await stray(db)).length === 0) return 0;
  return db.transaction().execute(async (transaction) => {
    await lockAgentOfAny(transaction, batch.agent);
    const keys = await stray(transaction);
    for (const key of keys) await files.remove(key);
    return keys.length;
  });
}
