/** Locks between processes that the operating system releases when their holder ends, however that happens. */
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/** Result code of SQLite when another connection holds the lock. */
const sqliteBusy = 5;

const statements = {
  exclusive: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
  // A read transaction holds its shared lock until it ends.
  shared: "BEGIN; SELECT count(*) FROM sqlite_schema",
};

/**
 * Takes the lock file at `path`, or returns undefined if another process holds it. The lock is SQLite's own on an empty database: the operating system
 * drops it with the process, unlike a file that holds a process id. Any number of holders may share a lock.
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
