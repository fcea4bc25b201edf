/** Brings files and folders from the memory of the operating system to the disk. */
import { open } from "node:fs/promises";

/** Of a folder, the names in it. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
