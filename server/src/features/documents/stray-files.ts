/**
 * Finds stray files of documents: stored files whose document has no row in the database. A stray
 * file remains if an upload is interrupted between storing its file and inserting its row.
 */
import type { Db } from "../../records/records.ts";
import { lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { ownerOf } from "./document-files.ts";
import { findOwners } from "./documents.repo.ts";

/**
 * Returns those of the keys whose document does not exist. Ignores keys of files that do not belong
 * to documents.
 */
export async function findStrays(db: Db, keys: readonly string[]): Promise<string[]> {
  const named = keys.flatMap((key) => {
    const owner = ownerOf(key);
    return owner ? [{ key, ...owner }] : [];
  });
  const owners = await findOwners(
    db,
    named.map(({ document }) => document),
  );
  return named
    .filter(({ organizationId, agent, document }) => owners.get(document) !== `${organizationId}/${agent}`)
    .map(({ key }) => key);
}

/**
 * Calls `take` on a file if it is still a stray, and returns whether it was. This is safe while the
 * same file is being uploaded, because this function and the upload both lock the agent. While it
 * holds the lock, the upload checks that its file still exists, and stores the file again if it
 * does not.
 */
export function takeStray(db: Db, key: string, take: (key: string) => Promise<void>): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const owner = ownerOf(key);
    if (owner) await lockAgentOfAny(transaction, owner.agent);
    const [stray] = await findStrays(transaction, [key]);
    if (stray !== undefined) await take(stray);
    return stray !== undefined;
  });
}
