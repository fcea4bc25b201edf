/** Changes of state, recorded by the features that make them. */
import type { Db } from "../../records/records.ts";
import { deleteChanges } from "./state-changes.repo.ts";

export { recordStateChange } from "./state-changes.repo.ts";

/** How long changes are kept, in milliseconds. Far longer than any process takes to read them. */
const keptMs = 10 * 60_000;

/** Deletes changes that every process has read. */
export const deleteOldStateChanges = (db: Db): Promise<void> =>
  deleteChanges(db, new Date(Date.now() - keptMs).toISOString());
