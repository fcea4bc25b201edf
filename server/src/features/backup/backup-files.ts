/**
 * Reads the files of an untrusted backup. Accepts only regular files and folders inside the backup
 * folder, up to a maximum size. Rejects links, because a link could name any file of the machine.
 * Rejects pipes, because reading a pipe could take forever.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

/**
 * Opens a file at a path below `root`.
 * @throws Error unless it is a regular file of at most `maxBytes`
 */
export async function openInside(root: string, path: string, maxBytes: number): Promise<FileHandle> {
  const full = join(await realpath(root), path);
  // The type is checked before the file is opened, because opening some devices has side effects.
  if (!(await lstat(full)).isFile()) throw irregular(path);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? irregular(path) : error;
  });
  try {
    const found = await handle.stat();
    // The open file is checked again, because a parent folder may have been replaced by a link
    // after the files were listed.
    if (!found.isFile() || (await readlink(`/proc/self/fd/${handle.fd}`)) !== full) throw irregular(path);
    if (found.size > maxBytes) throw new Error(`${path} is too large: ${found.size} bytes.`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Reads a whole file.
 * @throws Error as `openInside` does
 */
export async function readInside(root: string, path: string, maxBytes: number): Promise<Buffer> {
  await using handle = await openInside(root, path, maxBytes);
  return await handle.readFile();
}

export interface ListedFile {
  /** Path relative to the listed folder. */
  path: string;
  bytes: number;
}

/**
 * Lists all files below a folder. Returns none if the folder does not exist.
 * @throws Error for an entry that is neither a regular file nor a folder
 */
export async function* filesInside(root: string, folder = ""): AsyncGenerator<ListedFile> {
  const names = await readdir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && folder === "") return [];
    throw error;
  });
  for (const name of names) {
    const path = join(folder, name);
    const found = await lstat(join(root, path));
    if (found.isDirectory()) yield* filesInside(root, path);
    else if (found.isFile()) yield { path, bytes: found.size };
    else throw irregular(path);
  }
}

const irregular = (path: string): Error => new Error(`${path} of the backup is neither a regular file nor a folder.`);
