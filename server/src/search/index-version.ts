/** Which layout the tables of an index folder have: one that another version of the program made can't be read. */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileLock, tryLock } from "../lib/file-lock.ts";
import { syncPath } from "../lib/sync-path.ts";

/** To be raised with every change of the columns or of the analysis of text. */
const version = "3";
const fileName = "version";
/** Held, shared, by every process that has the folder open. */
const lockName = "in-use.lock";
/** Every name that this program gives in an index folder. */
const isOwn = (name: string): boolean =>
  /^(?:agent|vectors|building)-.+\.lance$|\.lock(?:-journal)?$|^embedding-models\.json|^version/.test(name);

/** Searches of other processes have so long on the files that they began with. */
export const versionsKeptMs = 30_000;

/**
 * Makes the folder if it is missing, or if it is of another version and `anew` allows to lose its tables. Returns a lock that says that the
 * folder is in use.
 * @throws Error if it is of another version and must not be lost, or is in use.
 */
export async function claimFolder(folder: string, anew: boolean): Promise<FileLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncPath(dirname(folder));
  const found = await foundVersion(folder);
  const entries = (await readdir(folder)).filter((name) => name !== fileName && !name.startsWith(lockName));
  if (found !== version && entries.length > 0) {
    // The file is written before any table, and only older programs left it unsynced: an empty one was lost with the power.
    const isLost = found === "" && entries.every(isOwn);
    if (!isLost && !anew)
      throw new Error("The search index was made by another version of Sheaf: make it anew with `sheaf reindex`.");
    if (!isLost) await empty(folder, entries);
  }
  if (found !== version) await writeSynced(join(folder, fileName), version);
  const lock = tryLock(join(folder, lockName), "shared");
  if (!lock) throw new Error("Another process is making the search index anew.");
  return lock;
}

/** Empty if the file is missing. */
async function foundVersion(folder: string): Promise<string> {
  return readFile(join(folder, fileName), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

async function empty(folder: string, entries: readonly string[]): Promise<void> {
  const lock = tryLock(join(folder, lockName));
  if (!lock) throw new Error("Another process is using the search index of another version: stop it first.");
  try {
    for (const name of entries) await rm(join(folder, name), { recursive: true });
  } finally {
    lock.release();
  }
}

/** Replaces a file: whatever happens, it holds the text of before or the new one. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  {
    await using file = await open(part, "w", 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(part, path);
  await syncPath(dirname(path));
}
