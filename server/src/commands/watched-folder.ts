/**
 * Finds the files of a folder that are completely written. Polls, because network shares send no
 * events.
 */
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { extensionOf } from "@sheaf/contract/filename.ts";

/**
 * How long the size and modification time of a file must stay unchanged, in milliseconds. Must be
 * longer than any pause while a file is being copied over a network. Chosen by hand, 2026-11.
 */
const settleMs = 2_000;

/** A file, with its identity and the version of its content. */
export interface WatchedFile {
  name: string;
  path: string;
  /** Identifies the file, even after it was renamed. */
  id: string;
  /** Changes if the content changes. */
  version: string;
  size: number;
  /** Time (ctime) at which the content, name or folder last changed, in nanoseconds. */
  changed: string;
}

interface Seen {
  version: string;
  since: number;
}

export class WatchedFolder {
  readonly #folder: string;
  readonly #extensions: readonly string[];
  readonly #onSkipped: (name: string) => void;
  #seen = new Map<string, Seen>();
  #skipped = new Set<string>();

  /** @param onSkipped called once for each file whose extension is not in `extensions` */
  constructor(folder: string, extensions: readonly string[], onSkipped: (name: string) => void) {
    this.#folder = folder;
    this.#extensions = extensions;
    this.#onSkipped = onSkipped;
  }

  /** Returns the files that have not changed for `settleMs`, sorted by name. */
  async complete(): Promise<WatchedFile[]> {
    const now = performance.now();
    const seen = new Map<string, Seen>();
    const complete: WatchedFile[] = [];
    for (const file of await this.#files()) {
      const before = this.#seen.get(file.id);
      const state = before?.version === file.version ? before : { version: file.version, since: now };
      seen.set(file.id, state);
      // Skips empty files, because some programs create a file and fill it much later.
      if (file.size > 0 && now - state.since >= settleMs) complete.push(file);
    }
    this.#seen = seen;
    return complete;
  }

  /** Returns the current state of a file, wherever in the folder it is; undefined if it is gone. */
  async find({ path, name, id }: WatchedFile): Promise<WatchedFile | undefined> {
    const there = await fileAt(path, name);
    return there?.id === id ? there : (await this.#files()).find((file) => file.id === id);
  }

  async #files(): Promise<WatchedFile[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && !isTemporary(entry.name)).map(({ name }) => name);
    const known = names.filter((name) => this.#extensions.includes(extensionOf(name)));
    const others = names.filter((name) => !known.includes(name));
    for (const name of others) if (!this.#skipped.has(name)) this.#onSkipped(name);
    this.#skipped = new Set(others);
    const files = await Promise.all(known.sort().map((name) => fileAt(join(this.#folder, name), name)));
    return files.filter((file) => file !== undefined);
  }
}

/**
 * Recognizes names of files that a program is still writing, of lock files, and of files that are
 * not documents.
 */
const isTemporary = (name: string): boolean =>
  /^([.#]|~\$|thumbs\.db$|desktop\.ini$)|(~|\.(part|partial|filepart|crdownload|download|tmp|temp|swp|lock))$/i.test(
    name,
  );

async function fileAt(path: string, name: string): Promise<WatchedFile | undefined> {
  let stats: BigIntStats;
  try {
    stats = await lstat(path, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return {
    ...{ name, path, size: Number(stats.size), changed: String(stats.ctimeNs) },
    id: `${stats.dev}:${stats.ino}`,
    version: `${stats.size}:${stats.mtimeNs}`,
  };
}
