/**
 * Locks between processes. The operating system releases a lock when its holder exits, even by a
 * crash.
 */
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/** SQLite's result code if another connection holds the lock. */
const sqliteBusy = 5;

const statements = {
  exclusive: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
  // A read transaction holds a shared lock until it ends.
  shared: "BEGIN; SELECT count(*) FROM sqlite_schema",
};

/**
 * Locks the file at `path`. Returns undefined if another process holds the lock. Uses SQLite's lock
 * on an empty database, because the operating system releases this lock when the process exits. A
 * lock file that contains a process id would be left behind by a crash. A shared lock may have any
 * number of holders.
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
