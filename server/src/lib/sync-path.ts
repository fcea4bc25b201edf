/** Flushes files and folders from the page cache to the disk. */
import { open } from "node:fs/promises";

/** Flushes a file, or the entries of a directory, to disk (fsync). */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
