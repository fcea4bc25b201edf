/** Threads: the server-side history of what was asked and answered. */
import { now } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import * as threads from "./threads.repo.ts";

/** Makes a thread of an agent (null: of the global extractor) with its first messages; answers its id. */
export async function startThread(
  db: Db,
  owner: { organizationId: string; agentId: string | null },
  messages: threads.NewMessage[],
): Promise<string> {
  const id = newId();
  await threads.insertThread(db, { id, ...owner, now: now() }, messages);
  return id;
}

/** Archives every thread of an agent. */
export const archiveThreads = (db: Db, organizationId: string, agentId: string): Promise<void> =>
  threads.archiveThreads(db, organizationId, agentId, now());
