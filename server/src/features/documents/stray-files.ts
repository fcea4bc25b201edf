/** Stored files of documents that no row knows: what an upload leaves that was cut short between its file and its row. */
import type { Db } from "../../records/records.ts";
import { lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { ownerOf } from "./document-files.ts";
import { findOwners } from "./documents.repo.ts";

/** Returns the keys that name a document which is not there. Keys that name no document are left out. */
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
 * Takes a file away with `take` if it is still a stray, and returns whether it was. An upload under way loses nothing: it checks for its
 * file under the same lock on the agent, and stores it again.
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
