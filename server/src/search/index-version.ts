/**
 * Records the layout version of an index folder. Tables with a different layout version cannot be
 * read.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileLock, tryLock } from "../lib/file-lock.ts";
import { syncPath } from "../lib/sync-path.ts";

/** Layout version. It must be raised with every change of the columns or of the text analysis. */
const version = "3";
const fileName = "version";
/** Shared lock. Every process holds it while it uses the folder. */
const lockName = "in-use.lock";
/** Returns true if Sheaf itself creates files with this name in an index folder. */
const isOwn = (name: string): boolean =>
  /^(?:agent|vectors|building)-.+\.lance$|\.lock(?:-journal)?$|\.purge$|^embedding-models\.json|^version/.test(name);

/**
 * Time for which earlier versions of files are kept, in milliseconds. Searches of other processes
 * may be reading them. Chosen by hand, 2026-11.
 */
export const versionsKeptMs = 30_000;

/**
 * Creates the folder if it is missing. If the folder has a different layout version and `anew` is
 * set, empties it. Returns a lock that marks the folder as in use.
 * @throws Error if the folder has a different layout version and must not be emptied, if it must be
 * emptied while another process is using it, or if another process is rebuilding it.
 */
export async function claimFolder(folder: string, anew: boolean): Promise<FileLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncPath(dirname(folder));
  const found = await foundVersion(folder);
  const entries = (await readdir(folder)).filter((name) => name !== fileName && !name.startsWith(lockName));
  if (found !== version && entries.length > 0) {
    // The version file is written before any table. So if there are tables and the version file is
    // empty, it lost its content in a power cut. Only old versions of Sheaf, which did not sync the
    // file, can leave it empty.
    const isLost = found === "" && entries.every(isOwn);
    if (!isLost && !anew)
      throw new Error("The search index was created by another version of Sheaf: rebuild it with `sheaf reindex`.");
    if (!isLost) await empty(folder, entries);
  }
  if (found !== version) await writeSynced(join(folder, fileName), version);
  const lock = tryLock(join(folder, lockName), "shared");
  if (!lock) throw new Error("Another process is rebuilding the search index.");
  return lock;
}

/** Returns the layout version of the folder, or "" if the version file is missing. */
async function foundVersion(folder: string): Promise<string> {
  return readFile(join(folder, fileName), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

async function empty(folder: string, entries: readonly string[]): Promise<void> {
  const lock = tryLock(join(folder, lockName));
  if (!lock)
    throw new Error(
      "A process is still using the search index, which a different version of Sheaf created. Stop that process first.",
    );
  try {
    for (const name of entries) await rm(join(folder, name), { recursive: true });
  } finally {
    lock.release();
  }
}

/** Replaces a file atomically. After a crash, it contains either the old text or the new text. */
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
