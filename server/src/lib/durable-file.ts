/**
 * Small files that survive a power failure. Each file is written under a temporary name and flushed
 * to disk (fsync). Then it gets its final name, and its folder is flushed.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "./sync-path.ts";

/**
 * Creates a file with mode 0600. Never replaces a file: if the file already exists, it stays
 * unchanged. Returns whether this call created the file.
 */
export async function makeDurableFile(path: string, content: string): Promise<boolean> {
  return writeBeside(path, content, async (temporary) => {
    try {
      // Unlike `rename`, `link` fails if the name already exists.
      await link(temporary, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  });
}

/**
 * Creates or replaces a file with mode 0600. After a crash the file has either its old content or
 * the whole new content.
 */
export const replaceDurableFile = (path: string, content: string): Promise<void> =>
  writeBeside(path, content, (temporary) => rename(temporary, path));

/**
 * Creates a folder and its missing parents with mode 0700, and flushes the directory entry of each
 * created folder to disk (fsync).
 */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncPath(dirname(at));
}

async function writeBeside<T>(path: string, content: string, place: (temporary: string) => Promise<T>): Promise<T> {
  // The name contains a random part instead of the process id, because processes on different
  // machines may have the same id.
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
