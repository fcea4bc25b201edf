/**
 * The installation mark: a file that contains the id of the installation. One copy is stored beside
 * the stored files, and a second copy in the keys folder.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFile, makeDurableFolder, replaceDurableFile } from "../lib/durable-file.ts";

export interface InstallationMark {
  /** The word that messages use for `place`. */
  kind: "folder" | "bucket";
  /** Path of the folder, or URL of the bucket. */
  place: string;
  /** Path of the mark. */
  path: string;
  read(): Promise<string | undefined>;
  /** Does nothing if the mark exists already. */
  create(text: string): Promise<void>;
  replace(text: string): Promise<void>;
}

export interface FilesMark extends InstallationMark {
  /** Returns true if there is any stored file. */
  holdsFiles(): Promise<boolean>;
}

/**
 * Begins with a dot, unlike the names of stored files and keys, so the mark is never mistaken for
 * one of them.
 */
const markName = ".installation";

/**
 * Returns the mark of a folder. The folder is created when the mark is written for the first time.
 */
export function folderMark(folder: string): FilesMark {
  const path = join(folder, markName);
  return {
    kind: "folder",
    place: folder,
    path,
    read: () => readFile(path, "utf8").catch(absent),
    create: async (text) => {
      await makeDurableFolder(folder);
      await makeDurableFile(path, text);
    },
    replace: async (text) => {
      await makeDurableFolder(folder);
      await replaceDurableFile(path, text);
    },
    holdsFiles: () => holdsFiles(folder),
  };
}

/** Returns true if there is a stored file anywhere below the folder. */
async function holdsFiles(folder: string): Promise<boolean> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
  for (const entry of entries)
    if (!entry.name.startsWith(".") && (!entry.isDirectory() || (await holdsFiles(join(folder, entry.name)))))
      return true;
  return false;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
