/** Changes of state, recorded by the features that make them. */
import type { Db } from "../../records/records.ts";
import { deleteChanges } from "./state-changes.repo.ts";

export { recordStateChange, recordStateChanges } from "./state-changes.repo.ts";

/**
 * Maximum number of changes that wait for one stream. If there are more, the client must fetch all
 * states again. It is therefore pointless to record more changes than this at once.
 */
export const maxWaitingChanges = 1_000;

/** How long changes are kept, in milliseconds. Far longer than any process takes to read them. */
const keptMs = 10 * 60_000;

/** Deletes changes that every process has read. */
export const deleteOldStateChanges = (db: Db): Promise<void> =>
  deleteChanges(db, new Date(Date.now() - keptMs).toISOString());
