/** Flushes files and folders from the page cache to the disk. */
import { open } from "node:fs/promises";

/** Syncs a file, or the names in a folder. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
