/**
 * Syncs the files of tables to disk. LanceDB does not sync what it writes. So a power cut could
 * lose passages of a document that is already `ready`.
 */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncPath } from "../lib/sync-path.ts";

/**
 * Maximum number of tables whose synced files are remembered. For all other tables, all files are
 * synced again, which takes little time.
 */
const maxRemembered = 256;
/** Maximum number of files that are synced at once. Node has four threads for file operations. */
const syncedAtOnce = 4;

/** Name of the only file that LanceDB overwrites. */
const replacedFile = "latest_version_hint.json";
/**
 * Returns true for a file that LanceDB has not completed. LanceDB renames the file when it is
 * complete.
 */
const isUnfinished = (name: string): boolean => name.startsWith(".") || name.includes("#");

interface Turns {
  running: Promise<void>;
  /**
   * The sync that starts after the running sync has ended. It covers all writes that have completed
   * when it starts.
   */
  next: Promise<void> | undefined;
}

export class TableSync {
  /** For each table folder, the paths that were synced. The most recently used folder is last. */
  readonly #synced = new Map<string, Set<string>>();
  readonly #turns = new Map<string, Turns>();

  /**
   * Resolves when everything that was written to the table before the call is on disk. Concurrent
   * calls share a sync.
   */
  sync(folder: string): Promise<void> {
    const turns = this.#turns.get(folder);
    if (!turns) {
      const running = this.#sync(folder).finally(() => {
        if (this.#turns.get(folder)?.running === running) this.#turns.delete(folder);
      });
      this.#turns.set(folder, { running, next: undefined });
      return running;
    }
    turns.next ??= turns.running.catch(() => {}).then(() => this.sync(folder));
    return turns.next;
  }

  async #sync(folder: string): Promise<void> {
    const before = this.#synced.get(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreGone);
    if (!entries) return;
    const now = new Set<string>();
    const files: string[] = [];
    const folders = new Set<string>(before ? [] : [dirname(folder), folder]);
    for (const entry of entries) {
      if (isUnfinished(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      if (entry.name !== replacedFile) now.add(path);
      if (before?.has(path)) continue;
      folders.add(entry.parentPath);
      if (entry.isDirectory()) folders.add(path);
      else files.push(path);
    }
    await each(files);
    await each([...folders]);
    this.#synced.delete(folder);
    this.#synced.set(folder, now);
    for (const [oldest] of this.#synced) if (this.#synced.size > maxRemembered) this.#synced.delete(oldest);
  }
}

async function each(paths: string[]): Promise<void> {
  const waiting = paths.values();
  const worker = async (): Promise<void> => {
    for (const path of waiting) await syncPath(path).catch(ignoreGone);
  };
  await Promise.all(Array.from({ length: Math.min(syncedAtOnce, paths.length) }, worker));
}

/** Ignores a missing file, because LanceDB may remove files of earlier versions at any time. */
function ignoreGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
