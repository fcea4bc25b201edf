/**
 * Temporary files of requests. They are written as the bytes arrive, and removed when the request
 * is done or, after a crash, at the next start.
 */
import { randomUUID } from "node:crypto";
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { identityOf } from "./stored-files.ts";

/**
 * Number of bytes collected for one write to disk. There are two such blocks: one is filled while
 * the other is written.
 */
const blockBytes = 256 * 1024;

const namePattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[a-z0-9]{1,16})?$/;

export interface TemporaryFiles {
  /**
   * Opens a new empty file, mode 0600, with a random name. The extension consists of lower-case
   * letters and digits, without a dot.
   */
  create(extension?: string): Promise<TemporaryFile>;
  /**
   * Identities of files that the previous run linked into the store for requests and jobs that it
   * never finished. Their stored copies are orphans unless a database row refers to them.
   */
  abandoned: ReadonlySet<string>;
}

/**
 * Opens the folder, and creates it if it is missing. Unless another process owns the folder,
 * removes temporary files left by an earlier run; files with other names are kept. The temporary
 * files of a process that does not own the folder are removed when the owner restarts.
 */
export async function openTemporaryFiles(
  folder: string,
  { own = true }: { own?: boolean } = {},
): Promise<TemporaryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const abandoned = own ? await sweep(folder) : new Set<string>();
  return { create: (extension) => createFile(folder, extension), abandoned };
}

async function sweep(folder: string): Promise<Set<string>> {
  const linked = new Set<string>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !namePattern.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const found = await lstat(path);
    if (found.nlink > 1) linked.add(identityOf(found));
    await rm(path, { force: true });
  }
  return linked;
}

async function createFile(folder: string, extension: string | undefined): Promise<TemporaryFile> {
  const name = extension === undefined ? randomUUID() : `${randomUUID()}.${extension}`;
  if (!namePattern.test(name))
    throw new TypeError(`Not an extension of a temporary file: ${JSON.stringify(extension)}`);
  const path = join(folder, name);
  return new TemporaryFile(path, await open(path, "wx", 0o600));
}

export class TemporaryFile implements AsyncDisposable {
  readonly path: string;
  /** Number of bytes passed to `write` so far. */
  size = 0;
  readonly #handle: FileHandle;
  #filling = Buffer.allocUnsafeSlow(blockBytes);
  #spare = Buffer.allocUnsafeSlow(blockBytes);
  #filled = 0;
  /**
   * The current or latest write to disk. After a failure, all later calls fail with the same error.
   */
  #writing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #removing: Promise<void> | undefined;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Appends a chunk. Returns undefined if the whole chunk fitted into the buffer. Otherwise returns
   * a promise that the caller must await before the next call. The chunk is copied, so the caller
   * may reuse it. A disk error (`ENOSPC`) is thrown unchanged by a later call, at the latest by
   * `sync` or `close`.
   */
  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#closing !== undefined) return Promise.reject(new Error("The temporary file is closed."));
    this.size += chunk.length;
    const taken = this.#fill(chunk);
    return taken === chunk.length ? undefined : this.#writeRest(chunk.subarray(taken));
  }

  /** Writes the collected bytes and waits until they are on disk (fsync). */
  async sync(): Promise<void> {
    await this.#flush();
    await this.#handle.sync();
  }

  /**
   * Writes the collected bytes and closes the file, which stays in place. Further calls return the
   * same result.
   */
  close(): Promise<void> {
    this.#closing ??= this.#flushAndClose();
    return this.#closing;
  }

  /**
   * Removes the file, unless it has been moved away. Waits for a running write, but ignores its
   * error.
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#removing ??= this.#remove();
    return this.#removing;
  }

  #fill(chunk: Uint8Array): number {
    const part = chunk.subarray(0, blockBytes - this.#filled);
    this.#filling.set(part, this.#filled);
    this.#filled += part.length;
    return part.length;
  }

  async #writeRest(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#filled === blockBytes) await this.#startWriting();
      rest = rest.subarray(this.#fill(rest));
    }
  }

  /**
   * Waits for the current write, then starts writing the collected block and collects bytes in the
   * spare block.
   */
  async #startWriting(): Promise<void> {
    await this.#writing;
    const block = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    this.#writing = writeAll(this.#handle, block);
    this.#writing.catch(() => {}); // The next call that waits for the write reports its error.
  }

  async #flush(): Promise<void> {
    await this.#startWriting();
    await this.#writing;
  }

  async #flushAndClose(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #remove(): Promise<void> {
    this.#closing ??= this.#handle.close(); // Waits for the running write. Drops the collected bytes.
    await this.#closing.catch(() => {});
    await rm(this.path, { force: true });
  }
}

/** Writes a whole block. A single write may accept fewer bytes than requested. */
async function writeAll(handle: FileHandle, block: Buffer): Promise<void> {
  let rest = block;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.write(rest);
    rest = rest.subarray(bytesWritten);
  }
}
