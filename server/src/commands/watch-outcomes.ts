/**
 * Stores the outcomes of a watched folder in two steps: first writes the result to NAME.json, then
 * moves the file beside it. After a crash between the steps, only the second step is repeated,
 * because the result says which file it belongs to.
 */
import { constants } from "node:fs";
import { access, copyFile, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { isRecord } from "@sheaf/contract/issues.ts";
import { syncPath } from "../lib/sync-path.ts";
import type { WatchedFile } from "./watched-folder.ts";

/** Identifies the file that a result belongs to. It is stored in the result. */
export interface Source {
  name: string;
  size: number;
  sha256: string;
  /** Change time (ctime) of the file before it was moved, in nanoseconds. */
  changed: string;
}

export type Outcome = { status: "success" | "error" } & Record<string, unknown>;

/** Where a file and its result are stored. */
interface Place {
  name: string;
  /** True if the result is stored, but the file has not been moved. */
  isUnfinished: boolean;
}

const partialSuffix = ".partial";

export class OutcomeFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Creates the folder, and removes files that were incomplete when a process crashed. */
  async prepare(): Promise<void> {
    await mkdir(this.#path, { recursive: true });
    await access(this.#path, constants.W_OK);
    const names = await readdir(this.#path);
    const partial = names.filter((name) => name.startsWith(".") && name.endsWith(partialSuffix));
    for (const name of partial) await rm(join(this.#path, name), { force: true });
  }

  /**
   * If the result of a file was stored before a crash, moves the file beside the result and returns
   * true. Otherwise returns false.
   */
  async finish(file: WatchedFile, source: Source): Promise<boolean> {
    const { name, isUnfinished } = await this.#placeOf(source);
    if (isUnfinished) await this.#move(file.path, name);
    return isUnfinished;
  }

  /** Stores the result, then moves the file. Returns the new name of the file. */
  async store(file: WatchedFile, source: Source, outcome: Outcome): Promise<string> {
    const { name, isUnfinished } = await this.#placeOf(source);
    if (!isUnfinished) await this.#write(`${name}.json`, `${JSON.stringify({ ...outcome, source }, null, 2)}\n`);
    await this.#move(file.path, name);
    return name;
  }

  /**
   * Finds the stored result of an earlier file with the same name and content. Returns the change
   * time of that file if it is no longer beside its result. Otherwise, or if there is no such
   * result, returns undefined.
   */
  async earlierResult({ name, sha256 }: Source): Promise<string | undefined> {
    const stored = await this.#sourceIn(name);
    if (stored?.sha256 !== sha256 || (await this.#exists(name))) return undefined;
    return stored.changed;
  }

  /**
   * Returns the name under which a file and its result are stored. Appends a number if the name is
   * taken, so that other files and their results are never replaced.
   */
  async #placeOf({ name, size, sha256, changed }: Source): Promise<Place> {
    for (let number = 1; ; number++) {
      const numbered = numberedName(name, number);
      const stored = await this.#sourceIn(numbered);
      const isOwn = stored?.sha256 === sha256 && stored.changed === changed;
      const isThere = await this.#exists(numbered);
      // After a crash in the middle of a move between file systems, both folders may contain the
      // file.
      if (isOwn && (!isThere || (await this.#sizeOf(numbered)) === size)) return { name: numbered, isUnfinished: true };
      // If a file with the same content was put back into the watched folder, the new result
      // replaces the old one.
      const isStale = stored?.sha256 === sha256;
      if (!isThere && (isStale || !(await this.#exists(`${numbered}.json`))))
        return { name: numbered, isUnfinished: false };
    }
  }

  async #sourceIn(name: string): Promise<Source | undefined> {
    try {
      const result: unknown = JSON.parse(await readFile(join(this.#path, `${name}.json`), "utf8"));
      return isRecord(result) && isRecord(result.source) ? (result.source as unknown as Source) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async #exists(name: string): Promise<boolean> {
    return (await this.#sizeOf(name)) !== undefined;
  }

  async #sizeOf(name: string): Promise<number | undefined> {
    try {
      return (await lstat(join(this.#path, name))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * Writes a file atomically: even after a power failure, it has either its old content or all of
   * the new content.
   */
  async #write(name: string, content: string): Promise<void> {
    await this.#writeBeside(name, async (partial) => {
      await using file = await open(partial, "w");
      await file.writeFile(content);
      await file.sync();
    });
  }

  async #move(from: string, name: string): Promise<void> {
    try {
      await rename(from, join(this.#path, name));
      await syncPath(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
      await this.#writeBeside(name, async (partial) => {
        await copyFile(from, partial);
        await syncPath(partial);
      });
      await rm(from);
    }
  }

  async #writeBeside(name: string, write: (partial: string) => Promise<void>): Promise<void> {
    const partial = join(this.#path, `.${name}${partialSuffix}`);
    await write(partial);
    await rename(partial, join(this.#path, name));
    await syncPath(this.#path);
  }
}

function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { name: stem, ext } = parse(name);
  return `${stem} (${number})${ext}`;
}
