/** Which layout the tables of an index folder have: one that another version of the program made can't be read. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** To be raised with every change of the columns or of the analysis of text. */
const version = "3";
const fileName = "version";

/** Searches of other processes have so long on the files that they began with. */
export const versionsKeptMs = 30_000;

/**
 * Makes the folder where it is missing, or where it is of another version and `anew` allows to lose what it holds.
 * @throws Error where it is of another version and must not be lost.
 */
export async function claimFolder(folder: string, anew: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, fileName);
  const found = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === version) return;
  const entries = (await readdir(folder)).filter((name) => name !== fileName);
  if (entries.length > 0 && !anew)
    throw new Error("The search index was made by another version of Sheaf: make it anew with `sheaf reindex`.");
  for (const name of entries) await rm(join(folder, name), { recursive: true });
  await writeFile(path, version, { mode: 0o600 });
}
