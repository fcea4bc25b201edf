/**
 * Locks between processes. The operating system releases them when their holder exits, however it
 * exits.
 */
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/** Result code of SQLite if another connection holds the lock. */
const sqliteBusy = 5;

const statements = {
  exclusive: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
  // A read transaction holds its shared lock until it ends.
  shared: "BEGIN; SELECT count(*) FROM sqlite_schema",
};

/**
 * Locks the file at `path`, or returns undefined if another process holds it. Uses SQLite's own
 * lock on an empty database: unlike a file with a process id, it is released by the operating
 * system when the process exits. A shared lock may have any number of holders.
 */
export function tryLock(path: string, mode: keyof typeof statements = "exclusive"): FileLock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec(statements[mode]);
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
