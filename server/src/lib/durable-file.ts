/** Small files that survive a power cut: each is synced before it gets its name, and its folder after that. */
import { randomUUID } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "./sync-path.ts";

/**
 * Makes a file that is not there yet, mode 0600. Never replaces a file: if another process was first, its content stays.
 * Returns whether this call made it.
 */
export async function makeDurableFile(path: string, content: string): Promise<boolean> {
  return writeBeside(path, content, async (temporary) => {
    try {
      // link, unlike rename, fails if the name is taken.
      await link(temporary, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  });
}

/** Makes a file, mode 0600, or replaces it: after a crash it has either its old content or all of the new one. */
export const replaceDurableFile = (path: string, content: string): Promise<void> =>
  writeBeside(path, content, (temporary) => rename(temporary, path));

/** Makes a folder and those that it is in, mode 0700, and syncs the names of all that were missing. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncPath(dirname(at));
}

async function writeBeside<T>(path: string, content: string, place: (temporary: string) => Promise<T>): Promise<T> {
  // Processes on several machines may write at once, with the same process id.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await using file = await open(temporary, "wx", 0o600);
    await file.writeFile(content);
    await file.sync();
    const placed = await place(temporary);
    await syncPath(dirname(path));
    return placed;
  } finally {
    await rm(temporary, { force: true });
  }
}
