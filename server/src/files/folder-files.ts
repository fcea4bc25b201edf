/** Stored files in a folder on a local disk, or on a mount that several machines share. */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, lstat, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncPath } from "../lib/sync-path.ts";
import { identityOf, keySegments, type StoredFile, type StoredFiles, type TrashedFile } from "./stored-files.ts";

/** Suffix of an incomplete copy. No key ends with it. */
const partEnding = "~";
/**
 * If a partial copy has not been written to for this time, in milliseconds, it is treated as left
 * over from a crash.
 */
const partAgeMs = 3_600_000;
/**
 * Name of the trash folder, which is on the same file system as the stored files. No key begins
 * with a dot.
 */
const trashName = ".trash";
/** Size of the probe file, in bytes. Large enough that writing the file fails on a full disk. */
const probeBytes = 64 * 1024;

/** Opens the stored files in a folder. Creates the folder if it is missing. */
export async function openFolderFiles(folder: string): Promise<StoredFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new FolderFiles(folder);
}

class FolderFiles implements StoredFiles {
  readonly #folder: string;
  /** Folders whose own directory entries are known to be on disk (fsync). */
  readonly #synced = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, path: string): Promise<void> {
    const target = this.#path(key);
    await syncPath(path);
    await this.#makeFolder(dirname(target));
    try {
      await linkOver(path, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") throw error;
      // A hard link fails across file systems, and on file systems that do not support hard links.
      await copyOver(path, target);
    }
    await syncPath(dirname(target));
  }

  async check(): Promise<void> {
    const probe = join(this.#folder, `${randomUUID()}${partEnding}`);
    try {
      await writeFile(probe, Buffer.alloc(probeBytes), { flag: "wx", mode: 0o600 });
    } finally {
      await rm(probe, { force: true });
    }
  }

  open(key: string, range?: { start: number; end: number }) {
    return createReadStream(this.#path(key), range && { start: range.start, end: range.end - 1 });
  }

  async local(key: string) {
    return { path: this.#path(key), [Symbol.asyncDispose]: async () => {} };
  }

  async size(key: string): Promise<number | undefined> {
    return (await stat(this.#path(key)).catch(absent))?.size;
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async removeAll(prefix: string): Promise<void> {
    const path = this.#path(prefix);
    for (const folder of this.#synced) if (`${folder}/`.startsWith(`${path}/`)) this.#synced.delete(folder);
    // Retries, because an ingestion may store a file during the removal.
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }

  async *list(prefix?: string): AsyncGenerator<StoredFile> {
    const segments = prefix === undefined ? [] : keySegments(prefix);
    for await (const { name, path } of filesBelow(join(this.#folder, ...segments))) {
      const found = await lstat(path).catch(absent);
      // A symbolic link is never a stored file.
      if (!found?.isFile()) continue;
      if (name.endsWith(partEnding)) {
        if (Date.now() - found.mtimeMs > partAgeMs) await rm(path, { force: true });
        continue;
      }
      // A hard link keeps the modification time of the file. Creating the link updates the change
      // time, which is used here.
      yield { key: [...segments, name].join("/"), storedMs: found.ctimeMs, identity: identityOf(found) };
    }
  }

  readonly trash = {
    put: async (key: string, batch: string): Promise<void> => {
      await this.#move(this.#path(key), this.#trashPath({ key, batch }));
    },

    putBack: async (file: TrashedFile): Promise<boolean> => {
      if ((await this.size(file.key)) !== undefined) return false;
      return this.#move(this.#trashPath(file), this.#path(file.key));
    },

    list: (): AsyncGenerator<TrashedFile> => this.#listTrash(),

    empty: async (before: string): Promise<void> => {
      const batches = (await readdir(join(this.#folder, trashName)).catch(absent)) ?? [];
      for (const batch of batches.filter((name) => name < before))
        await rm(join(this.#folder, trashName, batch), { recursive: true, force: true });
    },
  };

  async *#listTrash(): AsyncGenerator<TrashedFile> {
    for await (const { name } of filesBelow(join(this.#folder, trashName))) {
      const [batch = "", ...segments] = name.split("/");
      if (segments.length > 0) yield { key: segments.join("/"), batch };
    }
  }

  #trashPath({ key, batch }: TrashedFile): string {
    return join(this.#folder, trashName, ...keySegments(batch), ...keySegments(key));
  }

  /** Moves a file. Returns false if there is nothing to move. */
  async #move(from: string, to: string): Promise<boolean> {
    await this.#makeFolder(dirname(to));
    try {
      await rename(from, to);
    } catch (error) {
      return absent(error as NodeJS.ErrnoException) ?? false;
    }
    await syncPath(dirname(to));
    await syncPath(dirname(from));
    return true;
  }

  #path(key: string): string {
    return join(this.#folder, ...keySegments(key));
  }

  /**
   * Creates a folder and flushes its directory entry to disk (fsync). Does so even if the folder
   * exists, because another call may have just created it without flushing it yet.
   */
  async #makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (this.#synced.has(folder)) return;
    for (let at = dirname(folder); at.length >= this.#folder.length; at = dirname(at)) await syncPath(at);
    this.#synced.add(folder);
  }
}

/**
 * Yields the files below a folder with their relative paths. Leaves out names that begin with a
 * dot, which are not stored files.
 */
async function* filesBelow(folder: string, prefix = ""): AsyncGenerator<{ name: string; path: string }> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const [name, path] = [prefix + entry.name, join(folder, entry.name)];
    if (entry.isDirectory()) yield* filesBelow(path, `${name}/`);
    else yield { name, path };
  }
}

async function linkOver(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await rm(target, { force: true });
    await link(path, target);
  }
}

async function copyOver(path: string, target: string): Promise<void> {
  const part = `${target}.${randomUUID()}${partEnding}`;
  try {
    await copyFile(path, part);
    await syncPath(part);
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
