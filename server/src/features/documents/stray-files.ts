/**
 * Finds stray files of documents, which are stored files without a database row. They remain if an
 * upload is interrupted after its file was stored and before its row was inserted.
 */
import type { Db } from "../../records/records.ts";
import { lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { ownerOf } from "./document-files.ts";
import { findOwners } from "./documents.repo.ts";

/** Returns those keys whose document does not exist. Ignores keys of files other than documents. */
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
 * Calls `take` on a file if it is still a stray, and returns whether it was. This is safe during an
 * upload of the same file: under the same lock on the agent, the upload checks that its file still
 * exists, and stores it again if not.
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
