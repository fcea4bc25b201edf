/** Stored files in a folder on a local disk or a mount that several machines share. */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncPath } from "../lib/sync-path.ts";
import { keySegments, type StoredFile, type StoredFiles } from "./stored-files.ts";

/** What a copy is called until it is whole. No key ends so. */
const partEnding = "~";
/** A copy that nobody has written to for so long was left by a crash. */
const partAgeMs = 3_600_000;
/** More than fits where a disk is full. */
const probeBytes = 64 * 1024;

/** Makes the folder where it is missing. */
export async function openFolderFiles(folder: string): Promise<StoredFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new FolderFiles(folder);
}

class FolderFiles implements StoredFiles {
  readonly #folder: string;
  /** The folders whose names are known to be on the disk. */
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
      // Another file system, or one without links.
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

  open(key: string) {
    return createReadStream(this.#path(key));
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
    await rm(path, { recursive: true, force: true });
  }

  async *list(prefix?: string): AsyncGenerator<StoredFile> {
    yield* this.#list(prefix === undefined ? [] : keySegments(prefix));
  }

  async *#list(segments: string[]): AsyncGenerator<StoredFile> {
    const folder = join(this.#folder, ...segments);
    const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
    for (const entry of entries) {
      if (entry.isDirectory()) yield* this.#list([...segments, entry.name]);
      else {
        const path = join(folder, entry.name);
        const found = await stat(path).catch(absent);
        if (found === undefined) continue;
        // A link keeps the time at which its content was written.
        if (!entry.name.endsWith(partEnding))
          yield { key: [...segments, entry.name].join("/"), storedMs: found.ctimeMs };
        else if (Date.now() - found.mtimeMs > partAgeMs) await rm(path, { force: true });
      }
    }
  }

  #path(key: string): string {
    return join(this.#folder, ...keySegments(key));
  }

  /** Another call may have made the folder a moment ago without having seen to its name yet, so this doesn't go by what was missing. */
  async #makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (this.#synced.has(folder)) return;
    for (let at = dirname(folder); at.length >= this.#folder.length; at = dirname(at)) await syncPath(at);
    this.#synced.add(folder);
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
