/** Where the evaluation documents are; they are not part of this repository. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder with one folder a set: EVALUATION_DATA, or `shared/data` beside the repository. */
export const dataFolder = resolve(process.env.EVALUATION_DATA ?? join(import.meta.dirname, "../../shared/data"));

/** The files of a folder of the evaluation data that end in `ending`, in the order of their names. */
export const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(dataFolder, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(dataFolder, folder, name));
