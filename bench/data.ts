/** Locates the sets of evaluation documents, which are not part of this repository. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Folder with one subfolder per evaluation set. It is `EVALUATION_DATA` if that is set, and
 * otherwise `shared/data` beside the repository.
 */
export const dataFolder = resolve(process.env.EVALUATION_DATA ?? join(import.meta.dirname, "../../shared/data"));

/**
 * Returns the files in a folder of the evaluation data whose names end with `ending`, sorted by
 * name.
 */
export const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(dataFolder, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(dataFolder, folder, name));
