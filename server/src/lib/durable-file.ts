/** Small files that survive a power cut: each is synced before it gets its name, and its folder after that. */
import { randomUUID } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "./sync-path.ts";

/**
 * Makes a file that is not there yet, mode 0600. Never replaces a file: if another process was first, its content stays.
 * Returns whether this call made it.
 */
export async function makeDurableFile(path: string, content: string): Promise<boolean> {
  // Processes on several machines may write at once, with the same process id.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await using file = await open(temporary, "wx", 0o600);
    await file.writeFile(content);
    await file.sync();
    // link, unlike rename, fails if the name is taken.
    await link(temporary, path);
    await syncPath(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
